/// A card's windows as a target of its host's bus, as its RegisterMap declares them. Stores to registers are posted:
/// they take effect at the card's time, in order of arrival, and loads come after them.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/net/late_data.hpp"
#include "models/net/transfer_cause.hpp"
#include "models/nic/card/bus_target.hpp"
#include "models/nic/card/posted_stores.hpp"
#include "models/nic/card/register_map.hpp"
#include "models/nic/card/register_watch.hpp"

namespace sanvp::nic {

template <class Card>
class CardWindows final : public BusTarget, public RegisterWatch {
 public:
  /// @param unit   of the card, in the timeline's queue
  /// @param sizes  of the windows, if they depend on the machine
  CardWindows(net::Timeline& timeline, std::uint32_t unit, const RegisterMap<Card>& map, Card& card,
              std::vector<std::uint64_t> sizes)
      : BusTarget(timeline),
        own_map_(map),
        map_(&map),
        card_(card),
        sizes_(std::move(sizes)),
        posted_(timeline, unit, [this](const Posted& posted) { act(posted); }) {}
  CardWindows(net::Timeline& timeline, std::uint32_t unit, const RegisterMap<Card>& map, Card& card)
      : CardWindows(timeline, unit, map, card, map.sizes()) {}

  const std::vector<std::uint64_t>& sizes() const { return sizes_; }
  /// RegisterMap::inspect.
  std::vector<RegisterValue> inspect() const { return own_map_.inspect(card_, sizes_); }

  const RegisterTable& register_table() const override { return own_map_; }
  void add(StoreObserver& observer) override {
    observers_.push_back(&observer);
    if (told_map_ == nullptr)
      told_map_ = std::make_unique<const RegisterMap<Card>>(
          own_map_.with_stores_told([this](int number, const Store& store) { tell(number, store); }));
    map_ = told_map_.get();
  }
  /// The map that tells stays where it is: a store may be under way in it.
  void remove(StoreObserver& observer) override {
    std::erase(observers_, &observer);
    if (observers_.empty()) map_ = &own_map_;
  }

  /// Memory, and what registers and ROM hold, without side effects: a register that reading would change, and what is
  /// between registers, reads as zeros. Only memory can be written. @return the bytes moved
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    const Place at = place(payload);
    if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return 0;
    const bool exists = contains(at, payload.get_data_length());
    payload.set_response_status(exists ? debug(payload, at) : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return payload.is_response_ok() ? payload.get_data_length() : 0;
  }

  /// Memory whose stores need not be told to the card. It stays where it is as long as the card exists.
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override {
    const Place at = place(payload);
    if (!contains(at, 1)) return false;
    const std::uint64_t bytes = sizes_[at.window];
    const std::uint64_t start = payload.get_address() - at.offset;
    dmi.set_start_address(start);
    dmi.set_end_address(start + bytes - 1);
    if (!is_plain(map_->window(at.window))) return false;
    dmi.set_dmi_ptr(reinterpret_cast<unsigned char*>(memory_at(at.window, 0, bytes).data()));
    dmi.allow_read_write();
    return true;
  }

 private:
  using Bytes = std::shared_ptr<net::LateData::Bytes>;

  /// An access that waits for its time: a store, or a load into `to`.
  struct Posted {
    int number = 0;  ///< of the register; below 0: memory
    std::uint32_t window = 0;
    std::uint32_t offset = 0;
    std::vector<std::byte> bytes{};  ///< to memory
    Store store;
    Bytes to{};
  };

  static bool is_plain(const Window<Card>& window) { return window.memory != nullptr && window.stored == nullptr; }

