/// A NIC between its host's I/O bus and the network, as a SystemC module: what `sanvp run` puts into each node.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tlm>
#include <vector>

#include "models/net/fabric.hpp"
#include "platform/core/results.hpp"
#include "platform/core/trace.hpp"
#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::nic {

/// The wire from a card to its host. Level-triggered: it stays as it was set. As in TLM-2.0, the call may be ahead of
/// the kernel by `delay`.
class InterruptLine : public virtual sc_core::sc_interface {
 public:
  virtual void set(bool raised, const sc_core::sc_time& delay) = 0;
};

class NicModule : public sc_core::sc_module {
 public:
  /// What the host reads and writes. Address: window << 32 | offset. The bus has spent the transfer's time already;
  /// what the card itself adds is added to the delay.
  tlm::tlm_target_socket<64> registers{"registers"};
  /// The card as a bus master, for the node's memory. The target must not wait (it may be called by the timeline, ahead
  /// of the kernel): the delay it returns is when the transfer is over.
  tlm::tlm_initiator_socket<64> bus{"bus"};
  net::NetworkInitiatorSocket network{"network"};
  sc_core::sc_port<InterruptLine, 1, sc_core::SC_ZERO_OR_MORE_BOUND> interrupt{"interrupt"};

  /// Where the card has several: one for each of its hosts in the network, in order (NicModel::ports).
  virtual std::vector<net::NetworkInitiatorSocket*> ports() { return {&network}; }
  /// Bytes of each window (base address register) of `registers`, in order.
  virtual std::vector<std::uint64_t> windows() const = 0;
  /// Makes a program for the card's own processor known. @return its number, or -1 where there is no such file
  virtual int load_firmware(const std::string& /*name*/) { return -1; }
  /// What a program of that processor did that it must not, when it was stopped for that the last time.
  virtual std::string firmware_complaint() const { return {}; }
  /// What is under way and keeps the card from being idle, in words, for the message about a run that hangs.
  virtual std::string busy() const { return {}; }
  /// Grows with all that is done for software: data that arrive, transfers begun. Not with what is in vain: what
  /// is sent again and again, a program that asks whether something has come.
  virtual std::uint64_t work() const { return 0; }
  /// Whether something will be tried again that is so a limited number of times or for a limited time, after which
  /// software is told: who waits for that does not wait in vain.
  virtual bool tries_again() const { return false; }
  /// Whether software of this card can load routes during a run.
  virtual bool follows_routes() const { return true; }
  /// NicContext::routing has others than before.
  virtual void routes_changed() {}
  /// Packets that it has sent again so far, where it counts them.
  virtual std::optional<std::uint64_t> resent() const { return {}; }
  /// Packets with a bit error that were taken for good ones so far: their bytes have reached programs.
  virtual std::uint64_t damaged() const { return 0; }
  virtual void report(StatisticsTable&) const {}

 protected:
  explicit NicModule(const sc_core::sc_module_name& name) : sc_module(name) {}
};

/// What a NIC needs to know to be built. Everything outlives it.
struct NicContext {
  int host = 0;  ///< in the network; of several ports the first
  const topologies::Graph& graph;
  const topologies::Graph& working_graph;  ///< without what has failed
  const topologies::Routing& routing;      ///< the routes in force, which may change during a run
  net::Timeline& timeline;
  Time flit_time{0};            ///< of the link that ends at the card
  std::string firmware_folder;  ///< shared objects NAME.so
  std::uint64_t seed = 1;
  Trace* trace = nullptr;  ///< null: no trace
};

}  // namespace sanvp::nic
