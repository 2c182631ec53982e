#include "models/nic/elan3/thread_processor.hpp"
#include "models/native/firmware_output.hpp"
#include "platform/core/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace sanvp::nic::elan3 {
namespace {

constexpr Fault none{};
constexpr int most_transactions = 5;         // elan3_thread.h
constexpr int most_losses = E3_DMA_RETRIES;  // as many attempts as for a DMA of the kernel
constexpr Time back_off = 1us;               // after a loss (A), as the DMA engine's

}  // namespace

ThreadProcessor::Rules ThreadProcessor::Rules::read(const Parameters& parameters) {
  const auto cycles = [&](const char* name, int fallback, const char* documentation, const char* source) {
    return static_cast<std::uint32_t>(parameters.count(name, fallback, documentation, source, 0, 1 << 20));
  };
  static constexpr const char* risc = "assumed: of the SPARC's kind, one instruction a cycle, in order";
  static constexpr const char* cached = "assumed: through the 8 KB cache";
  static constexpr const char* steps = "assumed: no multiplier, so by steps";
  static constexpr const char* software = "assumed: no floating point, so by software";
  static constexpr cpu::SourcedCycles defaults{{{1, risc},
                                                {1, risc},
                                                {19, steps},
                                                {37, steps},
                                                {2, cached},
                                                {2, cached},
                                                {1.5, risc},
                                                {2, risc},
                                                {50, software},
                                                {60, software},
                                                {150, software},
                                                {300, software},
                                                {50, software},
                                                {0.5, risc},
                                                {10, cached},
                                                cpu::two_instructions}};
  Rules rules;
  cpu::InstructionCosts costs = cpu::read_cycles(defaults, parameters.section("cycles"));
  costs.scale(parameters.real("program", 0.8, "factor on the time that threads take",
                              "calibrated: 5.5 us of MPI for 0 bytes (paper 5.1)", 0, 100));
  rules.loader = native::firmware_loader(costs);
  rules.cycle = parameters.time("cycle", 10ns, "of the thread processor's clock", "FACTS 1.1: 100 MHz");
  rules.word = cycles("word", 2, "cycles of a load or store of up to 8 bytes of SDRAM", "assumed: in the cache");
  rules.block = cycles("block", 10, "cycles of a load or store of 64 bytes of SDRAM", "assumed: 8 words, and 2");
  rules.extra = cycles("extra", 4, "cycles of an instruction for packets, events or giving way", "assumed");
  rules.most =
      static_cast<std::uint64_t>(parameters.count("most_cycles", 10'000'000, "that a thread may run without yielding",
                                                  "FACTS 1.5: it traps; the number is assumed", 1));
  return rules;
}

// ---- on the firmware's stack ----

/// Requests an operation, and returns when it is done.
void ThreadProcessor::await(const Operation& operation) {
  thread_->wanted = operation;
  thread_->code->yield();
}

/// @param what  the operation; its result type decides its kind: Access takes time, void acts at once, the rest are
///              tasks
template <class What>
void ThreadProcessor::perform(What what) {
  using Result = std::invoke_result_t<What&>;
  const auto doing = [](void* object) { return (*static_cast<What*>(object))(); };
  if constexpr (std::is_void_v<Result>)
    await({.object = &what, .end = doing});
  else if constexpr (std::is_same_v<Result, Access>)
    await({.object = &what, .begin = doing});
  else
    await({.object = &what, .task = doing});
}

/// An access that takes time, and an action at its end.
template <class Begin, class End>
void ThreadProcessor::perform(Begin begin, End end) {
  std::pair both{begin, end};
  await({.object = &both,
         .begin = [](void* object) { return static_cast<decltype(both)*>(object)->first(); },
         .end = [](void* object) { static_cast<decltype(both)*>(object)->second(); }});
}

/// Touches a range of the firmware's memory on its own stack, so that an illegal pointer ends only the firmware.
template <class Byte>
void touch(std::span<Byte> bytes) {
  constexpr std::size_t page_bytes = 4096;  // of the simulating computer; no page is smaller
  const auto once = [&](std::size_t i) {
    auto& byte = const_cast<volatile std::remove_const_t<Byte>&>(bytes[i]);
    const std::byte value = byte;
    if constexpr (!std::is_const_v<Byte>) byte = value;
  };
  for (std::size_t i = 0; i < bytes.size(); i += page_bytes) once(i);
  if (!bytes.empty()) once(bytes.size() - 1);
}

