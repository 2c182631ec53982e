/// The card as a target of its host's bus: pages of control queues, pages of barrier gates, registers, ROM. Stores are
/// posted: they take effect at the card's time, in order of arrival.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "models/nic/card/bus_target.hpp"
#include "models/nic/card/posted_stores.hpp"
#include "models/nic/card/register_file.hpp"
#include "sw/abi/registers/tofu.h"
#include "platform/core/trace.hpp"

namespace sanvp::nic::tofu {

class Windows final : public BusTarget {
 public:
  /// The effects of stores to the pages.
  struct Actions {
    std::function<void(std::uint32_t queue, std::uint32_t offset, std::uint32_t value)> page{};
    std::function<void(std::uint32_t queue, const tofu_order&, const std::optional<Trace::Point>& cause)> order{};
    std::function<void(std::uint32_t gate)> gate{};
  };

  Windows(net::Timeline& timeline, std::uint32_t unit, const tofu_position& position, RegisterFile registers,
          Actions actions);

  static std::vector<std::uint64_t> sizes();

 private:
  struct Store {
    int window;
    std::uint32_t offset;
    unsigned bytes;
    std::array<std::byte, sizeof(tofu_order)> data;
    std::optional<Trace::Point> cause{};
  };

  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload, Place place, sc_core::sc_time& delay) override;
  tlm::tlm_response_status read(int window, std::uint32_t offset, unsigned char* to, unsigned bytes) const;
  bool can_store(int window, std::uint32_t offset, unsigned bytes) const;
  void act(const Store& store);

  tofu_position position_;
  RegisterFile registers_;
  Actions actions_;
  PostedStores<Store> posted_;
};

}  // namespace sanvp::nic::tofu
