/// How long code computes until it yields, and until the next look at what its loops touch.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "models/host/cpu.hpp"
#include "models/host/node.hpp"
#include "models/host/software.hpp"

namespace sanvp::host {
namespace {

// Looks at the addresses of loops. So many cycles walk through some 8 to 16 KB; rarer ones know less of what loops have
// touched that begin again or are left. While memory moves, looks must be nearer to each other than what is prefetched.
constexpr double least_cycles_between_looks = 4096, moving_cycles_between_looks = 16384,
                 most_cycles_between_looks = 131072;
constexpr int least_share_of_waits = 32;  // smaller ones do not matter

}  // namespace

Time Software::settle(Cpu& at) {
  const Time spent = take_spent();
  compute(at, spent);
  stall(at);
  if (!profile_.is_in_call()) unlooked_ += spent;
  return spent;
}

Cpu& Software::settled_cpu() {
  Cpu& at = cpu();
  if (*spent_ <= base_) return at;  // below base_: hal_untimed_begin
  settle(at);
  silent_ = Time{0};
  gave_way_at_ = nullptr;
  allow(at.quantum_left());
  return at;
}

/// Code that reads clocks or sleeps between polls of memory must yield at some point, or progress hooks of libraries
/// (hal_while_computing) would never run: these calls consume the quantum.
Cpu& Software::looking_cpu(Time span) {
  Cpu& at = cpu();
  if (base_ == std::numeric_limits<std::int64_t>::min()) return settled_cpu();  // its first call
  if (*spent_ < base_) return at;                                               // hal_untimed_begin
  const Time spent = settle(at);
  used_ = std::min(quantum_, used_ + spent + std::min(span, quantum_));
  go_on();
  return at;
}

Time Software::take_spent() { return Time{*spent_ - std::exchange(base_, *spent_)}; }

void Software::allow(Time quantum) {
  quantum_ = quantum;
  used_ = Time{0};
  go_on();
}

/// Until its quantum ends, or until the next look at its loops.
void Software::go_on() {
  Time span = quantum_ - used_;
  if (loops_ != nullptr) span = std::min(span, until_look_ - unlooked_);
  *spent_ = base_ = -std::max<std::int64_t>(span.count(), 1);
}

bool Software::has_used_quantum(Time span) {
  used_ += span;
  silent_ += span;
  if (used_ >= quantum_) return true;
  go_on();
  return false;
}

void Software::has_looked(const MemoryTraffic::Looked& looked, Time span) {
  const auto cycles = [&](double number) { return Time{std::llround(number * node_.settings().cpu.costs.cycle_ps)}; };
  const Time least = cycles(least_cycles_between_looks), share = span / least_share_of_waits;
  const Time most = cycles(looked.waits > share ? moving_cycles_between_looks : most_cycles_between_looks);
  if (until_look_ == never) until_look_ = least;
  if (looked.has_jumped) return;
  until_look_ = std::clamp(looked.guessed > share ? until_look_ / 2 : until_look_ * 2, least, most);
}

void Software::account(Time span) {
  worked_ += span;
  if (!profile_.is_in_call()) {
    computed_ += span;
    own_->computed += span;
  }
}

/// For what its loops have touched.
void Software::stall(Cpu& at) {
  const Time span = at.stall();
  if (span == Time{0}) return;
  stalls(span);
  compute(at, span);
}

void Software::compute(Cpu& at, Time span) {
  account(span);
  const int thread = profile_.selected();
  at.spend(span);
  select_thread(thread);  // others may have run meanwhile
}

/// Code that computes for long yields less and less often: if it polls memory without any call, it sees a store late by
/// at most a 32nd of the time that it has polled.
void Software::give_way(Cpu& cpu, Time span, bool is_program) {
  constexpr int share = 32;
  silent_ += span;
  cpu.give_way();
  const Time quantum = node_.settings().quantum;
  allow(std::clamp(silent_ / share, quantum, most_quanta * quantum));
  if (is_program) looked_at_ = cpu.now();
}

}  // namespace sanvp::host
