/// Going back in time: another process begins at a snapshot, executes again up to a position, and serves the client.
#include <fmt/format.h>

#include <boost/algorithm/string/trim.hpp>
#include <csignal>
#include <sstream>

#include "models/cpu/riscv/gdb/server.hpp"
#include "models/cpu/riscv/gdb/signals.hpp"
#include "platform/core/error.hpp"
#include "platform/core/units.hpp"

namespace sanvp::riscv::gdb {
namespace {

constexpr std::uint64_t last_by_steps = 4096;  // a block, or a translated region, may execute beyond its budget
constexpr const char* at_the_beginning = "replaylog:begin;";

std::uint64_t executed_by(const Inferior& inferior, const os::Thread& thread) {
  return thread.hart.retired - inferior.process->interpreter().ahead(thread.hart).instructions;
}

/// Instructions of the operation that a step would execute.
std::uint64_t instructions_of_next(const Inferior& inferior, const os::Thread& thread) {
  const auto& left = thread.hart.left;
  const auto* const block =
      left.block != nullptr ? left.block : inferior.process->interpreter().blocks().at(thread.hart.pc);
  return std::max<std::uint64_t>(1, block->operations[left.block != nullptr ? left.operation : 0].instructions);
}

std::string reason_of(const Watchpoints::Hit& hit) {
  const char* const names[] = {"", "watch", "rwatch", "awatch"};
  return fmt::format("{}:{:x};", names[static_cast<unsigned>(hit.watchpoint.of)], hit.address);
}

}  // namespace

void Server::keep_history(Snapshots& snapshots) {
  history_.emplace(snapshots);
  session_.allow_going_back();
  monitor_.add("goto",
               {"goto TIME: the whole machine as it was then, such as goto 80us",
                [this](Inferior&, os::Thread&, std::string_view arguments) { return travel(arguments, false); }});
  monitor_.add("back",
               {"back TIME: so much earlier than the selected thread's time",
                [this](Inferior&, os::Thread&, std::string_view arguments) { return travel(arguments, true); }});
}

void Server::halt_by_machine(const std::string& what) {
  if (!connection_.is_open() || has_control_) return;
  if (order_ && order_->what == Order::Do::find) return note_machine_stop();
  if (order_) {
    const bool is_wanted = order_->instant_ps == machine_stops_->now_ps();
    if (!is_wanted) return;
    owes_reply_ = true;
    say(what);
    return arrive(somewhere());
  }
  say(what);
  halt(somewhere(), SIGTRAP);
}

/// For a search: the position is after the stretch that was the last one.
void Server::note_machine_stop() {
  const std::int64_t at_ps = machine_stops_->now_ps();
  const bool is_earlier = order_->instant_ps < 0 || at_ps < order_->instant_ps;
  const Position position{history_->stretch(), Position::after_all};
  if (is_earlier && position < order_->until)
    found_ = fmt::format("{} {} {} 0 0", position.stretch, position.executed, at_ps);
}

std::string Server::state() const {
  return session_.state() + "\n" + (machine_stops_ == nullptr ? "" : machine_stops_->state());
}

void Server::restore(const std::string& state) {
  session_.restore(state);
  if (machine_stops_ != nullptr) machine_stops_->restore(state.substr(state.find('\n') + 1));
}

void Server::begin_stretch(Inferior& inferior, os::Thread& thread) {
  const ThreadId id{inferior.id, thread.id};
  history_->begin_stretch(id, executed_by(inferior, thread));
  const bool is_last = order_ && order_->what == Order::Do::go && order_->until.stretch == history_->stretch();
  const bool is_searching = order_ && order_->what == Order::Do::find;
  if (is_searching || (!is_last && !history_->wants_snapshot()) || history_->has_snapshot_here()) return;
  const auto begin = history_->keep(thread.hart.time_ps);
  if (!begin) return;
  connection_.adopt(begin->client);
  take(Order::parse(begin->order));
}

/// In a process that begins here.
void Server::take(Order order) {
  has_control_ = owes_reply_ = false;
  found_.clear();
  restore(order.session);
  if (order.what == Order::Do::find && machine_stops_ != nullptr) machine_stops_->watch_arrivals();
  if (order.what == Order::Do::go)
    for (const auto& inferior : inferiors_.all()) inferior->release();
  order_ = std::move(order);
}

Stop Server::execute_again(Inferior& inferior, os::Thread& thread, std::uint64_t limit) {
  if (order_->what == Order::Do::find) return find_stops(inferior, thread, limit);
  const bool is_after_instant = order_->instant_ps >= 0 && history_->stretch() > order_->until.stretch;
  const bool is_late_enough = order_->time_ps >= 0 && thread.hart.time_ps >= order_->time_ps;
  const bool has_position = order_->time_ps < 0 && order_->instant_ps < 0;
  if (is_late_enough || is_after_instant) {
    arrive({inferior.id, thread.id});
  } else if (has_position && order_->until.stretch == history_->stretch()) {
    if (const auto stop = approach(inferior, thread, limit)) return *stop;
  } else {
    Hart64& hart = thread.hart;
    return inferior.process->interpreter().run(hart, limit > hart.retired ? limit - hart.retired : 0);
  }
  return debug(inferior, thread, limit);
}

/// Executes up to the position in this stretch, and serves the client there. @return nothing if the stretch is to be
/// continued
std::optional<Stop> Server::approach(Inferior& inferior, os::Thread& thread, std::uint64_t limit) {
  Hart64& hart = thread.hart;
  Interpreter<std::uint64_t>& interpreter = inferior.process->interpreter();
  const std::uint64_t target = order_->until.executed;
  Stop stop = Stop::budget;
  while (stop == Stop::budget) {
    const std::uint64_t executed = executed_by(inferior, thread);
    const std::uint64_t budget = limit > hart.retired ? limit - hart.retired : 0;
    if (executed >= target || executed + instructions_of_next(inferior, thread) > target) {
      arrive({inferior.id, thread.id});
      return std::nullopt;
    }
    if (hart.left.block == nullptr && budget == 0) break;
    const std::uint64_t ahead = target - executed;
    stop =
        ahead > last_by_steps ? interpreter.run(hart, std::min(budget, ahead - last_by_steps)) : interpreter.step(hart);
  }
  arrive({inferior.id, thread.id});  // the position is the end of the stretch
  return stop;
}

void Server::arrive(ThreadId executing) {
  const Order order = *std::exchange(order_, std::nullopt);
  const bool draws_attention = order.thread.process > 0;
  const ThreadId at = draws_attention ? order.thread : executing;
  stays_at_step_back_ = draws_attention;
  session_.restore(order.session);
  owes_reply_ = !order.replies_text;
  say(order.said);
  if (order.replies_text) {
    session_.stopped_at(at, to_gdb(SIGTRAP));
    send(to_hex(order.reply));
    return serve();
  }
  halt(at, SIGTRAP, order.reply);
}

/// For a search: executes a stretch with all breakpoints and watchpoints, and notes where it would stop.
Stop Server::find_stops(Inferior& inferior, os::Thread& thread, std::uint64_t limit) {
  Hart64& hart = thread.hart;
  const std::uint64_t stretch = history_->stretch();
  find_changes_from_outside();
  if (stretch > order_->until.stretch) history_->snapshots().answer(found_);
  while (true) {
    const std::uint64_t budget = limit > hart.retired ? limit - hart.retired : 0;
    const Stop stop = inferior.is_debugged ? inferior.watchpoints.run(inferior.process->interpreter(), hart, budget)
                                           : inferior.process->interpreter().run(hart, budget);
    const std::uint64_t executed = executed_by(inferior, thread);
    if (stop == Stop::held)
      note_stop({stretch, executed}, session_.reason_of_breakpoint(), {});
    else if (stop == Stop::watchpoint)  // before the access: the value is the old one
      note_stop({stretch, executed - 1}, reason_of(inferior.watchpoints.hit()), {});
    const bool is_past = Position{stretch, executed} >= order_->until;
    if (is_past) history_->snapshots().answer(found_);
    if (stop != Stop::held && stop != Stop::watchpoint && stop != Stop::budget) return stop;
    if (hart.left.block == nullptr && limit <= hart.retired) return Stop::budget;
  }
}

void Server::note_stop(const Position& position, const std::string& reason, ThreadId thread, const std::string& said) {
  if (position < order_->until)
    found_ = fmt::format("{} {} -1 {} {} {} {}", position.stretch, position.executed, thread.process, thread.thread,
                         reason, said);
}

/// A card or a system call has written to watched bytes since the last stretch, of whichever process: the position is
/// the end of that stretch, and the client's attention is drawn to a thread of the process whose memory it is.
void Server::find_changes_from_outside() {
  const auto previous = history_->previous_thread();
  const Inferior* const executed = previous ? inferiors_.find(previous->process) : nullptr;
  const os::Thread* const executor = executed == nullptr ? nullptr : executed->thread(previous->thread);
  for (const auto& inferior : inferiors_.all()) {
    const auto hit = inferior->watchpoints.changed_from_outside();
    const os::Thread* const thread = inferior->thread(ThreadId::any);
    if (!hit || !inferior->is_debugged || thread == nullptr || executor == nullptr) continue;
    note_stop({history_->stretch() - 1, executed_by(*executed, *executor)}, fmt::format("watch:{:x};", hit->address),
              {inferior->id, thread->id}, machine_stops_ == nullptr ? "" : machine_stops_->last_arrival(inferior->id));
  }
}

/// The position at which the client has control.
Position Server::present() const {
  if (executing_ == nullptr) return {history_->stretch() + 1, 0};
  return {history_->stretch(), executed_by(*executing_, *executing_->thread(executing_thread_))};
}

void Server::step_back() {
  ThreadId id = session_.resumed();
  if (inferiors_.find(id.process) == nullptr || id.thread <= 0) id = somewhere();
  // gdb takes back the instruction that has written to a watched place. The card that has written is no instruction of
  // the thread, whose last one may be long ago.
  if (std::exchange(stays_at_step_back_, false)) {
    session_.stopped_at(id, to_gdb(SIGTRAP));
    return send(session_.stop_reply());
  }
  const Inferior* const inferior = inferiors_.find(id.process);
  const os::Thread* const thread = inferior == nullptr ? nullptr : inferior->thread(id.thread);
  const auto target = thread == nullptr ? std::nullopt : history_->before(id, executed_by(*inferior, *thread));
  if (history_->is_empty()) return send("E01");
  Order order{.until = target ? *target : history_->first(), .session = state()};
  if (!target) order.reply = at_the_beginning;
  history_->go(order, connection_.descriptor());
}

void Server::continue_back() {
  stays_at_step_back_ = false;
  if (history_->is_empty()) return send("E01");
  Order order{.until = present(), .session = state()};
  if (executing_ == nullptr && machine_stops_ != nullptr) order.instant_ps = machine_stops_->now_ps();
  std::istringstream found(history_->find(order));
  if (found >> order.until.stretch >> order.until.executed >> order.instant_ps >> order.thread.process >>
      order.thread.thread) {
    found >> order.reply >> std::ws;
    std::getline(found, order.said);
  } else {
    order.until = history_->first();
    order.instant_ps = -1;
    order.reply = at_the_beginning;
  }
  history_->go(order, connection_.descriptor());
}

std::string Server::travel(std::string_view arguments, bool is_back) {
  const std::string text = boost::algorithm::trim_copy(std::string(arguments));
  try {
    const Time given = parse_time(text, "monitor");
    const Inferior* const now_at = inferiors_.find(somewhere().process);
    const os::Thread* const thread = now_at == nullptr ? nullptr : now_at->thread(somewhere().thread);
    if (thread == nullptr || history_->is_empty()) return "there is no earlier state yet\n";
    const std::int64_t now_ps = time_ps_at_pc(*now_at, *thread);
    const std::int64_t to_ps = is_back ? std::max<std::int64_t>(0, now_ps - given.count()) : given.count();
    if (to_ps > now_ps) return "that is later than now; `monitor break time` stops there\n";
    history_->go({.time_ps = to_ps,
                  .replies_text = true,
                  .reply = fmt::format("the machine is as it was at {}; gdb sees it after `maintenance flush "
                                       "register-cache`\n",
                                       sanvp::to_text(Time{to_ps})),
                  .session = state()},
                 connection_.descriptor());
  } catch (const Error& error) {
    return std::string(error.what()) + "\n";
  }
}

}  // namespace sanvp::riscv::gdb