/// Stops the thread for good, even if the driver resumes it.
void ThreadProcessor::refuse(e3_addr address, const char* why) {
  perform([&] { return complain(address, why); });
  std::abort();  // unreachable: the thread is never resumed
}

void ThreadProcessor::cycles(std::uint64_t count) {
  count += thread_->program->meter.take();
  thread_->cycles_due += count;
  thread_->cycles_unbroken += count;
  if (thread_->cycles_unbroken <= rules_.most) return;
  perform([&, told = false]() mutable -> net::Task<Fault> {
    if (std::exchange(told, true)) return [](Fault fault) -> net::Task<Fault> { co_return fault; }(none);
    return complain(thread_->address, fmt::format("it has run for more than {} cycles without giving way; let it call "
                                                  "elan3_break or elan3_wait_event in its loop",
                                                  rules_.most));
  });
  thread_->cycles_unbroken = 0;  // the driver has resumed it
}

void ThreadProcessor::load(e3_addr address, std::span<std::byte> to) {
  touch(to);
  cycles(0);
  perform([&] { return move(address, to, {}); });
}

void ThreadProcessor::store(e3_addr address, std::span<const std::byte> from) {
  touch(from);
  cycles(0);
  perform([&] { return move(address, {}, from); });
}

void* ThreadProcessor::sdram(e3_addr address, std::size_t bytes) {
  if (bytes == 0 || address % E3_PAGE_BYTES + bytes > E3_PAGE_BYTES) return nullptr;
  if (std::byte* found = at_.memory.mmu().find(self(), address, bytes, Intent::write); found != nullptr) return found;
  Translation place = at_.memory.mmu().translate(self(), address, Intent::write);
  if (place.fault) {
    perform([&]() -> net::Task<Fault> {
      place = at_.memory.mmu().translate(self(), address, Intent::write);
      co_return place.fault;
    });
  }
  return place.local ? at_.memory.sdram().find(place.address, bytes) : nullptr;
}

void ThreadProcessor::block_copy(e3_addr to, e3_addr from, std::size_t bytes) {
  perform([&] { return copy(to, from, bytes); });
}

void ThreadProcessor::open(std::uint32_t process) {
  if (open_) refuse(thread_->address, "elan3_open while a packet is open");
  cycles(rules_.extra);
  process_ = process;
  perform([&] { return find_route(); });
  open_ = true;
  first_address_ = 0;
}

void ThreadProcessor::send_transaction(std::uint32_t type, e3_addr address, std::span<const std::byte> data) {
  const bool is_block = (type & E3_TR_WRITE_BLOCK) != 0;
  const std::size_t bytes = data.size();
  const bool fits =
      bytes <= E3_BLOCK_BYTES && (is_block ? bytes > 0 : bytes == 0 || (bytes >= 8 && (bytes & (bytes - 1)) == 0));
  if (!open_) refuse(address, "elan3_send_transaction without an open packet");
  if (!fits) refuse(address, "elan3_send_transaction of a size that no transaction has (elan3_thread.h)");
  if (builder_.transactions() == most_transactions) refuse(address, "more than 5 transactions in a packet");
  if (builder_.transactions() == 0) first_address_ = address;
  // Which transaction is the last is known when it is closed.
  builder_.add(type & ~(E3_TR_LAST | E3_TR_SEND_ACK), destination_.context, address, data);
  cycles(rules_.extra + (bytes + 7) / 8);
}

int ThreadProcessor::close(std::uint32_t* reply) {
  if (!open_ || builder_.transactions() == 0) refuse(thread_->address, "elan3_close of a packet with nothing in it");
  cycles(rules_.extra);
  flits_ = packet_flits(destination_.way->flits, builder_.bytes());
  payload_ = builder_.finish();
  Answer answer;
  perform([&] { return exchange(answer); });
  open_ = false;
  payload_ = nullptr;
  if (reply != nullptr) *reply = answer.reply;
  return answer.acknowledgement;
}

void ThreadProcessor::wait_event(e3_addr event) {
  if (open_) refuse(event, "elan3_wait_event while a packet is open");
  cycles(rules_.extra);
  perform([&] { return reach_event(event); }, [&] { take_event(event); });
  thread_->cycles_unbroken = 0;
}

void ThreadProcessor::set_event(e3_addr event) {
  cycles(rules_.extra);
  perform([&] { return at_.events.set(self(), event); });
}

