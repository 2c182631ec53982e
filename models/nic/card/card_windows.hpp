/// A card's windows as a target of its host's bus, as its RegisterMap declares them. Stores to registers are posted:
/// they take effect at the card's time, in order of arrival.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "models/net/transfer_cause.hpp"
#include "models/nic/card/bus_target.hpp"
#include "models/nic/card/posted_stores.hpp"
#include "models/nic/card/register_map.hpp"

namespace sanvp::nic {

template <class Card>
class CardWindows final : public BusTarget {
 public:
  /// @param unit   of the card, in the timeline's queue
  /// @param sizes  of the windows, if they depend on the machine
  CardWindows(net::Timeline& timeline, std::uint32_t unit, const RegisterMap<Card>& map, Card& card,
              std::vector<std::uint64_t> sizes)
      : map_(map),
        card_(card),
        sizes_(std::move(sizes)),
        posted_(timeline, unit, [this](const Posted& posted) { act(posted); }) {}
  CardWindows(net::Timeline& timeline, std::uint32_t unit, const RegisterMap<Card>& map, Card& card)
      : CardWindows(timeline, unit, map, card, map.sizes()) {}

  const std::vector<std::uint64_t>& sizes() const { return sizes_; }
  /// RegisterMap::inspect.
  std::vector<RegisterValue> inspect() const { return map_.inspect(card_, sizes_); }

  /// Debug access to memory, for loaders and tests. @return the bytes moved
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    const Place at = place(payload);
    const bool exists = contains(at, payload.get_data_length()) && map_.window(at.window).memory != nullptr;
    payload.set_response_status(exists ? access_memory(payload, at) : tlm::TLM_GENERIC_ERROR_RESPONSE);
    return payload.is_response_ok() ? payload.get_data_length() : 0;
  }

 private:
  struct Posted {
    int number = 0;  ///< of the register; below 0: memory
    int window = 0;
    std::uint32_t offset = 0;
    std::vector<std::byte> bytes{};  ///< to memory
    Store store;
  };

  bool contains(Place at, std::size_t bytes) const {
    const auto window = static_cast<std::size_t>(at.window);
    return window < sizes_.size() && at.offset < sizes_[window] && bytes <= sizes_[window] - at.offset;
  }

  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload, Place at, sc_core::sc_time& delay) override {
    if (!contains(at, payload.get_data_length())) return refuse(payload, at, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    const Window<Card>& window = map_.window(at.window);
    if (window.memory == nullptr && window.contents == nullptr && window.serve == nullptr)
      return access_register(payload, at, arrival(delay));
    name_target(payload, window.name);
    if (window.serve != nullptr) return serve(payload, window, at, delay);
    if (window.contents != nullptr) return read_contents(payload, window, at);
    return window.stored != nullptr && payload.is_write() ? post(payload, at, arrival(delay))
                                                          : access_memory(payload, at);
  }

  tlm::tlm_response_status access_register(tlm::tlm_generic_payload& payload, Place at, Time arrived) {
    const RegisterTable::Found found = map_.find(at.window, at.offset);
    if (found.number < 0 || found.inside != 0) return refuse(payload, at, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    const RegisterFacts& facts = map_.registers()[static_cast<std::size_t>(found.number)];
    const bool is_write = payload.is_write();
    if (is_write ? !facts.can_write : !facts.can_read) return refuse(payload, at, tlm::TLM_COMMAND_ERROR_RESPONSE);
    if (!facts.takes(payload.get_data_length(), is_write)) return refuse(payload, at, tlm::TLM_BURST_ERROR_RESPONSE);
    name_target(payload, facts.name);
    if (is_write) {
      Posted posted{.number = found.number, .store = {.instance = found.instance, .cause = net::cause_of(payload)}};
      std::memcpy(posted.store.data.data(), payload.get_data_ptr(), facts.bytes);
      posted_.post(arrived, std::move(posted));
    } else {
      const Value value = map_.read(card_, found);
      std::memcpy(payload.get_data_ptr(), value.bytes().data(),
                  std::min<std::size_t>(value.bytes().size(), facts.bytes));
    }
    return tlm::TLM_OK_RESPONSE;
  }

  static std::span<std::byte> data_of(tlm::tlm_generic_payload& payload) {
    return {reinterpret_cast<std::byte*>(payload.get_data_ptr()), payload.get_data_length()};
  }

  tlm::tlm_response_status access_memory(tlm::tlm_generic_payload& payload, Place at) {
    const std::span<std::byte> data = data_of(payload);
    const std::span<std::byte> memory = map_.window(at.window).memory(card_, at.offset, data.size());
    if (memory.size() != data.size()) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (payload.is_write())
      std::memcpy(memory.data(), data.data(), data.size());
    else
      std::memcpy(data.data(), memory.data(), data.size());
    return tlm::TLM_OK_RESPONSE;
  }

  tlm::tlm_response_status read_contents(tlm::tlm_generic_payload& payload, const Window<Card>& window, Place at) {
    if (payload.is_write()) return refuse(payload, at, tlm::TLM_COMMAND_ERROR_RESPONSE);
    const std::span<std::byte> data = data_of(payload);
    const std::span<const std::byte> contents = window.contents(card_);
    const std::size_t known = at.offset < contents.size() ? std::min(data.size(), contents.size() - at.offset) : 0;
    if (known > 0) std::memcpy(data.data(), contents.data() + at.offset, known);
    std::memset(data.data() + known, 0, data.size() - known);
    return tlm::TLM_OK_RESPONSE;
  }

  tlm::tlm_response_status serve(tlm::tlm_generic_payload& payload, const Window<Card>& window, Place at,
                                 sc_core::sc_time& delay) {
    const Served served = window.serve(card_, at.offset, data_of(payload), payload.is_write());
    if (!served.refusal.empty()) return explain(payload, served.refusal, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    delay += net::to_sc_time(served.takes);
    return tlm::TLM_OK_RESPONSE;
  }

  tlm::tlm_response_status post(tlm::tlm_generic_payload& payload, Place at, Time arrived) {
    const std::span<std::byte> data = data_of(payload);
    posted_.post(
        arrived,
        {.number = -1, .window = at.window, .offset = at.offset, .bytes = {data.begin(), data.end()}, .store = {}});
    return tlm::TLM_OK_RESPONSE;
  }

  void act(const Posted& posted) {
    if (posted.number >= 0) return map_.write(card_, posted.number, posted.store);
    const Window<Card>& window = map_.window(posted.window);
    const std::span<std::byte> memory = window.memory(card_, posted.offset, posted.bytes.size());
    std::copy_n(posted.bytes.begin(), memory.size(), memory.begin());
    window.stored(card_);
  }

  tlm::tlm_response_status refuse(tlm::tlm_generic_payload& payload, Place at, tlm::tlm_response_status status) const {
    return explain(payload,
                   map_.refusal({.window = at.window,
                                 .offset = at.offset,
                                 .bytes = payload.get_data_length(),
                                 .is_write = payload.is_write()},
                                sizes_),
                   status);
  }

  const RegisterMap<Card>& map_;
  Card& card_;
  std::vector<std::uint64_t> sizes_;
  PostedStores<Posted> posted_;
};

}  // namespace sanvp::nic
