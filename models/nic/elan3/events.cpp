#include "models/nic/elan3/events.hpp"
#include "platform/core/parameters.hpp"

#include <array>

namespace sanvp::nic::elan3 {
namespace {

constexpr e3_addr event_align = 8;
constexpr e3_addr record_align = 32;

// The low bits of a type word that say what it is (registers/elan3.h, E3_EVENT_...).
constexpr std::uint32_t chain_mask = 0x3, chain = 0x0;
constexpr std::uint32_t interrupt_mask = 0x7, interrupt = 0x2;
constexpr int interrupt_cookie_shift = 4;
constexpr std::uint32_t record_mask = 0xf, dma = 0x6, thread = 0xe;

}  // namespace

Events::Rules Events::Rules::read(const Parameters& parameters) {
  return {.set = parameters.time("set", 200ns, "set-event: an event's count is read, changed and written back",
                                 "calibrated: FACTS 1.1, budget of the 2.2 us")};
}

Events::Events(const Rules& rules, net::Clock& clock, Memory& memory, Interrupts& interrupts, Counters& counters,
               Work& work)
    : rules_(rules), clock_(clock), memory_(memory), interrupts_(interrupts), counters_(counters), work_(work) {}

Fault Events::check(Subject subject, e3_addr event) {
  if (event % event_align != 0) return {E3_CAUSE_ALIGNMENT, subject.context, event, E3_PERM_REMOTE_EVENT};
  const Access access = memory_.check(subject, event, sizeof(e3_event), Intent::event, clock_.now());
  if (!access.fault && access.main) return {E3_CAUSE_PERMISSION, subject.context, event, E3_PERM_REMOTE_EVENT};
  return access.fault;
}

net::Task<Fault> Events::set(Subject subject, e3_addr event) {
  return change(subject, event, {.by = -1, .sets = true});
}

net::Task<Fault> Events::wait(Subject subject, e3_addr event, std::int32_t count) {
  return change(subject, event, {.by = count, .sets = false});
}

net::Task<Fault> Events::change(Subject subject, e3_addr event, Change change) {
  for (;;) {  // along a chain
    if (const Fault fault = check(subject, event)) co_return fault;
    if (change.sets) counters_.count(Counter::events_set);
    memory_.fetch_ahead(subject.context, event, sizeof(e3_event));
    co_await clock_.after(rules_.set);
    const std::uint32_t type = count(subject, event, change.by);
    if (type == 0) co_return Fault{};
    subject.remote = false;  // its action has the rights of the card's own process
    if ((type & E3_EVENT_COPY) != 0) {
      Time done = clock_.now();
      if (const Fault fault = copy(subject, event, done)) co_return fault;
      co_await clock_.until(done);
    }
    const std::uint32_t action = E3_EVENT_ACTION(type);
    if (action == 0) co_return Fault{};
    const e3_addr record = action & ~(record_align - 1);
    if ((action & chain_mask) != chain) {
      if ((action & record_mask) == dma) co_return co_await work_.put_dma(subject.context, record);
      if ((action & record_mask) == thread) co_return work_.run_thread(subject.context, record);
      co_return interrupt_host(subject, event, action);
    }
    event = action;
    change = {.by = -1, .sets = true};
  }
}

/// @return the type of an event that fires; 0 if it does not fire, or has no action
std::uint32_t Events::count(Subject subject, e3_addr event, std::int32_t by) {
  e3_event record{};
  memory_.load(subject, event, record, clock_.now(), Intent::event);
  record.count += by;
  memory_.store(subject, event, record.count, clock_.now(), Intent::event);
  return record.count > 0 ? 0 : record.type;
}

Fault Events::interrupt_host(Subject subject, e3_addr event, std::uint32_t action) {
  if ((action & interrupt_mask) != interrupt) return {E3_CAUSE_DESCRIPTOR, subject.context, event, E3_PERM_NULL};
  interrupts_.push_cookie(action >> interrupt_cookie_shift);
  interrupts_.raise(E3_INT_EVENT);
  return {};
}

Fault Events::copy(Subject subject, e3_addr event, Time& at) {
  e3_block_event record{};
  const Access loaded = memory_.load(subject, event, record, at, Intent::event);
  if (loaded.fault) return loaded.fault;
  // The rest of the record came with its first word.
  std::array<std::byte, E3_COPY_BLOCK_BYTES> block{};
  const bool one_word = (record.source & E3_EVENT_COPY_WORD) != 0;
  const std::span<std::byte> bytes{block.data(), one_word ? sizeof(std::uint32_t) : block.size()};
  const Access read = memory_.read(subject, record.source & ~E3_EVENT_COPY_WORD, bytes, at);
  if (read.fault) return read.fault;
  const Access written = memory_.write(subject, record.dest, bytes, read.done);
  at = written.done;
  return written.fault;
}

}  // namespace sanvp::nic::elan3