  bool contains(Place at, std::size_t bytes) const {
    return at.window < sizes_.size() && at.offset < sizes_[at.window] && bytes <= sizes_[at.window] - at.offset;
  }

  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload, Place at, sc_core::sc_time& delay) override {
    if (!contains(at, payload.get_data_length())) return refuse(payload, at, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    const Window<Card>& window = map_->window(at.window);
    if (window.memory == nullptr && window.contents == nullptr && window.serve == nullptr)
      return access_register(payload, at, arrival(delay));
    name_target(payload, window.name);
    if (window.serve != nullptr) return serve_window(payload, window, at, delay);
    if (window.contents != nullptr) return read_contents(payload, window, at);
    if (window.stored == nullptr) {
      payload.set_dmi_allowed(true);
      return access_memory(payload, at);
    }
    return payload.is_write() ? post(payload, at, arrival(delay)) : read_posted(payload, at, arrival(delay));
  }

  tlm::tlm_response_status access_register(tlm::tlm_generic_payload& payload, Place at, Time arrived) {
    const RegisterTable::Found found = map_->find(static_cast<int>(at.window), at.offset);
    if (found.number < 0 || found.inside != 0) return refuse(payload, at, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    const RegisterFacts& facts = map_->registers()[static_cast<std::size_t>(found.number)];
    const bool is_write = payload.is_write();
    if (is_write ? !facts.can_write : !facts.can_read) return refuse(payload, at, tlm::TLM_COMMAND_ERROR_RESPONSE);
    if (!facts.takes(payload.get_data_length(), is_write)) return refuse(payload, at, tlm::TLM_BURST_ERROR_RESPONSE);
    name_target(payload, facts.name);
    Posted posted{.number = found.number, .store = {.instance = found.instance, .cause = net::cause_of(payload)}};
    if (is_write) {
      std::memcpy(posted.store.data.data(), payload.get_data_ptr(), facts.bytes);
      posted_.post(arrived, std::move(posted));
    } else if (is_late(payload, posted)) {
      posted_.post(arrived, std::move(posted));
    } else {
      posted_.flush(arrived);
      read_register(found, data_of(payload));
      this->timeline().wake();
    }
    return tlm::TLM_OK_RESPONSE;
  }

  void read_register(const RegisterTable::Found& found, std::span<std::byte> to) {
    const Value value = map_->read(card_, found);
    std::memcpy(to.data(), value.bytes().data(), std::min(value.bytes().size(), to.size()));
  }

  /// Whether the load's data may come when it has arrived; if so, the payload says where they will be.
  static bool is_late(tlm::tlm_generic_payload& payload, Posted& posted) {
    auto* const late = payload.get_extension<net::LateData>();
    if (late == nullptr) return false;
    late->bytes = posted.to = std::make_shared<net::LateData::Bytes>(payload.get_data_length());
    return true;
  }

  static std::span<std::byte> data_of(tlm::tlm_generic_payload& payload) {
    return {reinterpret_cast<std::byte*>(payload.get_data_ptr()), payload.get_data_length()};
  }

  std::span<std::byte> memory_at(std::uint32_t window, std::uint32_t offset, std::size_t bytes) {
    return map_->window(window).memory(card_, offset, bytes);
  }

  tlm::tlm_response_status access_memory(tlm::tlm_generic_payload& payload, Place at) {
    const std::span<std::byte> data = data_of(payload);
    const std::span<std::byte> memory = memory_at(at.window, at.offset, data.size());
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

  tlm::tlm_response_status serve_window(tlm::tlm_generic_payload& payload, const Window<Card>& window, Place at,
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

  tlm::tlm_response_status read_posted(tlm::tlm_generic_payload& payload, Place at, Time arrived) {
    Posted posted{.number = -1, .window = at.window, .offset = at.offset, .store = {}};
    if (is_late(payload, posted)) {
      posted_.post(arrived, std::move(posted));
      return tlm::TLM_OK_RESPONSE;
    }
    posted_.flush(arrived);
    this->timeline().wake();
    return access_memory(payload, at);
  }

  void act(const Posted& posted) {
    if (posted.number < 0) return act_on_memory(posted);
    if (!posted.to) return map_->write(card_, posted.number, posted.store);
    read_register({.number = posted.number, .instance = posted.store.instance}, *posted.to);
  }

  void act_on_memory(const Posted& posted) {
    if (posted.to) {
      std::ranges::copy(memory_at(posted.window, posted.offset, posted.to->size()), posted.to->begin());
      return;
    }
    const std::span<std::byte> memory = memory_at(posted.window, posted.offset, posted.bytes.size());
    std::copy_n(posted.bytes.begin(), memory.size(), memory.begin());
    map_->window(posted.window).stored(card_);
  }

  tlm::tlm_response_status debug(tlm::tlm_generic_payload& payload, Place at) {
    const Window<Card>& window = map_->window(at.window);
    if (window.memory != nullptr) return access_memory(payload, at);
    if (!payload.is_read() || window.serve != nullptr) return tlm::TLM_COMMAND_ERROR_RESPONSE;
    if (window.contents != nullptr) return read_contents(payload, window, at);
    for (std::uint32_t i = 0; i < payload.get_data_length(); ++i) data_of(payload)[i] = look(at.window, at.offset + i);
    return tlm::TLM_OK_RESPONSE;
  }

  /// A byte of a register, if looking at it changes nothing.
  std::byte look(std::uint32_t window, std::uint32_t offset) const {
    const RegisterTable::Found found = map_->find(static_cast<int>(window), offset);
    if (found.number < 0) return {};
    const std::optional<Value> value = map_->look(card_, found);
    return value && found.inside < value->bytes().size() ? value->bytes()[found.inside] : std::byte{0};
  }

  void tell(int number, const Store& store) const {
    const RegisterFacts& facts = own_map_.registers()[static_cast<std::size_t>(number)];
    const std::string name = own_map_.name({.number = number, .instance = store.instance});
    for (StoreObserver* const observer : std::vector(observers_)) observer->register_stored(facts, name, store);
  }

  tlm::tlm_response_status refuse(tlm::tlm_generic_payload& payload, Place at, tlm::tlm_response_status status) const {
    return explain(payload,
                   map_->refusal({.window = static_cast<int>(at.window),
                                  .offset = at.offset,
                                  .bytes = payload.get_data_length(),
                                  .is_write = payload.is_write()},
                                 sizes_),
                   status);
  }

  const RegisterMap<Card>& own_map_;
  const RegisterMap<Card>* map_;  ///< that which is in force
  std::unique_ptr<const RegisterMap<Card>> told_map_{};
  std::vector<StoreObserver*> observers_{};
  Card& card_;
  std::vector<std::uint64_t> sizes_;
  PostedStores<Posted> posted_;
};

}  // namespace sanvp::nic
