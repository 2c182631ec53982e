/// Messages of a node that its NIC has not taken yet, in order of generation. Beyond saturation their number grows
/// without bound, so all but the first few are only counted, and are generated again when they reach the front.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>

namespace sanvp::traffic {

class SourceQueue {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// How many of them are only counted.
  std::size_t counted() const { return counted_; }

  /// @param message  its number in the ledger
  void push(std::uint32_t message) {
    entries_.push_back({.message = message, .count = 0, .measured = false});
    ++size_;
  }
  /// Adds a message that is only counted. @param measured  generated in the measuring window
  void push_counted(bool measured) {
    if (entries_.empty() || entries_.back().count == 0 || entries_.back().measured != measured || discarded_ > 0)
      entries_.push_back({.message = 0, .count = 0, .measured = measured, .discarded = std::exchange(discarded_, 0)});
    ++entries_.back().count;
    ++size_;
    ++counted_;
  }

  /// A message that is not sent, after one that is only counted: to generate the following ones again, it has to be
  /// generated and discarded.
  void push_discarded() { ++discarded_; }

  // Precondition: not empty.
  bool is_first_counted() const { return entries_.front().count > 0; }
  bool is_first_measured() const { return entries_.front().measured; }
  /// How many messages come before the first, which is only counted, and are not sent. They are asked for once.
  std::uint64_t take_discarded() { return std::exchange(entries_.front().discarded, 0); }
  /// Replaces the first message, which was only counted, by a generated one.
  void generate_first(std::uint32_t message) {
    if (--entries_.front().count == 0) entries_.pop_front();
    if (--counted_ == 0) discarded_ = 0;
    entries_.push_front({.message = message, .count = 0, .measured = false});
  }
  /// The first message, which must not be only counted.
  std::uint32_t first() const { return entries_.front().message; }
  void pop() {
    entries_.pop_front();
    --size_;
  }

 private:
  /// A message, or a number of messages that are only counted.
  struct Entry {
    std::uint32_t message;
    std::uint64_t count;
    bool measured;
    std::uint64_t discarded = 0;  ///< before it
  };
  std::deque<Entry> entries_;
  std::size_t size_ = 0;
  std::size_t counted_ = 0;
  std::uint64_t discarded_ = 0;  ///< after the last of them
};

}  // namespace sanvp::traffic
