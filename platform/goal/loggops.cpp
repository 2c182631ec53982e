#include "platform/goal/loggops.hpp"

#include <algorithm>

#include "platform/core/error.hpp"
#include "platform/core/units.hpp"

namespace sanvp::goal {
namespace {

// No sum of an instant and one operation's costs exceeds what simulated time can hold: each is a quarter at most.
constexpr Time latest = never / 4;
constexpr Time most_cost{1'000'000'000'000'000};  // 1,000 s
constexpr Time most_cost_of_byte{1'000'000};      // 1 us

}  // namespace

LogGops LogGops::parse(const std::string& text, const std::string& place) {
  std::vector<std::string> fields(1);
  for (const char c : text)
    if (c == ',')
      fields.emplace_back();
    else
      fields.back() += c;
  constexpr std::size_t count = 6;
  if (fields.size() != count)
    throw UserError(place, "six numbers are needed, L,o,g,G,O,S, not " + std::to_string(fields.size()),
                    "give times in nanoseconds and S in bytes, such as 2500,1500,1000,6,0,65535");
  const auto ns = [&](std::size_t i) { return parse_time(fields[i] + "ns", place); };
  LogGops costs{.L = ns(0), .o = ns(1), .g = ns(2), .G = ns(3), .O = ns(4)};
  costs.S = static_cast<std::uint64_t>(parse_size(fields[5] + "B", place));
  if (std::max({costs.L, costs.o, costs.g}) > most_cost || std::max(costs.G, costs.O) > most_cost_of_byte)
    throw UserError(place, "a cost is too large", "the most is 1e12 for L, o and g, and 1000 for G and O");
  return costs;
}

Hosts::Hosts(const Program& program, const LogGops& costs, bool gap_at_receiver, Carry carry)
    : program_(program), costs_(costs), gap_at_receiver_(gap_at_receiver), carry_(std::move(carry)) {
  ranks_.resize(program.ranks.size());
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    const goal::Rank& operations = program.ranks[r];
    Rank& rank = ranks_[r];
    for (const Operation& one : operations.operations()) {
      rank.cpus = std::max(rank.cpus, std::uint32_t{one.cpu} + 1);
      rank.interfaces = std::max(rank.interfaces, std::uint32_t{one.interface} + 1);
    }
    rank.waits_for.resize(operations.size());
    rank.ready.resize(operations.size());
    rank.units.resize(rank.cpus + 2 * rank.interfaces);
    operations_ += operations.size();
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      rank.waits_for[i] = operations.predecessors(i);
      if (rank.waits_for[i] == 0) free_.push_back({.rank = r, .kind = operations[i].kind, .operation = i});
    }
  }
  start_free_ones();
}

void Hosts::act() {
  const Action action = actions_.top();
  actions_.pop();
  if (action.at > latest)
    throw UserError("rank " + std::to_string(action.rank), "the program takes more than 26 days of simulated time",
                    "shorten its calcs or its messages");
  if (action.what == Action::What::unit)
    end_wait(action);
  else
    start(action);
  start_free_ones();
}

void Hosts::start(const Action& action) {
  if (action.what == Action::What::message) return take_message(action);
  const Operation& operation = program_.ranks[action.rank][action.number];
  switch (operation.kind) {
    case Kind::calc:
      return calc(action, operation);
    case Kind::send:
      return send(action, operation);
    case Kind::receive:
      return receive(action, operation);
    case Kind::collective:
      return;  // these hosts have no library that could do it: the caller refuses such programs
  }
}

/// If one of the two units is busy, the action waits for the one that is busy longer. Its turn stays: it came before
/// others.
bool Hosts::waits(const Action& action, std::uint32_t unit, std::uint32_t other) {
  Rank& rank = ranks_[action.rank];
  const std::uint32_t later = rank.units[unit].free >= rank.units[other].free ? unit : other;
  Unit& busy = rank.units[later];
  if (busy.free <= action.at) return false;
  const bool is_first = busy.waiting.empty() || action.turn < busy.waiting.top().turn;
  busy.waiting.push(action);
  if (is_first) announce(action.rank, later, action.at);
  return true;
}

