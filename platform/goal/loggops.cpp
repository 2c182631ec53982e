#include "platform/goal/loggops.hpp"

#include <algorithm>

#include "platform/core/error.hpp"
#include "platform/core/units.hpp"

namespace sanvp::goal {

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
  return costs;
}

Hosts::Hosts(const Program& program, const LogGops& costs, bool gap_at_receiver, Carry carry)
    : program_(program), costs_(costs), gap_at_receiver_(gap_at_receiver), carry_(std::move(carry)) {
  ranks_.resize(program.ranks.size());
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    const goal::Rank& operations = program.ranks[r];
    Rank& rank = ranks_[r];
    std::size_t cpus = 1, interfaces = 1;
    for (const Operation& one : operations.operations()) {
      cpus = std::max(cpus, std::size_t{one.cpu} + 1);
      interfaces = std::max(interfaces, std::size_t{one.interface} + 1);
    }
    rank.waits_for.resize(operations.size());
    rank.ready.resize(operations.size());
    rank.cpu_free.resize(cpus);
    rank.sender_free.resize(interfaces);
    rank.receiver_free.resize(interfaces);
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
  if (action.is_message) {
    take_message(action);
  } else {
    const Operation& operation = program_.ranks[action.rank][action.what];
    switch (operation.kind) {
      case Kind::calc:
        calc(action, operation);
        break;
      case Kind::send:
        send(action, operation);
        break;
      case Kind::receive:
        receive(action, operation);
        break;
    }
  }
  start_free_ones();
}

/// The unit that it needs is busy. Its turn stays: it came before others.
void Hosts::put_off(Action action, Time until) {
  action.at = until;
  actions_.push(action);
}

void Hosts::calc(const Action& action, const Operation& operation) {
  Rank& rank = ranks_[action.rank];
  Time& cpu = rank.cpu_free[operation.cpu];
  if (cpu > action.at) return put_off(action, cpu);
  constexpr std::int64_t ps_per_ns = 1000;
  const Time span{static_cast<std::int64_t>(operation.size) * ps_per_ns};
  cpu = action.at + span;
  rank.computing += span;
  started(action.rank, action.what, action.at);
  over(action.rank, action.what, cpu);
  if (observe_) observe_(action.rank, action.what, action.at, cpu);
}

void Hosts::send(const Action& action, const Operation& operation) {
  Rank& rank = ranks_[action.rank];
  Time& cpu = rank.cpu_free[operation.cpu];
  Time& interface = rank.sender_free[operation.interface];
  if (const Time free = std::max(cpu, interface); free > action.at) return put_off(action, free);
  const std::int64_t more = later_bytes(operation.size);
  const Time overhead = costs_.o + more * costs_.O;
  cpu = action.at + overhead;
  interface = action.at + costs_.g + more * costs_.G;
  rank.overhead += overhead;
  started(action.rank, action.what, action.at);
  std::uint32_t number = 0;
  if (free_messages_.empty()) {
    number = static_cast<std::uint32_t>(messages_.size());
    messages_.emplace_back();
  } else {
    number = free_messages_.back();
    free_messages_.pop_back();
  }
  messages_[number] = {
      .source = action.rank, .destination = operation.partner, .operation = action.what, .bytes = operation.size};
  ++sent_;
  carry_(number, action.at + costs_.o);
  if (operation.size <= costs_.S) over(action.rank, action.what, cpu);
  if (observe_) observe_(action.rank, action.what, action.at, cpu);
}

void Hosts::receive(const Action& action, const Operation& operation) {
  Rank& rank = ranks_[action.rank];
  started(action.rank, action.what, action.at);
  if (const auto message = rank.unexpected.take(operation.partner, operation.tag))
    match(*message, action.what, action.at, action.at);
  else
    rank.receives.push(operation.partner, operation.tag, action.what);
}

void Hosts::arrived(std::uint32_t message, Time at) {
  actions_.push(
      {.at = at, .turn = turns_++, .rank = messages_[message].destination, .what = message, .is_message = true});
}

/// The CPU takes a message even if its receive comes later. It has the interface and the CPU of its send, by number.
void Hosts::take_message(const Action& action) {
  const Message& message = messages_[action.what];
  Rank& rank = ranks_[action.rank];
  const Operation& sent = program_.ranks[message.source][message.operation];
  Time& cpu = rank.cpu_free[std::min<std::size_t>(sent.cpu, rank.cpu_free.size() - 1)];
  Time& interface = rank.receiver_free[std::min<std::size_t>(sent.interface, rank.receiver_free.size() - 1)];
  if (const Time free = std::max(cpu, interface); free > action.at) return put_off(action, free);
  const std::int64_t more = later_bytes(message.bytes);
  const Time gap = gap_at_receiver_ ? costs_.G : Time{0};
  const Time span = costs_.o + more * std::max(costs_.O, gap);
  cpu = action.at + span;
  interface = action.at + costs_.g + more * gap;
  rank.overhead += span;
  if (const auto receive = rank.receives.take(message.source, sent.tag))
    match(action.what, *receive, action.at, cpu);
  else
    rank.unexpected.push(message.source, sent.tag, action.what);
}

/// @param now  when both are there. @param taken  when the CPU has taken the message
void Hosts::match(std::uint32_t number, std::uint32_t receive, Time now, Time taken) {
  const Message message = messages_[number];
  free_messages_.push_back(number);
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
    Time at = std::max(rank.ready[one.operation], rank.cpu_free[operation.cpu]);
    if (one.kind == Kind::send) at = std::max(at, rank.sender_free[operation.interface]);
    actions_.push({.at = at, .turn = turns_++, .rank = one.rank, .what = one.operation});
  }
  free_.clear();
}

RankTimes Hosts::times(std::uint32_t r) const {
  const Rank& rank = ranks_[r];
  const Time cpu = *std::max_element(rank.cpu_free.begin(), rank.cpu_free.end());
  return {.end = std::max(rank.end, cpu), .computing = rank.computing, .overhead = rank.overhead};
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
