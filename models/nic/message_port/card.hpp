/// A card that transfers messages between processes: it contains and connects the units below.
///
///       host's bus                                           link
///   host ── windows ─┬── sender ──────────────────────┬── network
///                    └── receiver ◄───────────────────┘
///   host memory ◄─ bus ─┴── both       processor: one for both
#pragma once

#include "models/nic/card/card_windows.hpp"
#include "models/nic/message_port/protection.hpp"
#include "models/nic/message_port/receiver.hpp"
#include "models/nic/module.hpp"
#include "models/nic/part.hpp"

namespace sanvp::nic::message_port {

/// The parameters of a card from section [nic].
struct CardRules {
  std::string card;  ///< name of the NIC part
  Sender::Rules send;
  Receiver::Rules receive;
  Protection::Rules protection{};
  /// The CPU's part of a message's set-up, which the library spends.
  Time send_setup{0}, receive_setup{0};
};

class Card : public NicModule, private net::NetworkBackward {
 public:
  Card(const sc_core::sc_module_name& name, const CardRules& rules, const PacketFormat& format,
       std::unique_ptr<RouteSelection> selection, const NicContext& context);

  /// All that software sees of the card.
  static const RegisterMap<Card>& register_map();

  std::vector<std::uint64_t> windows() const override { return windows_.sizes(); }
  std::vector<RegisterValue> inspect() const override { return windows_.inspect(); }
  std::string busy() const override;
  std::vector<CardQueue> queues() const override;
  std::uint64_t work() const override;
  bool tries_again() const override { return protection_.waits(); }
  std::uint64_t damaged() const override { return static_cast<std::uint64_t>(counters_.corrupt_taken); }
  void report(StatisticsTable& table) const override;

 private:
  void obey(const Order& order);
  void take(const Payload& packet);
  void complain(const message_complaint& complaint);
  void raise(bool level);
  void start_of_simulation() override;

  // NetworkBackward
  void injected(net::Packet& packet, const sc_core::sc_time&) override { sender_.injected(packet); }
  void acknowledged(net::Packet&, const sc_core::sc_time&) override {}
  void sent(net::Packet& packet, const sc_core::sc_time&) override { sender_.sent(packet); }
  void lost(net::Packet& packet, const sc_core::sc_time&) override { sender_.lost(packet); }
  void delivered(net::Packet& packet, const sc_core::sc_time&) override;

  net::Clock clock_;
  Counters counters_;
  Tracks tracks_;
  Processor processor_;
  BusMaster bus_master_;
  Sender sender_;
  Protection protection_;
  Receiver receiver_;
  message_position position_;
  message_complaint complaint_{};  ///< cause 0: none
  CardWindows<Card> windows_;
  std::vector<net::Task<>> units_;  ///< coroutines that run as long as the card exists
};

/// Adds such a card to a NIC's network side. Throws UserError if the section enables circuits, which these networks do
/// not have.
NicModel with_card(NicModel network_side, const Parameters& parameters, const CardRules& rules);

}  // namespace sanvp::nic::message_port