/// The first action that waits for the unit acts when it is free.
void Hosts::announce(std::uint32_t rank, std::uint32_t unit, Time now) {
  const Unit& one = ranks_[rank].units[unit];
  actions_.push({.at = std::max(one.free, now),
                 .turn = one.waiting.top().turn,
                 .rank = rank,
                 .number = unit,
                 .what = Action::What::unit});
}

void Hosts::end_wait(const Action& action) {
  Unit& unit = ranks_[action.rank].units[action.number];
  if (unit.waiting.empty() || unit.waiting.top().turn != action.turn) return;  // another one has come before it
  if (unit.free > action.at)
    return announce(action.rank, action.number, action.at);  // one that did not wait has had it
  Action first = unit.waiting.top();
  unit.waiting.pop();
  first.at = action.at;
  start(first);
  if (!unit.waiting.empty()) announce(action.rank, action.number, action.at);
}

void Hosts::calc(const Action& action, const Operation& operation) {
  Rank& rank = ranks_[action.rank];
  if (waits(action, operation.cpu, operation.cpu)) return;
  Time& cpu = rank.units[operation.cpu].free;
  constexpr std::int64_t ps_per_ns = 1000;
  const Time span{static_cast<std::int64_t>(operation.size) * ps_per_ns};
  cpu = action.at + span;
  rank.computing += span;
  started(action.rank, action.number, action.at);
  over(action.rank, action.number, cpu);
  if (observe_) observe_(action.rank, action.number, action.at, cpu);
  if (watcher_ != nullptr) watcher_->started(action.rank, action.number, action.at, cpu);
}

void Hosts::send(const Action& action, const Operation& operation) {
  Rank& rank = ranks_[action.rank];
  if (waits(action, operation.cpu, rank.sender(operation.interface))) return;
  Time& cpu = rank.units[operation.cpu].free;
  Time& interface = rank.units[rank.sender(operation.interface)].free;
  const std::int64_t more = later_bytes(operation.size);
  const Time overhead = costs_.o + more * costs_.O;
  cpu = action.at + overhead;
  interface = action.at + costs_.g + more * costs_.G;
  rank.overhead += overhead;
  started(action.rank, action.number, action.at);
  std::uint32_t number = 0;
  if (free_messages_.empty()) {
    number = static_cast<std::uint32_t>(messages_.size());
    messages_.emplace_back();
  } else {
    number = free_messages_.back();
    free_messages_.pop_back();
  }
  messages_[number] = {
      .source = action.rank, .destination = operation.partner, .operation = action.number, .bytes = operation.size};
  ++sent_;
  if (watcher_ != nullptr) {
    watcher_->started(action.rank, action.number, action.at, cpu);
    watcher_->carried(messages_[number], action.at + costs_.o);
  }
  carry_(number, action.at + costs_.o);
  if (operation.size <= costs_.S) over(action.rank, action.number, cpu);
  if (observe_) observe_(action.rank, action.number, action.at, cpu);
}

void Hosts::receive(const Action& action, const Operation& operation) {
  Rank& rank = ranks_[action.rank];
  if (watcher_ != nullptr) watcher_->started(action.rank, action.number, action.at, action.at);
  started(action.rank, action.number, action.at);
  if (const auto message = rank.unexpected.take(operation.partner, operation.tag))
    match(*message, action.number, action.at, action.at);
  else
    rank.receives.push(operation.partner, operation.tag, action.number);
}

void Hosts::arrived(std::uint32_t message, Time at) {
  if (watcher_ != nullptr) watcher_->arrived(messages_[message], at);
  actions_.push({.at = at,
                 .turn = turns_++,
                 .rank = messages_[message].destination,
                 .number = message,
                 .what = Action::What::message});
}

