#include "models/nic/elan3/command_processor.hpp"
#include "platform/core/parameters.hpp"

#include <algorithm>

namespace sanvp::nic::elan3 {

/// A store of an Elan address to this port is a command.
template <std::uint32_t code>
Register<CommandProcessor> CommandProcessor::port(const char* name, const char* meaning, const char* source) {
  return {.name = name,
          .window = E3_BAR_COMMAND,
          .offset = code,
          .most_bytes = sizeof(std::uint64_t),  // the address is in the lower half
          .write =
              [](CommandProcessor& to, const Store& store) {
                to.take({store.instance.page, code, store.as<e3_addr>(), store.cause});
              },
          .meaning = meaning,
          .source = source};
}

Registers<CommandProcessor> CommandProcessor::registers() {
  const char* known = "FACTS 1.5";
  return {port<E3_CP_PUT_DMA>("PutDma", "address of a struct e3_dma to carry out", known),
          port<E3_CP_GET_DMA>("GetDma", "the same for one that reads from another process", known),
          port<E3_CP_RUN_THREAD>("RunThread", "address of a struct e3_thread to start or wake", known),
          port<E3_CP_WAIT_EVENT0>("WaitEvent0", "address of a struct e3_wait_event0", known),
          port<E3_CP_WAIT_EVENT1>("WaitEvent1", "address of a struct e3_event, with wait count 1",
                                  "FACTS 1.5; the count is assumed"),
          port<E3_CP_SET_EVENT>("SetEvent", "address of a struct e3_event to set", known)};
}

namespace {

const char* name_of(std::uint32_t code) {
  static const Registers<CommandProcessor> ports = CommandProcessor::registers();
  const auto found = std::ranges::find(ports, code, &Register<CommandProcessor>::offset);
  return found->name;
}

}  // namespace

CommandProcessor::Rules CommandProcessor::Rules::read(const Parameters& parameters) {
  return {.process = parameters.time("process", 250ns, "from a command until its action starts",
                                     "calibrated: with nic.dma.schedule 450 ns of the 2.2 us (FACTS 1.1)"),
          .entries = static_cast<std::size_t>(parameters.count(
              "entries", 1024, "size of the command queue; half full it interrupts, beyond it commands are lost",
              "assumed: as many as the run queue that most commands use", 2))};
}

CommandProcessor::CommandProcessor(const Rules& rules, const Neighbours& neighbours, Work& work)
    : rules_(rules),
      clock_(neighbours.clock),
      memory_(neighbours.memory),
      events_(neighbours.events),
      traps_(neighbours.traps),
      interrupts_(neighbours.interrupts),
      schedule_(neighbours.schedule),
      counters_(neighbours.counters),
      tracks_(neighbours.tracks),
      work_(work),
      queue_(neighbours.clock) {}

void CommandProcessor::take(const Command& command) {
  if (waiting_ == rules_.entries) {
    if (!lost_) lost_ = command;
    return;
  }
  queue_.push(command);
  if (++waiting_ == rules_.entries / 2) interrupts_.raise(E3_INT_COMMAND_HALF_FULL);
}

net::Task<> CommandProcessor::tell_of_loss() {
  const Fault fault{E3_CAUSE_QUEUE, lost_->context, lost_->argument, E3_PERM_NULL};
  const e3_trap record = trap_record(fault, lost_->argument);
  lost_.reset();
  co_await traps_.raise(E3_TRAP_COMMAND, record);  // there is nothing to be tried again
}

net::Task<> CommandProcessor::run() {
  for (;;) {
    const Command command = co_await queue_.pop();
    working_ = true;
    if (schedule_.halts(E3_SCHEDULE_STOP_COMMAND)) co_await schedule_.rest(E3_SCHEDULE_STOP_COMMAND, 0);
    --waiting_;
    if (lost_) co_await tell_of_loss();
    counters_.count(Counter::commands);
    const Time begin = clock_.now();
    memory_.fetch_ahead(command.context, command.argument, sizeof(e3_dma));  // or less: most are for a DMA
    co_await clock_.after(rules_.process);
    for (;;) {
      const Fault fault = co_await obey(command);
      if (!fault) break;
      if (co_await traps_.raise(E3_TRAP_COMMAND, trap_record(fault, command.argument)) == Verdict::drop) break;
    }
    if (tracks_.wants(begin, clock_.now())) {
      tracks_.slice(Tracks::Unit::command_port, name_of(command.code), begin, clock_.now(),
                    {{"context", command.context}, {"address", command.argument}});
      if (command.cause) tracks_.arrow(*command.cause, Tracks::Unit::command_port, begin);
    }
    working_ = false;
  }
}

net::Task<Fault> CommandProcessor::obey(const Command& command) {
  const Subject self{.context = command.context};
  switch (command.code) {
    case E3_CP_PUT_DMA:
      return work_.put_dma(command.context, command.argument);
    case E3_CP_GET_DMA:
      return get_dma(command);
    case E3_CP_WAIT_EVENT0:
      return wait_event0(command);
    case E3_CP_WAIT_EVENT1:
      return events_.wait(self, command.argument, 1);
    case E3_CP_SET_EVENT:
      return events_.set(self, command.argument);
    default:
      return [](Fault fault) -> net::Task<Fault> { co_return fault; }(work_.run_thread(self.context, command.argument));
  }
}

/// The same as PutDma, for descriptors that read.
net::Task<Fault> CommandProcessor::get_dma(const Command& command) {
  std::uint32_t type = 0;
  const Access access = memory_.load({.context = command.context}, command.argument, type, clock_.now());
  if (access.fault) co_return access.fault;
  if ((type & E3_DMA_DIRECTION_MASK) == E3_DMA_WRITE)
    co_return Fault{E3_CAUSE_DESCRIPTOR, command.context, command.argument, E3_PERM_NULL};
  co_return co_await work_.put_dma(command.context, command.argument);
}

net::Task<Fault> CommandProcessor::wait_event0(const Command& command) {
  e3_wait_event0 record{};
  const Access access = memory_.load({.context = command.context}, command.argument, record, clock_.now());
  if (access.fault) co_return access.fault;
  co_await clock_.until(access.done);
  co_return co_await events_.wait({.context = command.context}, record.event, record.count);
}

CardQueue CommandProcessor::queue() const {
  CardQueue shown{"commands"};
  for (const Command& command : queue_.values())
    shown.entries.push_back(QueueEntry()
                                .add("command", name_of(command.code))
                                .add("context", command.context)
                                .add_address("argument", command.argument));
  return shown;
}

}  // namespace sanvp::nic::elan3
