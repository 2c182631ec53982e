#include "models/nic/tofu/barrier.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::tofu {

Barrier::Rules Barrier::Rules::read(const Parameters& parameters) {
  return {.process = parameters.time("process", 50ns, "from a signal until its gate has forwarded it", "assumed")};
}

void Barrier::load(std::uint32_t number, Time at) {
  if (number >= TOFU_GATES) return;
  Gate& known = gate(number);
  shared_.memory.load(table_ + number * sizeof(tofu_gate), known.wired, at);
  known.done = 0;
  if (!known.is_wired()) known.local = known.remote = 0;
  while (known.is_wired() && combine(known)) continue;
}

net::Task<> Barrier::run() {
  for (;;) {
    const Signal signal = co_await come_.pop();
    co_await shared_.clock.until(signal.at + rules_.process);
    shared_.counters.count(Counter::signals);
    if (signal.gate < TOFU_GATES) take(gate(signal.gate), signal.source);
    shared_.tracks.slice(Unit::barrier, signal.source == Source::start ? "start" : "signal", signal.at,
                         shared_.clock.now(), {{"gate", signal.gate}});
  }
}

void Barrier::take(Gate& gate, Source source) {
  if (source == Source::start) return pass_on(gate.wired);
  ++(source == Source::local ? gate.local : gate.remote);
  if (gate.is_wired()) combine(gate);
}

/// Consumes one signal of each source, if all are there. @return whether they were
bool Barrier::combine(Gate& gate) {
  const std::uint32_t by_local = (gate.wired.flags & TOFU_GATE_LOCAL_SOURCE) != 0 ? 1 : 0;
  const std::uint32_t by_remote = (gate.wired.flags & TOFU_GATE_REMOTE_SOURCE) != 0 ? 1 : 0;
  if (by_local + by_remote == 0 || gate.local < by_local || gate.remote < by_remote) return false;
  gate.local -= by_local;
  gate.remote -= by_remote;
  if (gate.wired.done == 0) {
    pass_on(gate.wired);
    return true;
  }
  ++gate.done;
  shared_.counters.count(Counter::barriers);
  shared_.memory.write(gate.wired.done, std::as_bytes(std::span{&gate.done, 1}), shared_.clock.now(),
                       shared_.tracks.point(Unit::barrier, shared_.clock.now()));
  return true;
}

void Barrier::pass_on(const tofu_gate& wired) {
  if ((wired.flags & TOFU_GATE_LOCAL_DESTINATION) != 0)
    come_.push({wired.local_gate, Source::local, shared_.clock.now()});
  if ((wired.flags & TOFU_GATE_REMOTE_DESTINATION) != 0) leave_.push(wired);
}

net::Task<> Barrier::run_sender() {
  for (;;) {
    const tofu_gate wired = co_await leave_.pop();
    Header header;
    header.kind = Header::Kind::signal;
    header.from.node = static_cast<std::uint32_t>(shared_.link.node());
    header.from.tni = static_cast<std::uint8_t>(Link::barrier);
    header.to.node = wired.remote_node;
    header.path = static_cast<std::uint8_t>(wired.path);
    header.length = wired.remote_gate;
    co_await shared_.link.place(Link::barrier);
    shared_.link.send(encode(header, 0), shared_.clock.now());
  }
}

}  // namespace sanvp::nic::tofu
