#include "models/nic/lanai/processor.hpp"
#include "models/native/firmware_output.hpp"
#include "platform/core/parameters.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

namespace sanvp::nic::lanai {
namespace {

constexpr std::size_t stack_bytes = 256 << 10;
constexpr Time tick = LANAI_TICK_NS * 1ns;
constexpr std::uint32_t register_access = 1;  // cycles (A)

}  // namespace

Processor::Rules Processor::Rules::read(const Parameters& parameters, Time reprogram) {
  Rules rules;
  rules.cycle = parameters.time("cycle", Time{15'151}, "of the LANai's clock",
                                "FACTS 2.1: LANai 7 at 66 MHz (R); LANai 9 had 133 or 200");
  rules.reprogram = reprogram;
  static constexpr const char* risc =
      "assumed: one instruction a cycle, in order, as LLVM's model of its descendant Lanai";
  static constexpr const char* sram = "LLVM's Lanai: what is loaded can be used two cycles later; the card's own SRAM";
  static constexpr const char* software = "assumed: no unit for it, so by software";
  static constexpr cpu::SourcedCycles defaults{{{1, risc},
                                                {1, risc},
                                                {40, software},
                                                {70, software},
                                                {2, sram},
                                                {1.5, sram},
                                                {2, risc},
                                                {2, risc},
                                                {80, software},
                                                {100, software},
                                                {250, software},
                                                {500, software},
                                                {80, software},
                                                {0.5, risc},
                                                {3, sram},
                                                cpu::two_instructions}};
  cpu::InstructionCosts costs = cpu::read_cycles(defaults, parameters.section("cycles"));
  costs.scale(
      parameters.real("program", 0.16, "factor on the time that the control program takes",
                      "calibrated: with a LANai 9 at 133 MHz and PCI at 66, GM takes about 7 us (FACTS 2.1); this "
                      "control program executes about six times the instructions that this leaves time for",
                      0, 100));
  rules.loader = native::firmware_loader(costs);
  rules.timeout = parameters.time(
      "patience", 10000ms, "timeout of a control program that loops, in time of the simulating computer", "assumed");
  return rules;
}

int Processor::load(const std::string& path, const std::string& name) {
  for (std::size_t i = 0; i < programs_.size(); ++i)
    if (programs_[i].name == name) return static_cast<int>(i) + 1;
  if (!std::filesystem::exists(path)) return -1;
  auto image = std::make_unique<native::Image>(path, *rules_.loader);
  const auto main = image->required<void()>(entry);
  require_firmware_version(*image, "sanvp_lanai_firmware_version", LANAI_FIRMWARE_ABI_VERSION);
  image->required<void(const lanai_firmware_host*)>("sanvp_lanai_attach")(calls_.get());
  const native::CycleMeter meter(*image);
  programs_.push_back({name, std::move(image), main, meter});
  return static_cast<int>(programs_.size());
}

std::vector<FirmwareProgram> Processor::loaded() const {
  std::vector<FirmwareProgram> all;
  for (const Program& program : programs_) all.push_back({program.name, program.image->path()});
  return all;
}

void Processor::start(std::uint32_t program) {
  if (program < 1 || program > programs_.size()) return;
  program_ = &programs_[program - 1];
  code_ = std::make_unique<native::Fiber>(stack_bytes, [main = program_->main] { main(); });
  code_->watch(*program_->image, rules_.timeout);
  cycles_due_ = 0;
  started_.notify();
}

// ---- on the program's stack ----

/// Requests an action after the cycles so far have passed, and returns then.
template <class Action>
void Processor::access(Action action) {
  take_cycles();
  cycles_due_ += register_access;
  access(action, static_cast<std::int64_t>(std::exchange(cycles_due_, 0)) * rules_.cycle);
}

template <class Action>
void Processor::access(Action action, Time due) {
  take_cycles();
  cycles_due_ = 0;
  due_ = due;
  action_ = &action;
  act_ = [](void* object) { (*static_cast<Action*>(object))(); };
  code_->yield();
}

void Processor::refuse(std::string why) {
  complaint_ = fmt::format("control program '{}', {}", program_->name, why);
  for (;;) wait(0);  // never woken again; execute() has seen the complaint
}

std::span<std::byte> Processor::sram(std::uint32_t address, std::uint32_t bytes, const char* what) {
  const auto found = at_.sram.find(address, bytes);
  if (found.empty()) refuse(fmt::format("{} of {} bytes at SRAM address {:#x}", what, bytes, address));
  return found;
}

std::uint32_t Processor::wait(std::uint32_t events) {
  waiting_for_ = events;
  act_ = nullptr;
  take_cycles();
  due_ = static_cast<std::int64_t>(std::exchange(cycles_due_, 0) + register_access) * rules_.cycle;
  code_->yield();
  return at_.events.pending();
}

void Processor::transfer(HostDma& machine, const char* name, std::uint64_t host, std::uint32_t address,
                         std::uint32_t bytes) {
  const auto memory = sram(address, bytes, name);
  if (machine.busy()) refuse(fmt::format("{} while that machine is at work", name));
  access([&] { machine.start(host, memory); });
}

void Processor::send(std::uint32_t route, std::uint32_t packet, std::uint32_t bytes) {
  const auto memory = sram(packet, bytes, "lanai_send");
  const auto entry = at_.sram.load<lanai_route>(route);
  if (entry.length == 0 || entry.length > LANAI_ROUTE_BYTES) refuse("lanai_send without a route");
  if (at_.packets.sending()) refuse("lanai_send while that machine is at work");
  access([&] { at_.packets.send({entry.bytes, entry.length}, memory); });
}

void Processor::arm(std::uint32_t buffer, std::uint32_t bytes) {
  const auto memory = sram(buffer, bytes, "lanai_receive");
  access([&] { at_.packets.arm(memory, buffer); });
}

std::uint32_t Processor::received(std::uint32_t& bytes, int& intact) {
  PacketInterface::Received packet;
  access([&] { at_.packets.take(packet); });
  bytes = packet.bytes;
  intact = packet.intact ? 1 : 0;
  return packet.buffer;
}

/// T_r is the time from the event until the send DMA is set up, including what the program has spent to get here.
void Processor::send_on() {
  if (at_.packets.in_transit() == 0) refuse("lanai_send_on without an in-transit packet");
  access([this] { at_.packets.send_on(); }, rules_.reprogram);
}

void Processor::set_timer(std::uint32_t ticks) {
  access([&] {
    ++timer_serial_;
    timer_is_set_ = ticks > 0;
    if (ticks == 0) return;
    constexpr std::uint16_t kind = 129;  // after the units of the same instant
    at_.queue.schedule({.ps = (at_.clock.now() + ticks * tick).count(),
                        .handler = this,
                        .serial = timer_serial_,
                        .kind = kind,
                        .unit = at_.unit});
  });
}

Registers<Processor> Processor::registers() {
  return {{.name = "Start",
           .window = LANAI_BAR_REGISTERS,
           .offset = LANAI_REG_START,
           .write = put<&Processor::start>,
           .meaning = "number of a loaded program, which the processor then starts",
           .source = "assumed"},
          {.name = "Clock",
           .window = LANAI_BAR_REGISTERS,
           .offset = LANAI_REG_CLOCK,
           .read = get<&Processor::host_clock>,
           .meaning = "the real-time clock, in ticks of 0.5 us",
           .source = "FACTS 2.1; the offset is assumed"}};
}

std::uint32_t Processor::host_clock() const { return static_cast<std::uint32_t>(at_.clock.now() / tick); }

std::uint32_t Processor::clock() {
  take_cycles();
  const Time now = at_.clock.now() + static_cast<std::int64_t>(cycles_due_) * rules_.cycle;
  return static_cast<std::uint32_t>(now / tick);
}

void Processor::interrupt_host(std::uint32_t causes) {
  access([&] { at_.interrupts.raise(causes & LANAI_INT_PROGRAM); });
}

std::uint32_t Processor::select_route(std::uint32_t node, std::uint32_t bytes) {
  const int destination = static_cast<int>(node);
  if (at_.routes.alternatives(host_, destination) == 0) return 0;
  const int alternative = at_.selection.select(at_.routes, host_, destination, bytes, random_);
  return at_.routes.entry(destination, alternative);
}

// ---- on the timeline ----

net::Task<> Processor::run() {
  for (;;) {
    while (code_ == nullptr || code_->has_ended() || !complaint_.empty()) co_await started_.wait();
    co_await execute();
    at_.interrupts.raise(LANAI_INT_CRASH);
  }
}

/// Runs until the program ends, which is an error.
net::Task<> Processor::execute() {
  const native::Fiber* code = code_.get();
  Time begin = at_.clock.now();
  while (code == code_.get()) {
    native::resume_firmware(*code_);
    if (rules_.cycle > Time{0})
      at_.counters.count(Counter::processor_cycles, static_cast<std::uint64_t>(due_ / rules_.cycle));
    co_await at_.clock.after(std::exchange(due_, Time{0}));
    if (code_->has_ended()) {
      complaint_ = fmt::format("control program '{}', {}", program_->name,
                               code_->fault() ? code_->fault()->to_text(*program_->image) : "it has returned");
    }
    if (!complaint_.empty()) co_return;
    if (act_ != nullptr) {
      act_(action_);
      continue;
    }
    if ((at_.events.pending() & waiting_for_) == 0) {
      at_.tracks.slice(Tracks::Unit::processor, "at work", begin, at_.clock.now());
      while ((at_.events.pending() & waiting_for_) == 0) co_await at_.events.raised();
      begin = at_.clock.now();
    }
    waiting_for_ = 0;
  }
}

void Processor::handle(const net::Event& event) {
  if (event.serial != timer_serial_) return;
  timer_is_set_ = false;
  at_.counters.count(Counter::timer_events);
  at_.events.raise(LANAI_EVENT_TIMER);
}

}  // namespace sanvp::nic::lanai
