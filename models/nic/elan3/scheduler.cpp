#include "models/nic/elan3/scheduler.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::elan3 {
namespace {

constexpr e3_addr record_align = 32;  // registers/elan3.h, struct e3_thread

// On the simulating computer: C firmware with shallow calls. Only touched pages take memory.
constexpr std::size_t stack_bytes = 64 << 10;

}  // namespace

Scheduler::Rules Scheduler::Rules::read(const Parameters& parameters) {
  return {
      .dispatch = parameters.time("dispatch", 200ns, "from the choice of a thread until it runs",
                                  "assumed: its registers, 128 bytes, come from SDRAM"),
      .user_entries = static_cast<std::size_t>(
          parameters.count("user_entries", 1024, "threads of users that the run queue holds", "FACTS 1.1", 1)),
      .system_entries = static_cast<std::size_t>(
          parameters.count("system_entries", 256, "threads of the system that the run queue holds", "FACTS 1.1", 1)),
      .timeout = parameters.time("patience", 10'000ms,
                                 "timeout of firmware between two of its calls, in CPU time of the simulating computer",
                                 "assumed: only an endless loop takes so long")};
}

Scheduler::Scheduler(const Rules& rules, net::Clock& clock, Memory& memory, const Firmware& firmware,
                     Schedule& schedule)
    : rules_(rules), clock_(clock), memory_(memory), firmware_(firmware), schedule_(schedule), work_(clock) {}

Fault Scheduler::run(std::uint32_t context, e3_addr address) {
  const auto found = threads_.find({context, address});
  if (found == threads_.end()) return start(context, address);
  FirmwareThread& thread = *found->second;
  if (thread.state == FirmwareThread::State::sleeping)
    requeue(thread);
  else
    thread.named = true;
  return {};
}

Fault Scheduler::start(std::uint32_t context, e3_addr address) {
  if (address % record_align != 0) return {E3_CAUSE_ALIGNMENT, context, address, E3_PERM_NULL};
  const bool system = (memory_.mmu().filter(context) & E3_FILTER_SYSTEM) != 0;
  const Priority priority = system ? system_priority : user_priority;
  if (ready_[priority].size() >= entries(priority)) return {E3_CAUSE_QUEUE, context, address, E3_PERM_NULL};
  auto thread = std::make_unique<FirmwareThread>();
  const Access access = memory_.load({.context = context}, address, thread->record, clock_.now());
  if (access.fault) return access.fault;
  const Firmware::Program* program = firmware_.find(thread->record.program);
  if (program == nullptr) return {E3_CAUSE_INSTRUCTION, context, address, E3_PERM_NULL};
  thread->program = program;
  thread->context = context;
  thread->address = address;
  thread->system = system;
  thread->code =
      std::make_unique<native::Fiber>(stack_bytes, [&own = *thread] { own.program->main(&own.record, own.address); });
  thread->code->watch(*program->image, rules_.timeout);
  requeue(*thread);
  threads_.emplace(std::pair{context, address}, std::move(thread));
  return {};
}

void Scheduler::requeue(FirmwareThread& thread) {
  thread.state = FirmwareThread::State::ready;
  ready_[thread.system ? system_priority : user_priority].push_back(&thread);
  work_.notify();
}

FirmwareThread& Scheduler::take() {
  FirmwareThread& thread = *ready_[ready_[system_priority].empty() ? user_priority : system_priority].take_front();
  thread.state = FirmwareThread::State::running;
  return thread;
}

CardQueue Scheduler::queue() const {
  CardQueue shown{"threads"};
  for (const auto& [at, thread] : threads_)
    shown.entries.push_back(QueueEntry()
                                .add("context", thread->context)
                                .add("program", thread->program->name)
                                .add("state", thread->state == FirmwareThread::State::ready     ? "ready"
                                              : thread->state == FirmwareThread::State::running ? "runs"
                                                                                                : "sleeps")
                                .add("priority", thread->system ? "system" : "user")
                                .add_address("record", thread->address));
  return shown;
}

}  // namespace sanvp::nic::elan3
