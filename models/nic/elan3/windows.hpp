/// The card's PCI interface as a target: its windows (base address registers). Stores to ports and registers are
/// posted: they take effect at the card's time, in order of arrival.
#pragma once

#include <cstddef>
#include <vector>

#include "models/net/timeline.hpp"
#include "models/nic/card/bus_target.hpp"
#include "models/nic/card/posted_stores.hpp"
#include "models/nic/card/register_file.hpp"
#include "models/nic/elan3/command_processor.hpp"
#include "models/nic/elan3/sdram.hpp"

namespace sanvp::nic::elan3 {

class Windows final : public BusTarget {
 public:
  Windows(net::Timeline& timeline, std::uint32_t unit, Sdram& sdram, std::vector<std::byte> rom)
      : sdram_(sdram), rom_(std::move(rom)), posted_(timeline, unit, [this](const Store& store) { act(store); }) {}

  /// The units behind the windows.
  void connect(CommandProcessor& commands, const RegisterFile& registers) {
    commands_ = &commands;
    registers_ = &registers;
  }

  static std::vector<std::uint64_t> sizes();

  /// Debug access to SDRAM, for loaders and tests. @return the bytes moved
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

 private:
  struct Store {
    int window;
    std::uint64_t offset;
    std::uint32_t value;
    std::optional<Trace::Point> cause{};
  };

  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload, Place place, sc_core::sc_time& delay) override;
  tlm::tlm_response_status access_sdram(tlm::tlm_generic_payload& payload, std::uint64_t offset);
  tlm::tlm_response_status access_words(tlm::tlm_generic_payload& payload, int window, std::uint64_t offset, Time at);
  std::uint32_t read_word(int window, std::uint64_t offset, bool& exists) const;
  bool can_store(int window, std::uint64_t offset) const;
  void act(const Store& store);

  Sdram& sdram_;
  std::vector<std::byte> rom_;  ///< what follows reads as zero
  CommandProcessor* commands_ = nullptr;
  const RegisterFile* registers_ = nullptr;
  PostedStores<Store> posted_;
};

}  // namespace sanvp::nic::elan3
