/// What waits in a card, entry by entry, for people who look at the machine (NicModule::queues).
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platform/core/results.hpp"
#include "platform/core/time.hpp"

namespace sanvp::nic {

/// Names and values, in the order in which they are shown.
class QueueEntry {
 public:
  template <std::integral Number>
  QueueEntry& add(const char* name, Number number) {
    values_.emplace_back(name, static_cast<std::int64_t>(number));
    return *this;
  }
  QueueEntry& add(const char* name, bool yes) { return add(name, std::string(yes ? "yes" : "no")); }
  QueueEntry& add(const char* name, std::string text) {
    values_.emplace_back(name, std::move(text));
    return *this;
  }
  QueueEntry& add(const char* name, const char* text) { return add(name, std::string(text)); }
  /// In ns: the name ends with "_ns".
  QueueEntry& add(const char* name, Time time) {
    values_.emplace_back(name, in_ns(time));
    return *this;
  }
  QueueEntry& add_address(const char* name, std::uint64_t address) { return add(name, fmt::format("{:#x}", address)); }

  const std::vector<std::pair<std::string, Cell>>& values() const { return values_; }

 private:
  std::vector<std::pair<std::string, Cell>> values_;
};

struct CardQueue {
  std::string name;
  std::vector<QueueEntry> entries{};  ///< in the card's order
};

}  // namespace sanvp::nic
