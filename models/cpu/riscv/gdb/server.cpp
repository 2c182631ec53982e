#include "models/cpu/riscv/gdb/server.hpp"

#include <csignal>
#include <cstring>

#include <fmt/format.h>

#include "models/cpu/riscv/gdb/signals.hpp"
#include "models/cpu/riscv/linux/crash.hpp"
#include "models/native/safety_net.hpp"

namespace sanvp::riscv::gdb {
namespace {

using namespace std::chrono_literals;

constexpr auto between_looks = 5ms;     // short for a user, long for the simulator
constexpr auto between_checks = 100ms;  // for Ctrl-C, while it waits for the client

/// gdb has the functions that it calls return to a breakpoint on the stack, from where nothing can be executed.
bool has_returned_to_breakpoint(const Inferior& inferior, const os::Thread& thread, const os::Signal& signal) {
  const bool is_fault = signal.number == SIGSEGV && signal.code > 0;
  return is_fault && signal.value == thread.hart.pc && inferior.breakpoints.contains(thread.hart.pc);
}

/// While the simulator waits for a client, Ctrl-C does not end the program's thread: it ends the wait.
struct Waiting {
  Waiting() = default;
  ~Waiting() { native::exchange_net(net); }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  native::SafetyNet* net = native::exchange_net(nullptr);
};

/// Whether the program, which does not handle the signal, ends by it.
bool ends_by(os::Process& process, const os::Thread& thread, const os::Signal& signal) {
  const std::uint64_t handler = process.actions()[static_cast<std::size_t>(signal.number)].handler;
  const bool is_fault = signal.code > 0;  // as the kernel sends it; it cannot be ignored
  const bool is_blocked = (thread.blocked & os::bit_of(signal.number)) != 0;
  return handler == os::default_handler || (is_fault && (is_blocked || handler == os::ignoring_handler));
}

}  // namespace

Server::Server(ServerSettings settings)
    : settings_(std::move(settings)),
      connection_(settings_.port, settings_.goes_on),
      session_(inferiors_, monitor_),
      waits_at_crash_(settings_.at_crash.has_value()) {}

void Server::add(os::Process& process, int id, std::string name) {
  inferiors_.add(process, id, std::move(name));
  process.debug_by(this);
}

Server::~Server() {
  for (const auto& inferior : inferiors_.all()) inferior->process->debug_by(nullptr);
}

/// A running thread, or else any, among those that the client knows.
ThreadId Server::somewhere() const {
  const Inferior* const current = inferiors_.find(current_.process);
  if (current != nullptr && current->is_debugged) return current_;
  const Inferior* const first = inferiors_.first_debugged();
  if (first == nullptr) return {};
  const os::Thread* const thread = first->thread(ThreadId::any);
  return {first->id, thread == nullptr ? ThreadId::any : thread->id};
}

void Server::await_client() {
  while (!connection_.accept() && settings_.goes_on()) connection_.await(between_checks);
  if (!connection_.is_open()) return;
  begin_session();
  halt(somewhere(), SIGTRAP);
}

void Server::begin_session() {
  session_.begin();
  reader_ = {};
}

void Server::look() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_look_) return;
  next_look_ = now + between_looks;
  look_at_client();
}

void Server::look_at_client() {
  if (settings_.waits && !has_waited_) return;  // one that comes during the boot is served at the first instruction
  if (has_control_ || order_ || inferiors_.all().empty()) return;
  if (connection_.accept()) {
    begin_session();
    return halt(somewhere(), SIGTRAP);
  }
  if (!connection_.is_open()) return;
  reader_.feed(connection_.read(0ms));
  if (!connection_.is_open()) return leave();
  while (const auto event = reader_.next())
    if (event->kind == PacketReader::Kind::interrupt) return halt(somewhere(), SIGINT);
}

void Server::begin_turn(os::Process& process, os::Thread& thread) {
  Inferior* const inferior = inferiors_.find(process);
  if (inferior == nullptr) return;
  current_ = {inferior->id, thread.id};
  if (settings_.waits && !has_waited_) {
    has_waited_ = true;
    await_client();
  }
  look();
}

