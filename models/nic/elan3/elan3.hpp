/// The Elan3 card (QsNET paper 2.1, figure 1). This module contains and connects its units.
///
///                 PCI bus                                             link
///   host --- windows --- command processor --+-- DMA engine ----+
///        \-- registers        |              |   (queues)       +-- link === network
///   host memory -- pci --+    +-- scheduler -+-- thread proc. --+     |
///                        |    |              |                        |
///                     memory -+- events -----+-- inputter (2 channels)+
///                      /    \                       (transactions)
///                  mmu, TLB  sdram        all microcode threads share `microcode`; all trap through `traps`
#pragma once

#include "models/nic/card/card_windows.hpp"
#include "models/nic/elan3/card_rules.hpp"
#include "models/nic/module.hpp"

namespace sanvp::nic::elan3 {

class Elan3 final : public NicModule, public RunsFirmware, private net::NetworkBackward, private Work {
 public:
  Elan3(const sc_core::sc_module_name& name, const CardRules& rules, const NicContext& context);

  /// All that software sees of the card.
  static const RegisterMap<Elan3>& register_map();

  std::vector<std::uint64_t> windows() const override { return windows_.sizes(); }
  int load_firmware(const std::string& name) override { return firmware_.load(name, threads_.calls()); }
  const FirmwareFiles& firmware_files() const override { return firmware_.files(); }
  std::vector<FirmwareProgram> firmware() const override { return firmware_.loaded(); }
  void link_changed(Time flit_time) override { microcode_.link_changed(flit_time); }
  std::string busy() const override;
  std::vector<CardQueue> queues() const override;
  std::uint64_t work() const override;
  std::string firmware_complaint() const override { return threads_.complaint(); }
  std::optional<std::uint64_t> resent() const override { return counters_[Counter::packets_retried]; }
  void report(StatisticsTable& table) const override;
  std::vector<RegisterValue> inspect() const override { return windows_.inspect(); }

 private:
  static Registers<Elan3> own_registers();
  std::uint64_t nanoseconds() const;
  void set_schedule(std::uint32_t word);
  void set_interrupt_line(bool raised);
  void start_of_simulation() override;

  // Work
  net::Task<Fault> put_dma(std::uint32_t context, e3_addr descriptor) override;
  Fault run_thread(std::uint32_t context, e3_addr thread) override { return scheduler_.run(context, thread); }

  // NetworkBackward
  void injected(net::Packet&, const sc_core::sc_time&) override {}
  void acknowledged(net::Packet& packet, const sc_core::sc_time&) override { link_.acknowledged(packet); }
  void sent(net::Packet&, const sc_core::sc_time&) override {}
  bool hears_sent() const override { return false; }
  bool follows_routes() const override { return false; }  // its driver reads the network's map when it boots
  void lost(net::Packet& packet, const sc_core::sc_time&) override { link_.lost(packet); }
  void delivered(net::Packet& packet, const sc_core::sc_time&) override { inputter_.delivered(packet); }
  void closed(net::Packet& packet, const sc_core::sc_time&) override { inputter_.closed(packet); }

  int host_;
  net::Timeline& timeline_;
  net::Clock clock_;
  Counters counters_;
  Tracks tracks_;
  Sdram sdram_;
  Mmu mmu_;
  Pci pci_;
  Memory memory_;
  Microcode microcode_;
  Interrupts interrupts_;
  Traps traps_;
  Schedule schedule_;
  RouteTables routes_;
  Link link_;
  Events events_;
  DmaEngine dma_;
  Transactions transactions_;
  Inputter inputter_;
  Firmware firmware_;
  Scheduler scheduler_;
  ThreadProcessor threads_;
  CommandProcessor commands_;
  std::vector<std::byte> rom_;
  CardWindows<Elan3> windows_;
  std::vector<net::Task<>> units_;  ///< coroutines that run as long as the card exists
};

}  // namespace sanvp::nic::elan3
