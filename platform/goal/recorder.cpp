#include "platform/goal/recorder.hpp"

#include <algorithm>
#include <utility>

namespace sanvp::goal {
namespace {

constexpr Time tick{1ns};  // of a calc

}  // namespace

void Recorder::record(std::uint32_t number, const host::Recorded& recorded, Time at, Time worked) {
  if (number >= ranks_.size()) return;
  Rank& rank = ranks_[number];
  if (!rank.has_begun) {
    rank.begin = at;
    rank.left = worked;
  }
  rank.has_begun = true;
  rank.end = at;
  leave_out(number, recorded);
  if (rank.is_in_collective) return;
  switch (recorded.what) {
    case HAL_RECORD_ENTER:
      compute(rank, worked);
      return;
    case HAL_RECORD_OTHER:
      ++rank.accesses;
      return;
    case HAL_RECORD_SEND:
      begin_message(rank, Kind::send, recorded);
      break;
    case HAL_RECORD_RECEIVE:
      begin_message(rank, Kind::receive, recorded);
      break;
    case HAL_RECORD_OVER:
      end_message(rank, recorded);
      break;
    case HAL_RECORD_LEAVE:
      break;
  }
  rank.left = std::max(rank.left, worked);
}

/// Counts messages that are of a collective operation, or pass meanwhile: both ends of each must be left out.
void Recorder::leave_out(std::uint32_t number, const host::Recorded& recorded) {
  Rank& rank = ranks_[number];
  switch (recorded.what) {
    case HAL_RECORD_SEND:
      rank.left_out.erase(recorded.request);  // one that was cancelled
      if (rank.is_in_collective && recorded.peer < ranks_.size()) ++left_out_[{number, recorded.peer, recorded.tag}];
      return;
    case HAL_RECORD_RECEIVE:
      rank.left_out.erase(recorded.request);
      if (rank.is_in_collective) rank.left_out.insert(recorded.request);
      return;
    case HAL_RECORD_OVER:
      if (ends_left_out(rank, recorded) && recorded.peer < ranks_.size())
        --left_out_[{recorded.peer, number, recorded.tag}];
      return;
    default:
      return;
  }
}

/// Whether this is the end of a receive that is not recorded: it began in a collective operation, or has ended in one.
bool Recorder::ends_left_out(Rank& rank, const host::Recorded& recorded) {
  if (rank.left_out.erase(recorded.request) > 0) return true;
  const auto recorded_one = rank.under_way.find(recorded.request);
  return rank.is_in_collective && recorded_one != rank.under_way.end() &&
         rank.operations[recorded_one->second].kind == Kind::receive;
}

std::string Recorder::torn_message() const {
  for (const auto& [message, difference] : left_out_)
    if (difference != 0)
      return "from rank " + std::to_string(std::get<0>(message)) + " to rank " + std::to_string(std::get<1>(message));
  return {};
}

/// Since it left the library. Parts of a nanosecond count with what follows.
void Recorder::compute(Rank& rank, Time worked) {
  const std::int64_t ticks = (worked - rank.left) / tick;
  if (ticks <= 0) return;
  const std::uint32_t last = static_cast<std::uint32_t>(rank.operations.size()) - 1;
  if (!rank.operations.empty() && rank.operations[last].kind == Kind::calc && rank.waits_for == std::vector{last}) {
    rank.operations[last].size += static_cast<std::uint64_t>(ticks);  // between two calls without a message
  } else {
    add_busy(rank, {.size = static_cast<std::uint64_t>(ticks)});
  }
  rank.left += ticks * tick;
}

std::uint32_t Recorder::add(Rank& rank, const Operation& operation) {
  const auto number = static_cast<std::uint32_t>(rank.operations.size());
  rank.operations.push_back(operation);
  for (const std::uint32_t before : rank.waits_for) rank.dependences.push_back({.before = before, .after = number});
  return number;
}

/// An operation during which the rank does nothing else.
void Recorder::add_busy(Rank& rank, const Operation& operation) {
  const std::uint32_t number = add(rank, operation);
  if (number > 0 && rank.operations[number - 1].kind == Kind::send)  // in the order of the program
    rank.dependences.push_back({.before = number - 1, .after = number, .at_start = true});
  rank.waits_for.assign(1, number);
}

void Recorder::begin_collective(std::uint32_t number, Collective collective,
                                const std::vector<std::uint32_t>& communicator, Time worked) {
  if (number >= ranks_.size()) return;
  Rank& rank = ranks_[number];
  if (!rank.has_begun) rank.left = worked;
  compute(rank, worked);
  add_busy(rank, {.size = rank.collectives.size(), .kind = Kind::collective});
  collective.communicator = number_of(communicator);
  rank.collectives.push_back(std::move(collective));
  rank.is_in_collective = true;
}

void Recorder::end_collective(std::uint32_t number, Time worked) {
  if (number >= ranks_.size()) return;
  ranks_[number].is_in_collective = false;
  ranks_[number].left = std::max(ranks_[number].left, worked);
}

std::uint32_t Recorder::number_of(const std::vector<std::uint32_t>& communicator) {
  bool is_all = communicator.size() == ranks_.size();
  for (std::uint32_t i = 0; i < communicator.size() && is_all; ++i) is_all = communicator[i] == i;
  if (is_all) return 0;
  return communicators_.emplace(communicator, static_cast<std::uint32_t>(communicators_.size() + 1)).first->second;
}

void Recorder::begin_message(Rank& rank, Kind kind, const host::Recorded& recorded) {
  if (kind == Kind::send && recorded.peer >= ranks_.size()) return;
  Operation message{.kind = kind};
  if (kind == Kind::send) {
    message.size = recorded.bytes;
    message.partner = recorded.peer;
    message.tag = tag_of(recorded.tag);
  }
  rank.under_way[recorded.request] = add(rank, message);
}

void Recorder::end_message(Rank& rank, const host::Recorded& recorded) {
  const auto found = rank.under_way.find(recorded.request);
  if (found == rank.under_way.end()) return;
  const std::uint32_t number = found->second;
  rank.under_way.erase(found);
  Operation& message = rank.operations[number];
  if (message.kind == Kind::receive) {
    message.size = recorded.bytes;
    message.partner = recorded.peer;
    message.tag = tag_of(recorded.tag);
  }
  rank.waits_for.push_back(number);
}

/// A small number for each of the library's, in the order in which they come.
std::uint32_t Recorder::tag_of(std::uint64_t tag) {
  return tags_.emplace(tag, static_cast<std::uint32_t>(tags_.size())).first->second;
}

/// Ranks do not begin together: a calc in front of all has what is between.
void Recorder::begin_later(Rank& rank, Time span) {
  std::vector<bool> waits(rank.operations.size());
  for (goal::Rank::Dependence& one : rank.dependences) {
    waits[one.after] = true;
    ++one.before;
    ++one.after;
  }
  for (std::uint32_t i = 0; i < waits.size(); ++i)
    if (!waits[i]) rank.dependences.push_back({.before = 0, .after = i + 1});
  rank.operations.insert(rank.operations.begin(), {.size = static_cast<std::uint64_t>(span / tick)});
  for (auto& [request, number] : rank.under_way) ++number;
}

Program Recorder::program() {
  Time first = never;
  for (const Rank& rank : ranks_)
    if (rank.has_begun) first = std::min(first, rank.begin);
  Program program;
  for (Rank& rank : ranks_) {
    if (rank.has_begun && rank.begin - first >= tick) begin_later(rank, rank.begin - first);
    // A receive that was never waited for is of no message that is known: nothing may depend on it.
    for (const auto& [request, number] : rank.under_way)
      if (rank.operations[number].kind == Kind::receive) rank.operations[number] = {.kind = Kind::calc};
    program.ranks.emplace_back(std::move(rank.operations), rank.dependences, std::move(rank.collectives));
    rank.operations.clear();
  }
  program.communicators.resize(communicators_.size());
  for (const auto& [ranks, number] : communicators_) program.communicators[number - 1] = ranks;
  return program;
}

Time Recorder::span() const {
  Time begin = never, end{0};
  for (const Rank& rank : ranks_)
    if (rank.has_begun) {
      begin = std::min(begin, rank.begin);
      end = std::max(end, rank.end);
    }
  return begin == never ? Time{0} : end - begin;
}

std::uint64_t Recorder::operations() const {
  std::uint64_t sum = 0;
  for (const Rank& rank : ranks_) sum += rank.operations.size();
  return sum;
}

std::vector<std::string> Recorder::notes() const {
  std::vector<std::string> notes;
  std::uint64_t accesses = 0;
  for (const Rank& rank : ranks_) accesses += rank.accesses;
  if (accesses > 0)
    notes.push_back(
        "--record: " + std::to_string(accesses) +
        " accesses to memory of other ranks, or cancelled messages, are not in the trace, which has messages "
        "alone; its times lack them");
  return notes;
}

}  // namespace sanvp::goal