Stop Server::run(os::Process& process, os::Thread& thread, std::uint64_t limit) {
  Inferior* const inferior = inferiors_.find(process);
  Hart64& hart = thread.hart;
  const auto budget = [&] { return limit > hart.retired ? limit - hart.retired : 0; };
  if (is_recording() && inferior != nullptr) {
    begin_stretch(*inferior, thread);
    const Executing executing(*this, *inferior, thread);
    return order_ ? execute_again(*inferior, thread, limit) : debug(*inferior, thread, limit);
  }
  if (inferior == nullptr || !inferior->is_debugged || !connection_.is_open())
    return process.interpreter().run(hart, budget());
  return debug(*inferior, thread, limit);
}

Stop Server::debug(Inferior& debugged, os::Thread& thread, std::uint64_t limit) {
  Inferior* const inferior = &debugged;
  Hart64& hart = thread.hart;
  const auto budget = [&] { return limit > hart.retired ? limit - hart.retired : 0; };
  if (!inferior->is_debugged) return inferior->process->interpreter().run(hart, budget());
  if (const auto hit = inferior->watchpoints.changed_from_outside())
    halt({inferior->id, thread.id}, SIGTRAP, fmt::format("watch:{:x};", hit->address));
  halt_after_step(*inferior, thread);  // it began with a system call, or a signal
  while (true) {
    const Stop stop = advance(*inferior, thread, budget());
    if (const auto step = inferior->steps.find(thread.id); step != inferior->steps.end()) step->second.has_begun = true;
    if (stop == Stop::held) {
      halt({inferior->id, thread.id}, SIGTRAP, session_.reason_of_breakpoint());
    } else if (stop == Stop::watchpoint) {
      const Watchpoints::Hit& hit = inferior->watchpoints.hit();
      const char* const names[] = {"", "watch", "rwatch", "awatch"};
      halt({inferior->id, thread.id}, SIGTRAP,
           fmt::format("{}:{:x};", names[static_cast<unsigned>(hit.watchpoint.of)], hit.address));
    } else if (stop != Stop::budget) {
      return stop;
    } else {
      halt_after_step(*inferior, thread);
    }
    if (hart.left.block == nullptr && budget() == 0) return Stop::budget;
  }
}

Stop Server::advance(Inferior& inferior, os::Thread& thread, std::uint64_t budget) {
  Interpreter<std::uint64_t>& interpreter = inferior.process->interpreter();
  if (inferior.steps.contains(thread.id)) return inferior.watchpoints.step(interpreter, thread.hart);
  return inferior.watchpoints.run(interpreter, thread.hart, budget);
}

void Server::halt_after_step(Inferior& inferior, os::Thread& thread) {
  const auto step = inferior.steps.find(thread.id);
  if (step != inferior.steps.end() && step->second.is_over(thread.hart.pc)) halt({inferior.id, thread.id}, SIGTRAP);
}

int Server::signal(os::Process& process, os::Thread& thread, const os::Signal& signal) {
  const Inferior* const inferior = inferiors_.find(process);
  if (order_ || inferior == nullptr || !inferior->is_debugged) return signal.number;
  if (waits_at_crash_ && !has_returned_to_breakpoint(*inferior, thread, signal) && ends_by(process, thread, signal))
    await_client_at_crash(*inferior, thread, std::string("SIG") + sigabbrev_np(signal.number));
  if (!connection_.is_open()) return signal.number;
  if (has_returned_to_breakpoint(*inferior, thread, signal)) {
    halt({inferior->id, thread.id}, SIGTRAP, session_.reason_of_breakpoint());
    return 0;  // if the client leaves the pc there, it faults again
  }
  if (!session_.reports(to_gdb(signal.number))) return signal.number;
  halt({inferior->id, thread.id}, signal.number);
  return connection_.is_open() ? session_.signal_to_deliver() : signal.number;
}

void Server::fails(os::Process& process, os::Thread& thread, const std::string& why) {
  const Inferior* const inferior = inferiors_.find(process);
  if (order_ || !waits_at_crash_ || inferior == nullptr || !inferior->is_debugged) return;
  await_client_at_crash(*inferior, thread, why);
  if (!connection_.is_open()) return;
  say(why);
  halt({inferior->id, thread.id}, SIGABRT);
}

