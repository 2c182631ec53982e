/// The barrier interface: gates that combine signals and forward them from node to node, without any processor (see
/// struct tofu_gate). The library chooses the topology, a tree or a butterfly.
#pragma once

#include <set>
#include <vector>

#include "models/nic/tofu/responder.hpp"

namespace sanvp::nic::tofu {

class Barrier {
 public:
  struct Rules {
    Time process{0};
    static Rules read(const Parameters& parameters);
  };

  Barrier(const Rules& rules, Shared& shared)
      : rules_(rules), shared_(shared), come_(shared.clock), leave_(shared.clock) {}

  void set_table(std::uint64_t address) { table_ = address; }
  std::uint64_t table() const { return table_; }
  void load(std::uint32_t number, Time at);

  /// Called when software enters the barrier that starts at this gate.
  void start(std::uint32_t gate) { come_.push({gate, Source::start, shared_.clock.now()}); }
  /// Called for a signal from another node.
  void signal(std::uint32_t gate) { come_.push({gate, Source::remote, shared_.clock.now()}); }

  /// Called when a signal to that node was lost.
  void lost(std::uint32_t node) { unreachable_.insert(node); }
  /// Nodes that signals did not reach.
  const std::set<std::uint32_t>& unreachable() const { return unreachable_; }

  net::Task<> run();
  net::Task<> run_sender();
  bool busy() const { return !come_.empty() || !leave_.empty(); }

 private:
  enum class Source : std::uint8_t { local, remote, start };
  struct Signal {
    std::uint32_t gate;
    Source source;
    Time at;
  };
  struct Gate {
    tofu_gate wired{};
    std::uint32_t local = 0, remote = 0;  ///< received, unused signals
    std::uint32_t done = 0;
    bool is_wired() const { return (wired.flags & TOFU_GATE_IN_USE) != 0; }
  };

  Gate& gate(std::uint32_t number) {
    gates_.resize(TOFU_GATES);
    return gates_[number];
  }
  bool combine(Gate& gate);
  void take(Gate& gate, Source source);
  void pass_on(const tofu_gate& wired);

  Rules rules_;
  Shared& shared_;
  std::uint64_t table_ = 0;
  std::vector<Gate> gates_;  ///< empty until the first use: most cards never need them
  std::set<std::uint32_t> unreachable_;
  net::Mailbox<Signal> come_;
  net::Mailbox<tofu_gate> leave_;
};

}  // namespace sanvp::nic::tofu
