/// The LANai card (FACTS.md 2.1, 2.5; Myrinet paper). This module contains and connects its units.
///
///              PCI bus                                                     link
///   host --- windows ---- registers            +-- SEND --+
///        \-- SRAM <----------------------------|          |-- packet interface === network (in-transit pool)
///   host memory -- SDMA, RDMA (bus master) ----+-- RECV --+      CRC-8
///                       \______ events (ISR) ______/
///                                   |
///                               processor: the control program
#pragma once

#include "models/nic/card/card_windows.hpp"
#include "models/nic/lanai/card_rules.hpp"
#include "models/nic/module.hpp"

namespace sanvp::nic::lanai {

class Lanai final : public NicModule, public RunsFirmware {
 public:
  Lanai(const sc_core::sc_module_name& name, const CardRules& rules, std::unique_ptr<RouteSelection> selection,
        const NicContext& context);

  /// All that software sees of the card.
  static const RegisterMap<Lanai>& register_map();

  std::vector<std::uint64_t> windows() const override { return windows_.sizes(); }
  int load_firmware(const std::string& name) override {
    return processor_.load(firmware_files_.path(firmware_folder_, name), name);
  }
  const FirmwareFiles& firmware_files() const override { return firmware_files_; }
  std::vector<FirmwareProgram> firmware() const override { return processor_.loaded(); }
  std::string firmware_complaint() const override { return processor_.complaint(); }
  std::string busy() const override;
  std::vector<CardQueue> queues() const override;
  std::uint64_t work() const override;
  void routes_changed() override;
  void link_changed(Time flit_time) override { packets_.link_changed(flit_time); }
  bool tries_again() const override { return processor_.has_timer(); }
  void report(StatisticsTable& table) const override;
  std::vector<RegisterValue> inspect() const override { return windows_.inspect(); }

 private:
  static Registers<InterruptRegister> interrupt_registers();
  void host_has_stored();
  void set_interrupt_line(bool raised);
  void start_of_simulation() override;

  NicContext context_;
  net::Timeline& timeline_;
  std::string firmware_folder_;
  FirmwareFiles firmware_files_;
  net::Clock clock_;
  Counters counters_;
  Tracks tracks_;
  Sram sram_;
  BusMaster bus_;
  Events events_;
  InterruptRegister interrupts_;
  RouteMemory routes_;
  std::unique_ptr<RouteSelection> selection_;
  HostDma sdma_;
  HostDma rdma_;
  PacketInterface packets_;
  Processor processor_;
  std::vector<std::byte> eeprom_;
  CardWindows<Lanai> windows_;
  std::vector<net::Task<>> units_;  ///< coroutines that run as long as the card exists
};

}  // namespace sanvp::nic::lanai
