/// The card's PCI interface as a target: SRAM, registers and EEPROM as windows of the bus. Stores are posted: they take
/// effect at the card's time, in order of arrival, and those to SRAM wake the processor.
#pragma once

#include <vector>

#include "models/nic/card/bus_target.hpp"
#include "models/nic/card/posted_stores.hpp"
#include "models/nic/card/register_file.hpp"
#include "models/nic/lanai/counters.hpp"
#include "models/nic/lanai/events.hpp"
#include "models/nic/lanai/sram.hpp"

namespace sanvp::nic::lanai {

class Windows final : public BusTarget {
 public:
  /// @param eeprom  contents of that window from its start
  Windows(net::Timeline& timeline, std::uint32_t unit, Sram& sram, Events& events, Counters& counters,
          const RegisterFile& registers, std::vector<std::byte> eeprom)
      : sram_(sram),
        events_(events),
        counters_(counters),
        registers_(registers),
        eeprom_(std::move(eeprom)),
        posted_(timeline, unit, [this](const Store& store) { act(store); }) {}

  void show_eeprom(std::vector<std::byte> eeprom) { eeprom_ = std::move(eeprom); }

  static std::vector<std::uint64_t> sizes() { return {LANAI_SRAM_BYTES, LANAI_REGISTER_BYTES, LANAI_EEPROM_BYTES}; }

  /// Debug access to SRAM, for loaders and tests. @return the bytes moved
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

 private:
  struct Store {
    int window;
    std::uint64_t offset;
    std::vector<std::byte> bytes;
  };

  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload, Place place, sc_core::sc_time& delay) override;
  tlm::tlm_response_status read(int window, std::uint64_t offset, std::span<std::byte> to) const;
  tlm::tlm_response_status check(int window, std::uint64_t offset, std::size_t bytes) const;
  void act(const Store& store);

  Sram& sram_;
  Events& events_;
  Counters& counters_;
  const RegisterFile& registers_;
  std::vector<std::byte> eeprom_;
  PostedStores<Store> posted_;
};

}  // namespace sanvp::nic::lanai