/// Says what happens also to one that is there: a process that goes back, and comes here again, has printed it before.
void Server::await_client_at_crash(const Inferior& inferior, const os::Thread& thread, const std::string& what) {
  const Waiting waiting;
  settings_.at_crash->say(inferior.name, fmt::format("{}, in {}", what, place_text(*inferior.process, thread)),
                          time_ps_at_pc(inferior, thread));
  if (connection_.is_open()) return;
  const auto began = std::chrono::steady_clock::now();
  const auto has_time = [&] {
    return !settings_.at_crash->wait || std::chrono::steady_clock::now() - began < *settings_.at_crash->wait;
  };
  while (!connection_.accept() && settings_.goes_on() && has_time()) connection_.await(between_checks);
  if (connection_.is_open())
    begin_session();
  else
    leave();
}

/// Returns when the client lets the simulation continue.
void Server::halt(ThreadId at, int linux_signal, const std::string& reason) {
  session_.stopped_at(at, to_gdb(linux_signal), reason);
  if (std::exchange(owes_reply_, false)) send(session_.stop_reply());
  serve();
}

void Server::serve() {
  has_control_ = true;
  while (has_control_ && connection_.is_open()) {
    if (const auto event = reader_.next()) {
      take(*event);
      continue;
    }
    if (!settings_.goes_on()) break;
    reader_.feed(connection_.read(between_checks));
  }
  has_control_ = false;
  if (!connection_.is_open()) leave();
}

void Server::take(const PacketReader::Event& event) {
  using Kind = PacketReader::Kind;
  switch (event.kind) {
    case Kind::packet:
      if (session_.needs_acknowledgement()) connection_.write("+");
      return answer(event.contents);
    case Kind::damaged:
      if (session_.needs_acknowledgement()) connection_.write("-");
      return;
    case Kind::rejected:
      if (session_.needs_acknowledgement()) connection_.write(last_sent_);
      return;
    case Kind::accepted:
    case Kind::interrupt:  // it stands already
      return;
  }
}

void Server::answer(const std::string& packet) {
  const bool changes_state = !packet.empty() && std::string_view("GPMX").find(packet.front()) != std::string_view::npos;
  if (history_ && changes_state) {  // execution from a past state would not lead here
    history_->snapshots().state_has_changed();
    history_->forget();
  }
  const Answer answer = session_.answer(packet);
  for (const std::string& output : answer.before) send(output);
  switch (answer.then) {
    case Answer::Then::stay:
      return send(answer.text);
    case Answer::Then::resume:
      has_control_ = stays_at_step_back_ = false;
      owes_reply_ = true;
      return;
    case Answer::Then::step_back:
      return step_back();
    case Answer::Then::continue_back:
      return continue_back();
    case Answer::Then::kill:
      is_killed_ = true;
      if (!answer.text.empty()) send(answer.text);
      return leave();
    case Answer::Then::detach:
      send(answer.text);
      return leave();
  }
}

void Server::send(const std::string& contents) {
  last_sent_ = framed(contents);
  if (connection_.is_open()) connection_.write(last_sent_);
}

/// Prints a line in the client, which waits for the simulation to stop.
void Server::say(const std::string& what) {
  if (owes_reply_ && !what.empty()) send("O" + to_hex(what + "\n"));
}

/// Disconnects the client; the run continues.
void Server::leave() {
  if (connection_.is_open()) connection_.close();
  if (machine_stops_ != nullptr) machine_stops_->clear();
  if (history_) history_->forget();
  for (const auto& inferior : inferiors_.all()) inferior->release();
  has_control_ = owes_reply_ = waits_at_crash_ = false;
}

void Server::finish() {
  if (order_ && order_->what == Order::Do::find) history_->snapshots().answer(found_);
  if (connection_.is_open() && owes_reply_ && !inferiors_.all().empty()) {
    const Inferior* last = inferiors_.find(current_.process);
    if (last == nullptr || !last->is_debugged) last = inferiors_.first_debugged();
    if (last != nullptr && last->process->end()) send(session_.end_reply(*last));
  }
  leave();
}

}  // namespace sanvp::riscv::gdb
