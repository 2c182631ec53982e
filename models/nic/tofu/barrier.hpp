/// The barrier interface: gates that combine signals and pass them on, from node to node, without any processor (see
/// struct tofu_gate). What they are wired to, a tree or a butterfly, is the library's choice.
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

  /// Software has come to the barrier that begins at this gate.
  void start(std::uint32_t gate) { come_.push({gate, Source::start, shared_.clock.now()}); }
  /// A signal from another node.
  void signal(std::uint32_t gate) { come_.push({gate, Source::remote, shared_.clock.now()}); }

  /// A signal was lost on its way there.
  void lost(std::uint32_t node) { unreachable_.insert(node); }
  /// Nodes that signals did not get to.
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
    std::uint32_t local = 0, remote = 0;  ///< signals that it has had and not used
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
  std::vector<Gate> gates_;  ///< none before the first is used: most cards of a machine need no memory for them
  std::set<std::uint32_t> unreachable_;
  net::Mailbox<Signal> come_;
  net::Mailbox<tofu_gate> leave_;
};

}  // namespace sanvp::nic::tofu