void ThreadProcessor::give_way() {
  if (open_) refuse(thread_->address, "elan3_break while a packet is open");
  cycles(std::max(1U, rules_.extra));  // a thread that does only this must not stop simulated time
  perform([&] {
    if (at_.scheduler.others_wait(*thread_)) at_.scheduler.requeue(*thread_);
  });
  thread_->cycles_unbroken = 0;
}

void ThreadProcessor::suspend() {
  if (open_) refuse(thread_->address, "elan3_suspend while a packet is open");
  cycles(rules_.extra);
  perform([&] {
    if (!std::exchange(thread_->named, false)) at_.scheduler.sleep(*thread_);
  });
  thread_->cycles_unbroken = 0;
}

void ThreadProcessor::put_dma(e3_addr dma) {
  cycles(rules_.extra);
  perform([&] { return at_.work.put_dma(thread_->context, dma); });
}

// ---- on the timeline ----

net::Task<> ThreadProcessor::run() {
  for (;;) {
    if (at_.scheduler.is_halted()) co_await at_.scheduler.rest();
    if (at_.scheduler.queued() == 0) {
      co_await at_.scheduler.work().wait();
      continue;
    }
    at_.scheduler.fetch_ahead();
    co_await at_.clock.after(at_.scheduler.dispatch());
    thread_ = &at_.scheduler.take();
    at_.counters.count(Counter::threads_run);
    const Time begin = at_.clock.now();
    const e3_addr address = thread_->address;
    bool has_ended = false;
    while (!has_ended && thread_->state == FirmwareThread::State::running) {
      if (!std::exchange(thread_->wants_again, false)) native::resume_firmware(*thread_->code);
      has_ended = thread_->code->has_ended();
      if (has_ended) thread_->cycles_due += last_cycles();
      computes_until_ =
          at_.clock.now() + static_cast<std::int64_t>(std::exchange(thread_->cycles_due, 0)) * rules_.cycle;
      co_await at_.clock.until(computes_until_);
      if (has_ended && thread_->code->fault()) co_await bury();
      while (!has_ended) {  // until the operation is done; here and not in a task, which each operation would pay for
        const Operation wanted = thread_->wanted;
        Fault fault = none;
        if (wanted.task != nullptr) {
          net::Task<Fault> task = wanted.task(wanted.object);
          fault = co_await task;
        } else if (wanted.begin != nullptr) {
          const Access access = wanted.begin(wanted.object);
          fault = access.fault;
          if (!fault) co_await at_.clock.until(access.done);
        }
        if (!fault) {
          if (wanted.end != nullptr) wanted.end(wanted.object);
          break;
        }
        has_ended = co_await trap(fault) == Verdict::drop;
      }
    }
    if (has_ended) end_thread();
    if (at_.tracks.wants(begin, at_.clock.now()))
      at_.tracks.slice(Tracks::Unit::thread, fmt::format("thread {:#x}", address), begin, at_.clock.now());
    thread_ = nullptr;
  }
}

/// Accounts for a thread that has ended. If it crashed, its cycles since the last operation count as none: it may
/// have looped until its timeout, which is in the simulating computer's time.
std::uint64_t ThreadProcessor::last_cycles() {
  const std::uint64_t spent = thread_->program->meter.take();
  return thread_->code->fault() ? 0 : spent;
}

net::Task<Verdict> ThreadProcessor::trap(const Fault& fault) {
  e3_trap record = trap_record(fault, thread_->address, process_);
  record.dma.dest = first_address_;
  if (fault.cause == E3_CAUSE_NO_ANSWER) record.access = silence(thread_->silent_since, at_.clock.now());
  co_return co_await at_.traps.raise(E3_TRAP_THREAD, record);
}

void ThreadProcessor::end_thread() {
  if (builder_.transactions() > 0) builder_.finish();
  open_ = false;
  payload_ = nullptr;
  at_.scheduler.end(*thread_);
}

net::Task<Fault> ThreadProcessor::complain(e3_addr address, std::string why) {
  complaint_ = fmt::format("firmware '{}', {}", thread_->program->name, why);
  const Fault fault{E3_CAUSE_INSTRUCTION, thread_->context, address, E3_PERM_NULL};
  co_return fault;
}

