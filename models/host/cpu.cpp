#include "models/host/cpu.hpp"

#include <algorithm>
#include <utility>

#include "models/net/module.hpp"
#include "models/net/transfer_cause.hpp"

namespace sanvp::host {

using net::to_sc_time;
using net::to_time;

Cpu::Cpu(const sc_core::sc_module_name& name, const Settings& settings, Memory& memory, net::Agenda& agenda,
         Trace* trace, int node)
    : sc_module(name), settings_(settings), memory_(memory), agenda_(agenda), written_(agenda), trace_(trace) {
  if (trace_ != nullptr) track_ = trace_->track("node " + std::to_string(node), basename());
}

Time Cpu::now() const { return agenda_.now() + ahead_; }

void Cpu::spend(Time span) {
  ahead_ += span;
  if (ahead_ >= settings_.quantum) synchronise();
}

void Cpu::synchronise() {
  ahead_ += std::exchange(stolen_, Time{0});
  if (ahead_ > Time{0}) thread_->wait(std::exchange(ahead_, Time{0}));
}

void Cpu::sleep(Time span) {
  synchronise();
  begin_waiting("a sleep", agenda_.after(span));
  thread_->wait(span);
  end_waiting();
}

void Cpu::wait_for(native::Wakeup& wakeup) {
  synchronise();
  thread_->wait(wakeup);
}

/// The delay of transfers: a timeline is ahead of the kernel.
sc_core::sc_time Cpu::since_kernel() const { return to_sc_time(agenda_.now() - net::kernel_now()); }

tlm::tlm_response_status Cpu::transport(tlm::tlm_command command, std::uint64_t address, void* data, std::size_t bytes,
                                        sc_core::sc_time& delay, const std::optional<Trace::Point>& cause) {
  const net::WithCause with_cause(transfer_, cause);
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
  const auto response = transport(tlm::TLM_READ_COMMAND, address, to, bytes, delay);
  ahead_ += net::kernel_now() + to_time(delay) - agenda_.now();
  synchronise();
  return response == tlm::TLM_OK_RESPONSE;
}

bool Cpu::write(std::uint64_t address, const void* from, std::size_t bytes) {
  synchronise();
  std::erase_if(posted_, [now = agenda_.now()](Time arrival) { return arrival <= now; });
  if (posted_.size() == static_cast<std::size_t>(settings_.pci.posted_writes)) {
    ahead_ += posted_.front() - agenda_.now();
    posted_.erase(posted_.begin());
    synchronise();
  }
  sc_core::sc_time delay = since_kernel();
  std::optional<Trace::Point> cause;
  if (track_) {
    cause = {*track_, now()};
    trace_->slice(*track_, "store", now(), now() + settings_.store, {{"bytes", static_cast<std::int64_t>(bytes)}});
  }
  const auto response = transport(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(from), bytes, delay, cause);
  posted_.push_back(net::kernel_now() + to_time(delay));
  ahead_ += settings_.store;
  return response == tlm::TLM_OK_RESPONSE;
}

bool Cpu::wait_words(const volatile std::uint32_t* const* words, const std::uint32_t* seen, int count, Time until) {
  synchronise();
  const Memory::Watch watch(memory_, {words, static_cast<std::size_t>(count)}, written_);
  for (;;) {
    Time noticed = never;
    for (int i = 0; i < count; ++i)
      if (*words[i] != seen[i]) noticed = std::min(noticed, memory_.noticed(words[i], sizeof *words[i], &written_));
    if (noticed <= agenda_.now()) break;
    const Time limit = std::min(noticed, until);
    if (agenda_.now() >= limit) break;
    begin_waiting("memory to be written", until);
    if (limit == never)
      thread_->wait(written_);
    else
      thread_->wait(limit - agenda_.now(), written_);
    synchronise();  // an interrupt may have had the CPU
  }
  if (waiting_) waited_ += agenda_.now() - waiting_->since;
  if (waiting_ && track_) draw_wait(words, seen, count);
  end_waiting();
  for (int i = 0; i < count; ++i)
    if (*words[i] != seen[i]) return true;
  return false;
}

/// With an arrow from what has ended it.
void Cpu::draw_wait(const volatile std::uint32_t* const* words, const std::uint32_t* seen, int count) {
  if (!trace_->wants(waiting_->since, agenda_.now())) return;
  trace_->slice(*track_, "wait", waiting_->since, agenda_.now());
  for (int i = 0; i < count; ++i) {
    if (*words[i] == seen[i]) continue;
    if (const auto cause = memory_.cause(words[i], sizeof *words[i])) {
      trace_->arrow(*cause, {*track_, agenda_.now() - Time{1}});
      return;
    }
  }
}

void Cpu::stored(const volatile void* pointer, std::size_t bytes) { memory_.stored(pointer, bytes, now(), &written_); }

void Cpu::begin_waiting(const char* what, Time until) {
  if (waiting_) return;
  waiting_ = Wait{what, agenda_.now(), until};
}

std::optional<Cpu::Waiting> Cpu::waiting() const {
  if (!waiting_) return {};
  const std::string call = slices_.empty() ? "" : slices_.back().name() + ", ";
  return Waiting{call + waiting_->what, waiting_->since, waiting_->until};
}

void Cpu::end_waiting() {
  if (!waiting_) return;
  last_wait_begin_ = waiting_->since;
  last_wait_end_ = agenda_.now();
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

}  // namespace sanvp::host
