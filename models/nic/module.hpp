/// A NIC between its host's I/O bus and the network, as a SystemC module: what `sanvp run` puts into each node.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <tlm>
#include <utility>
#include <vector>

#include "models/net/socket.hpp"
#include "models/net/task.hpp"
#include "models/net/timeline.hpp"
#include "models/nic/card/queues.hpp"
#include "models/nic/card/registers.hpp"
#include "models/nic/nic_network.hpp"
#include "platform/core/results.hpp"
#include "platform/core/trace.hpp"
#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::nic {

/// The interrupt wire from a card to a host that runs on the timeline. Level-triggered: it keeps its level. As in
/// TLM-2.0, the call may be ahead of the kernel by `delay`.
class InterruptLine : public virtual sc_core::sc_interface {
 public:
  virtual void set(bool raised, const sc_core::sc_time& delay) = 0;
};

class NicModule : public sc_core::sc_module {
 public:
  /// Registers and memory that the host accesses. Address: window << 32 | offset. The delay contains the transfer's
  /// time on the bus; the card adds its own.
  tlm::tlm_target_socket<64> registers{"registers"};
  /// The card as a bus master, for the node's memory. The timeline may call the target ahead of the kernel. The delay
  /// that it returns is the end of the transfer. A target that calls wait() needs a WaitingBus between
  /// (card/waiting_bus.hpp).
  tlm::tlm_initiator_socket<64> bus{"bus"};
  net::NetworkInitiatorSocket network{"network"};
  /// The interrupt as a signal: active high, level-triggered, at the kernel's time. It may stay unbound.
  sc_core::sc_port<sc_core::sc_signal_inout_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> interrupt{"interrupt"};
  /// The same as calls, which may be ahead of the kernel and cost it nothing. It may stay unbound, too.
  sc_core::sc_port<InterruptLine, 1, sc_core::SC_ZERO_OR_MORE_BOUND> interrupt_line{"interrupt_line"};

  /// All network sockets of the card: one for each of its hosts in the network, in order (NicModel::ports).
  virtual std::vector<net::NetworkInitiatorSocket*> ports() { return {&network}; }
  /// Bytes of each window (base address register) of `registers`, in order.
  virtual std::vector<std::uint64_t> windows() const = 0;
  /// Loads a program for the card's own processor. @return its number, or -1 if there is no such file
  virtual int load_firmware(const std::string& /*name*/) { return -1; }
  /// Why a program of that processor was last stopped, if it did something illegal.
  virtual std::string firmware_complaint() const { return {}; }
  /// Unfinished work of the card as text, for the message about a run that hangs.
  virtual std::string busy() const { return {}; }
  /// A counter of progress for software: data that arrive, transfers that start. Retries and polling do not count.
  virtual std::uint64_t work() const { return 0; }
  /// Whether a bounded retry is pending: it ends with success or with an error for software, so waiting for it is no
  /// deadlock.
  virtual bool tries_again() const { return false; }
  /// Whether software of this card can load routes during a run.
  virtual bool follows_routes() const { return true; }
  /// Called when the routes of NicContext::routing have changed.
  virtual void routes_changed() {}
  /// The link that ends at the card has another time of a flit from now on (NicContext::flit_time).
  virtual void link_changed(Time /*flit_time*/) {}
  /// Packets that it has retransmitted so far, if it counts them.
  virtual std::optional<std::uint64_t> resent() const { return {}; }
  /// Packets with an undetected bit error so far: their bytes have reached programs.
  virtual std::uint64_t damaged() const { return 0; }
  virtual void report(StatisticsTable&) const {}
  /// What waits in the card, queue by queue; looking changes nothing.
  virtual std::vector<CardQueue> queues() const { return {}; }
  /// The card's registers with their present values; reading them changes nothing.
  virtual std::vector<RegisterValue> inspect() const { return {}; }

 protected:
  explicit NicModule(const sc_core::sc_module_name& name) : sc_module(name) {}

  /// Sets the level of the interrupt, `delay` from now.
  void set_interrupt(bool raised, const sc_core::sc_time& delay);
  /// A card that overrides it calls this one.
  void end_of_elaboration() override;

 private:
  void drive_signal();

  std::deque<std::pair<Time, bool>> levels_;  ///< of the signal, that are still to come, in order of time
  sc_core::sc_event level_due_{"level_due"};
};

/// The requirements of a run's jobs on the cards.
struct NicLoad {
  int processes = 1;  ///< of the node that has the most
  int ranks = 1;      ///< processes of the largest job
};

/// What a NIC needs for construction: where it sits, the network and its routes, and the timeline. All that is referred
/// to must outlive it.
struct NicContext {
  int host = 0;  ///< its number in the network; with several ports, that of the first
  const topologies::Graph& graph;
  const topologies::Graph* working_graph = nullptr;  ///< without what has failed; null: nothing has
  const topologies::Routing& routing;                ///< the routes in force, which may change during a run
  net::Timeline& timeline;
  Time flit_time{0};              ///< of the link that ends at the card
  std::string firmware_folder{};  ///< shared objects NAME.so, for a card with a processor
  std::uint64_t seed = 1;
  NicLoad load{};
  Trace* trace = nullptr;            ///< null: no trace
  net::StepRunner* steps = nullptr;  ///< the WaitingBus of a card whose memory calls wait(); null: it never does

  NicNetwork network() const { return {graph, working(), routing}; }
  const topologies::Graph& working() const { return working_graph != nullptr ? *working_graph : graph; }
  /// For the card's units.
  net::Clock clock() const { return {timeline.queue(), static_cast<std::uint32_t>(host), net::Clock::units, steps}; }
};

}  // namespace sanvp::nic
