/// The card of a Macramé host: a T9000's virtual channel processor and its DS link.
///
///   host -- windows -- channel ports --+-- vcp_output --+
///        \-- registers                 |                +-- link_end === network
///   host memory -- bus master ---------+-- vcp_input  --+
#pragma once

#include "models/nic/card/card_windows.hpp"
#include "models/nic/ds_link/card_rules.hpp"
#include "models/nic/module.hpp"

namespace sanvp::nic::ds_link {

class DsLink final : public NicModule, private net::NetworkBackward {
 public:
  /// @param control  null: the switches use the machine's routing
  DsLink(const sc_core::sc_module_name& name, const CardRules& rules, const NicContext& context,
         stc104::ControlNetwork* control);

  /// All that software sees of the card.
  static const RegisterMap<DsLink>& register_map();

  std::vector<std::uint64_t> windows() const override { return windows_.sizes(); }
  void link_changed(Time flit_time) override { link_.link_changed(flit_time); }
  std::string busy() const override;
  std::vector<CardQueue> queues() const override;
  bool follows_routes() const override { return !is_configured_; }  // node 0 loads tables when it boots
  std::uint64_t work() const override { return output_.work() + input_.work() + commands_; }
  std::optional<std::uint64_t> resent() const override { return counters_[Counter::resent]; }
  void report(StatisticsTable& table) const override;
  std::vector<RegisterValue> inspect() const override { return windows_.inspect(); }

 private:
  static Registers<InterruptRegister> interrupt_registers();
  static Registers<DsLink> own_registers();
  std::vector<std::uint64_t> window_sizes() const;
  Served serve_control(std::uint32_t address, std::span<std::byte> data, bool is_write);
  void count_command();
  bool take_command(std::uint32_t link);
  void connect(std::uint32_t link, const ds_connection& connection);
  void start_of_simulation() override;

  // NetworkBackward
  void injected(net::Packet&, const sc_core::sc_time&) override {}
  void acknowledged(net::Packet&, const sc_core::sc_time&) override {}
  void sent(net::Packet& packet, const sc_core::sc_time&) override { link_.sent(packet); }
  void lost(net::Packet& packet, const sc_core::sc_time&) override { link_.sent(packet); }
  void delivered(net::Packet& packet, const sc_core::sc_time&) override { link_.delivered(packet); }

  bool is_configured_;
  int host_;
  net::Timeline& timeline_;
  net::Clock clock_;
  Addressing addressing_;
  BusMaster bus_;
  Counters counters_;
  Tracks tracks_;
  InterruptRegister interrupts_;
  VirtualLinks links_;
  ControlBlocks blocks_;
  LinkEnd link_;
  VcpOutput output_;
  VcpInput input_;
  std::vector<std::uint32_t> rom_;   ///< starts with struct ds_position
  stc104::ControlNetwork* control_;  ///< null: another node has the control network
  CardWindows<DsLink> windows_;
  std::uint64_t commands_ = 0;
  std::vector<net::Task<>> units_;  ///< coroutines that run as long as the card exists
};

}  // namespace sanvp::nic::ds_link