/// The CPU takes a message even if its receive comes later. It has the interface and the CPU of its send, by number.
void Hosts::take_message(const Action& action) {
  const Message& message = messages_[action.number];
  Rank& rank = ranks_[action.rank];
  const Operation& sent = program_.ranks[message.source][message.operation];
  if (waits(action, rank.cpu(sent.cpu), rank.receiver(sent.interface))) return;
  Time& cpu = rank.units[rank.cpu(sent.cpu)].free;
  Time& interface = rank.units[rank.receiver(sent.interface)].free;
  const std::int64_t more = later_bytes(message.bytes);
  const Time gap = gap_at_receiver_ ? costs_.G : Time{0};
  const Time span = costs_.o + more * std::max(costs_.O, gap);
  cpu = action.at + span;
  interface = action.at + costs_.g + more * gap;
  rank.overhead += span;
  if (watcher_ != nullptr) watcher_->taken(message, action.at, cpu);
  if (const auto receive = rank.receives.take(message.source, sent.tag))
    match(action.number, *receive, action.at, cpu);
  else
    rank.unexpected.push(message.source, sent.tag, action.number);
}

/// @param now  when both are there. @param taken  when the CPU has taken the message
void Hosts::match(std::uint32_t number, std::uint32_t receive, Time now, Time taken) {
  const Message message = messages_[number];
  free_messages_.push_back(number);
  if (watcher_ != nullptr) watcher_->matched(message, receive, now, taken);
  over(message.destination, receive, taken);
  if (message.bytes > costs_.S) over(message.source, message.operation, now);
  if (observe_) observe_(message.destination, receive, now, taken);
}

void Hosts::started(std::uint32_t rank, std::uint32_t operation, Time at) {
  const goal::Rank& operations = program_.ranks[rank];
  for (const Successor* next = operations.successors_begin(operation); next != operations.successors_end(operation);
       ++next)
    if (next->at_start) no_longer_waits(rank, next->operation, at);
}

void Hosts::over(std::uint32_t rank, std::uint32_t operation, Time at) {
  ++done_;
  ranks_[rank].end = std::max(ranks_[rank].end, at);
  const goal::Rank& operations = program_.ranks[rank];
  for (const Successor* next = operations.successors_begin(operation); next != operations.successors_end(operation);
       ++next)
    if (!next->at_start) no_longer_waits(rank, next->operation, at);
}

void Hosts::no_longer_waits(std::uint32_t r, std::uint32_t operation, Time at) {
  Rank& rank = ranks_[r];
  rank.ready[operation] = std::max(rank.ready[operation], at);
  if (--rank.waits_for[operation] == 0)
    free_.push_back({.rank = r, .kind = program_.ranks[r][operation].kind, .operation = operation});
}

void Hosts::start_free_ones() {
  std::stable_sort(free_.begin(), free_.end());  // among equal ones in the order in which they became free
  for (const Free& one : free_) {
    const Rank& rank = ranks_[one.rank];
    const Operation& operation = program_.ranks[one.rank][one.operation];
    Time at = std::max(rank.ready[one.operation], rank.units[operation.cpu].free);
    if (one.kind == Kind::send) at = std::max(at, rank.units[rank.sender(operation.interface)].free);
    actions_.push({.at = at, .turn = turns_++, .rank = one.rank, .number = one.operation});
  }
  free_.clear();
}

RankTimes Hosts::times(std::uint32_t r) const {
  const Rank& rank = ranks_[r];
  Time end = rank.end;
  for (std::uint32_t cpu = 0; cpu < rank.cpus; ++cpu) end = std::max(end, rank.units[cpu].free);
  return {.end = end, .computing = rank.computing, .overhead = rank.overhead};
}

std::vector<std::string> Hosts::unmatched(std::size_t most) const {
  std::vector<std::string> lines;
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    const std::string place = "rank " + std::to_string(r) + ": ";
    for (const std::uint32_t receive : ranks_[r].receives.all()) {
      if (lines.size() == most) return lines;
      lines.push_back(place + "no message comes for the " + describe(program_.ranks[r][receive]));
    }
    for (const std::uint32_t number : ranks_[r].unexpected.all()) {
      if (lines.size() == most) return lines;
      const Message& message = messages_[number];
      lines.push_back(place + "no receive takes the " + describe(program_.ranks[message.source][message.operation]) +
                      " from rank " + std::to_string(message.source));
    }
  }
  return lines;
}

}  // namespace sanvp::goal
