#include "models/host/cpu.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "models/net/late_data.hpp"
#include "models/net/module.hpp"
#include "models/net/transfer_cause.hpp"

namespace sanvp::host {

namespace {

constexpr const char* asleep = "the end of its sleep";

Time load_time(const CpuSettings& cpu) { return Time{std::llround(cpu.costs.cycle_ps * cpu.load_cycles)}; }

}  // namespace

using net::to_sc_time;
using net::to_time;

Cpu::Cpu(const sc_core::sc_module_name& name, const Settings& settings, Memory& memory, MemoryChannel& channel,
         net::RunQueue& run_queue, Trace* trace, int node)
    : sc_module(name),
      settings_(settings),
      memory_(memory),
      run_queue_(run_queue),
      written_(run_queue),
      trace_(trace),
      traffic_(channel, settings.cpu.caches, settings.cpu.memory_Bps, load_time(settings.cpu)) {
  if (trace_ != nullptr) track_ = trace_->track("node " + std::to_string(node), basename());
}

void Cpu::reprice() { traffic_.adopt_times(settings_.cpu.caches, load_time(settings_.cpu)); }

Time Cpu::now() const {
  const Time ahead = ahead_ + stolen_;
  return noise_.empty() || ahead <= Time{0} ? run_queue_.now() + ahead : noise_.end_of(run_queue_.now(), ahead);
}

void Cpu::spend(Time span) {
  ahead_ += span;
  if (ahead_ >= settings_.quantum) synchronise();
}

void Cpu::synchronise() {
  ahead_ += std::exchange(stolen_, Time{0});
  const Time span = std::exchange(ahead_, Time{0});
  if (span > Time{0}) work(span);
}

bool Cpu::catch_up() {
  const Time before = run_queue_.now();
  synchronise();
  return run_queue_.now() > before;
}

void Cpu::give_way() {
  ahead_ += std::exchange(stolen_, Time{0});
  if (ahead_ > Time{0}) work(std::exchange(ahead_, Time{0}));
  const Time noticed = memory_.all_noticed(&written_);
  if (noticed <= run_queue_.now()) return;
  ahead_ -= noticed - run_queue_.now();
  thread_->wait(noticed - run_queue_.now());
}

/// Occupies the CPU for `span`, plus what daemons take meanwhile; at the end of a time slice other ranks get it.
void Cpu::work(Time span) {
  const Time begin = run_queue_.now();
  const Time end = noise_.empty() ? begin + span : noise_.end_of(begin, span);
  disturbed_ += end - begin - span;
  thread_->wait(end - begin);
  if (queue_ == nullptr) return;
  turn_.used += end - begin;
  if (turn_.used < queue_->slice() || !queue_->is_waited_for()) return;
  queue_->release(turn_, run_queue_.now());
  begin_work();
}

void Cpu::begin_work() {
  if (queue_ == nullptr) return;
  queue_->ask(turn_);
  if (turn_.has_cpu) return;
  idle_since_ = run_queue_.now();
  const bool was_waiting = waiting_.has_value();
  begin_waiting("a CPU of its node", never);
  while (!turn_.has_cpu) thread_->wait(turn_.granted);
  if (!was_waiting) end_waiting();
  slept_ += end_idle_time();
  thread_->wait(settings_.context_switch);
}

void Cpu::end_work() {
  if (queue_ != nullptr && turn_.has_cpu) queue_->release(turn_, run_queue_.now());
}

Time Cpu::end_idle_time() { return run_queue_.now() - std::exchange(idle_since_, never); }

void Cpu::withdraw() {
  if (queue_ != nullptr) queue_->withdraw(turn_, run_queue_.now());
}

void Cpu::begin_idle() { end_work(); }

void Cpu::end_idle() {
  begin_work();
  if (noise_.empty()) return;
  const Time free = noise_.end_of(run_queue_.now(), Time{0});
  if (free == run_queue_.now()) return;
  disturbed_ += free - run_queue_.now();
  thread_->wait(free - run_queue_.now());
}

/// Releases the CPU to other ranks of the node until `pause` returns.
template <class Pause>
void Cpu::let_others_run(const char* what, Time until, Pause pause) {
  begin_waiting(what, until);
  idle_since_ = run_queue_.now();
  begin_idle();
  pause();
  slept_ += end_idle_time();
  end_idle();
  end_waiting();
}

void Cpu::sleep(Time span) {
  synchronise();
  let_others_run(asleep, run_queue_.after(span), [&] { thread_->wait(span); });
}

void Cpu::wait_for(native::Condition& condition) {
  if (catch_up()) return;
  thread_->wait(condition);
}

void Cpu::wait_idle(native::Condition& condition, const char* what, Time until) {
  if (catch_up()) return;
  let_others_run(what, until, [&] {
    if (until == never)
      thread_->wait(condition);
    else if (until > run_queue_.now())
      thread_->wait(until - run_queue_.now(), condition);
  });
}

/// The delay annotation of transfers, since the timeline runs ahead of the SystemC kernel.
sc_core::sc_time Cpu::since_kernel() const { return to_sc_time(run_queue_.now() - net::kernel_now()); }

tlm::tlm_response_status Cpu::transport(tlm::tlm_command command, std::uint64_t address, void* data, std::size_t bytes,
                                        sc_core::sc_time& delay, const std::optional<Trace::Point>& cause) {
  const net::WithCause with_cause(transfer_, cause);
  const net::WithAnswer with_answer(transfer_, answer_);
  transfer_.set_command(command);
  transfer_.set_address(address);
  transfer_.set_data_ptr(static_cast<unsigned char*>(data));
  transfer_.set_data_length(static_cast<unsigned>(bytes));
  transfer_.set_streaming_width(static_cast<unsigned>(bytes));
  transfer_.set_byte_enable_ptr(nullptr);
  transfer_.set_dmi_allowed(false);
  transfer_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  to_bus_->b_transport(transfer_, delay);
  return transfer_.get_response_status();
}

bool Cpu::read(std::uint64_t address, void* to, std::size_t bytes) {
  synchronise();
  sc_core::sc_time delay = since_kernel();
  net::LateData late;
  const auto response = [&] {
    const net::WithLateData with_late(transfer_, late);
    return transport(tlm::TLM_READ_COMMAND, address, to, bytes, delay);
  }();
  ahead_ += net::kernel_now() + to_time(delay) - run_queue_.now();
  synchronise();
  if (late.bytes) std::memcpy(to, late.bytes->data(), bytes);
  return response == tlm::TLM_OK_RESPONSE;
}

bool Cpu::write(std::uint64_t address, const void* from, std::size_t bytes) {
  synchronise();
  std::erase_if(posted_, [now = run_queue_.now()](Time arrival) { return arrival <= now; });
  if (posted_.size() == static_cast<std::size_t>(settings_.pci.posted_writes)) {
    ahead_ += posted_.front() - run_queue_.now();
    posted_.erase(posted_.begin());
    synchronise();
  }
  sc_core::sc_time delay = since_kernel();
  const Time begin = now();
  std::optional<Trace::Point> cause;
  if (track_) cause = {*track_, begin};
  const auto response = transport(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(from), bytes, delay, cause);
  if (track_) draw_store(begin, bytes);
  posted_.push_back(net::kernel_now() + to_time(delay));
  ahead_ += settings_.store;
  return response == tlm::TLM_OK_RESPONSE;
}

void Cpu::draw_store(Time begin, std::size_t bytes) {
  const Time end = begin + settings_.store;
  if (!trace_->wants(begin, end)) return;
  std::string name = "store";
  if (!answer_.target.empty()) name.append(" to ").append(answer_.target);
  trace_->slice(*track_, name, begin, end, {{"bytes", static_cast<std::int64_t>(bytes)}});
}

void Cpu::limit_waits(Time told, Time timeout, bool wakes) {
  told_ = told;
  timeout_ = timeout;
  if (wakes)
    interrupt_wait();
  else
    written_.notify(run_queue_.now());
}

void Cpu::interrupt_wait() {
  wakes_ = waiting_.has_value();
  written_.notify(run_queue_.now());
}

Time Cpu::change_noticed(const volatile std::uint32_t* const* words, const std::uint32_t* seen, int count) const {
  Time noticed = never;
  for (int i = 0; i < count; ++i)
    if (*words[i] != seen[i]) noticed = std::min(noticed, memory_.noticed(words[i], sizeof *words[i], &written_));
  return noticed;
}

bool Cpu::wait_words(const volatile std::uint32_t* const* words, const std::uint32_t* seen, int count, Time until) {
  synchronise();
  const Time since = run_queue_.now();
  const Memory::Watch watch(memory_, {words, static_cast<std::size_t>(count)}, written_);
  bool idle = false;
  for (;;) {
    const Time noticed = change_noticed(words, seen, count);
    if (noticed <= run_queue_.now()) break;
    const Time limit = std::min({noticed, until, timeout_of(since)});
    if (run_queue_.now() >= limit || (idle && std::exchange(wakes_, false))) break;
    begin_waiting("memory to be written", until);
    if (!std::exchange(idle, true)) {
      idle_since_ = run_queue_.now();
      begin_idle();
    }
    if (limit == never)
      thread_->wait(written_);
    else
      thread_->wait(limit - run_queue_.now(), written_);
    synchronise();  // an interrupt may have used the CPU
  }
  if (idle) waited_ += end_idle_time();
  if (idle) end_idle();
  if (waiting_ && track_) draw_wait(words, seen, count);
  end_waiting();
  for (int i = 0; i < count; ++i)
    if (*words[i] != seen[i]) return true;
  return false;
}

std::uint64_t Cpu::Observed::now() const {
  std::uint64_t value = 0;
  std::memcpy(&value, const_cast<const void*>(at), bytes);
  return value;
}

void Cpu::spin(std::span<const Observed> observed, Time since, Time until) {
  synchronise();
  constexpr int share = 32;  // a store that is not reported is seen late by at most this fraction of the wait
  const Time begin = run_queue_.now();
  const Time again = run_queue_.after(std::max(settings_.quantum, (begin - since) / share));
  const Time end = std::min(until, queue_ == nullptr ? again : std::min(again, run_queue_.after(queue_->slice())));
  const Memory::Watch watch(memory_, observed, written_);
  waiting_ = Wait{"memory to be written", since, never};
  idle_since_ = begin;
  for (;;) {
    Time noticed = end;
    for (const Observed& one : observed)
      if (one.now() != one.seen) noticed = std::min(noticed, memory_.noticed(one.at, one.bytes, &written_));
    if (noticed <= run_queue_.now()) break;
    thread_->wait(noticed - run_queue_.now(), written_);
    if (stolen_ > Time{0}) synchronise();
  }
  const Time span = end_idle_time();
  waited_ += span;
  if (track_ && trace_->wants(begin, run_queue_.now())) trace_->slice(*track_, "spin", begin, run_queue_.now());
  waiting_.reset();
  last_wait_begin_ = begin;
  last_wait_end_ = run_queue_.now();
  if (queue_ == nullptr) return;
  turn_.used += span;  // it has kept its CPU while polling
  work(Time{0});
}

/// Draws the wait, with an arrow from the store that ended it.
void Cpu::draw_wait(const volatile std::uint32_t* const* words, const std::uint32_t* seen, int count) {
  if (!trace_->wants(waiting_->since, run_queue_.now())) return;
  trace_->slice(*track_, "wait", waiting_->since, run_queue_.now());
  for (int i = 0; i < count; ++i) {
    if (*words[i] == seen[i]) continue;
    if (const auto cause = memory_.cause(words[i], sizeof *words[i])) {
      trace_->arrow(*cause, {*track_, run_queue_.now() - Time{1}});
      return;
    }
  }
}

void Cpu::stored(const volatile void* pointer, std::size_t bytes) {
  memory_.stored(pointer, bytes, std::max(now(), run_queue_.now()), &written_);
}

void Cpu::begin_waiting(const char* what, Time until) {
  if (waiting_) return;
  waiting_ = Wait{what, run_queue_.now(), until};
}

bool Cpu::sleeps_past_end() const { return waiting_ && waiting_->what == asleep && waiting_->until == never; }

std::optional<Cpu::Waiting> Cpu::waiting() const {
  if (!waiting_) return {};
  const std::string call = slices_.empty() ? "" : "in " + slices_.back().name() + ", ";
  return Waiting{call + "for " + waiting_->what, waiting_->since, waiting_->until};
}

void Cpu::end_waiting() {
  if (!waiting_) return;
  last_wait_begin_ = waiting_->since;
  last_wait_end_ = run_queue_.now();
  waiting_.reset();
}

void Cpu::preempt(Time begin, Time end) {
  const auto common = [&](Time from, Time to) { return std::max(Time{0}, std::min(end, to) - std::max(begin, from)); };
  const Time waited = common(last_wait_begin_, last_wait_end_) + (waiting_ ? common(waiting_->since, never) : Time{0});
  steal(end - begin - waited);
}

void Cpu::end_slice() {
  if (slices_.empty()) return;
  if (track_) trace_->slice(*track_, slices_.back().name(), slices_.back().begin, now());
  slices_.pop_back();
}

std::vector<Cpu::Slice> Cpu::leave_slices(Time end) {
  for (auto slice = slices_.rbegin(); slice != slices_.rend(); ++slice)
    if (track_ && slice->begin <= end) trace_->slice(*track_, slice->name(), slice->begin, end);
  return std::exchange(slices_, {});
}

void Cpu::continue_slices(std::vector<Slice> slices) {
  for (Slice& slice : slices) {
    slice.begin = now();
    slices_.push_back(std::move(slice));
  }
}

}  // namespace sanvp::host
