/// The card as a target of its host's bus: channel ports, registers, ROM. Stores take effect at the card's time.
#pragma once

#include <array>
#include <cstring>
#include <functional>
#include <span>

#include "models/nic/card/bus_target.hpp"
#include "models/nic/card/posted_stores.hpp"
#include "models/nic/card/register_file.hpp"
#include "sw/abi/registers/ds_link.h"
#include "models/nic/stc104/control_network.hpp"

namespace sanvp::nic::ds_link {

class Windows final : public BusTarget {
 public:
  /// A burst to a channel's port, or a word to a register.
  struct Store {
    int window = 0;
    std::uint32_t offset = 0;
    unsigned bytes = 0;
    std::array<std::byte, DS_PORT_BYTES> data{};

    template <class T>
    T as() const {
      T value{};
      std::memcpy(&value, data.data(), sizeof value);
      return value;
    }
  };
  using Port = std::function<void(std::uint32_t link, std::uint32_t command, const Store& store)>;

  /// @param rom      starts with struct ds_position
  /// @param control  null: another node has the control network
  Windows(net::Timeline& timeline, std::uint32_t unit, std::vector<std::uint32_t> rom, const RegisterFile& registers,
          stc104::ControlNetwork* control, Port port);

  std::vector<std::uint64_t> sizes() const;

 private:
  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload, Place place, sc_core::sc_time& delay) override;
  tlm::tlm_response_status read(int window, std::uint32_t offset, std::span<std::byte> to) const;
  tlm::tlm_response_status write(const Store& store, Time at);
  void act(const Store& store);

  tlm::tlm_response_status control(tlm::tlm_generic_payload& payload, std::uint32_t address, sc_core::sc_time& delay);

  std::vector<std::uint32_t> rom_;
  std::uint32_t virtual_links_;
  const RegisterFile& registers_;
  stc104::ControlNetwork* control_;
  Port port_;
  PostedStores<Store> posted_;
};

}  // namespace sanvp::nic::ds_link