/// Native code has crashed, or was ended in an endless loop: it cannot be resumed.
net::Task<> ThreadProcessor::bury() {
  net::Task<Fault> complaint = complain(thread_->address, thread_->code->fault()->to_text(*thread_->program->image));
  const Fault fault = co_await complaint;
  const e3_trap record = trap_record(fault, thread_->address, process_);
  co_await at_.traps.raise(E3_TRAP_THREAD, record);
}

/// A load, or a store; the other range is empty.
Access ThreadProcessor::move(e3_addr address, std::span<std::byte> to, std::span<const std::byte> from) {
  const std::size_t bytes = to.size() + from.size();
  const Access checked = at_.memory.check(self(), address, static_cast<std::uint32_t>(bytes),
                                          from.empty() ? Intent::read : Intent::write, at_.clock.now());
  if (checked.fault) return checked;
  Access access = from.empty() ? at_.memory.read(self(), address, to, checked.done)
                               : at_.memory.write(self(), address, from, checked.done);
  if (access.fault) return access;
  thread_->cycles_unbroken += word_cycles(bytes);
  if (!access.main) access.done = checked.done + word_cycles(bytes) * rules_.cycle;
  return access;
}

/// Block by block: each is loaded, then stored; the next is loaded while the bus transfers the one before.
Access ThreadProcessor::copy(e3_addr to, e3_addr from, std::size_t bytes) {
  const Time block = rules_.block * rules_.cycle;
  Time now = at_.clock.now(), stored = now;
  std::array<std::byte, E3_BLOCK_BYTES> buffer;
  for (std::size_t offset = 0; offset < bytes;) {
    const e3_addr target = to + static_cast<e3_addr>(offset), source = from + static_cast<e3_addr>(offset);
    const std::size_t size = std::min<std::size_t>(bytes - offset, E3_BLOCK_BYTES - target % E3_BLOCK_BYTES);
    const std::span<std::byte> data{buffer.data(), size};
    Access access = at_.memory.read(self(), source, data, now);
    if (access.fault) return access;
    now = access.main ? access.done : now + block;
    access = at_.memory.write(self(), target, data, now);
    if (access.fault) return access;
    now += block;
    stored = access.main ? access.done : now;
    offset += size;
  }
  ++copies_;
  return {.done = std::max(now, stored)};
}

Access ThreadProcessor::find_route() {
  destination_ = at_.routes.find(thread_->context, process_);
  return {.done = at_.clock.now() + destination_.fetches * at_.memory.sdram().rules().access,
          .fault = destination_.fault};
}

net::Task<Fault> ThreadProcessor::exchange(Answer& answer) {
  for (int losses = 0; losses < most_losses; ++losses) {
    const Time at = at_.microcode.send(at_.clock.now(), flits_);
    Outgoing packet{*destination_.way, payload_, flits_};  // named: GCC 12 destroys a temporary twice here
    net::Task<Answer> answered = at_.link.exchange(std::move(packet), at);
    answer = co_await answered;
    if (answer.kind == Answer::Kind::acknowledged)
      thread_->silent_since = never;
    else if (thread_->silent_since == never)
      thread_->silent_since = at_.clock.now();
    if (answer.kind == Answer::Kind::timeout) break;
    if (answer.kind == Answer::Kind::acknowledged) {
      if (answer.acknowledgement != E3_ACK_ERROR) co_return none;
      const Fault refused{E3_CAUSE_REFUSED, thread_->context, first_address_, E3_PERM_NULL};
      co_return refused;
    }
    co_await at_.clock.after(back_off);
  }
  const Fault dead{E3_CAUSE_NO_ANSWER, thread_->context, first_address_, E3_PERM_NULL};
  co_return dead;
}

Access ThreadProcessor::reach_event(e3_addr event) {
  return {.done = at_.clock.now() + 2 * rules_.word * rules_.cycle, .fault = at_.events.check(self(), event)};
}

/// Consumes one count of the event, or sleeps until it fires and then tries again. The thread is the event's action
/// only while it waits.
void ThreadProcessor::take_event(e3_addr event) {
  e3_event record{};
  at_.memory.load(self(), event, record, at_.clock.now(), Intent::event);
  if (record.count <= 0) {
    ++record.count;
    record.type = 0;
  } else {
    record.type = E3_EVENT_THREAD(thread_->address);
    thread_->wants_again = true;
    at_.scheduler.sleep(*thread_);
  }
  at_.memory.store(self(), event, record, at_.clock.now(), Intent::event);
}

}  // namespace sanvp::nic::elan3
