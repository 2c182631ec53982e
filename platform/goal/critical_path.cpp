#include "platform/goal/critical_path.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

namespace sanvp::goal {
namespace {

/// What kept a CPU or an interface busy until an instant.
struct Busy {
  enum class What : std::uint8_t { operation, sending, taking };
  std::uint32_t unit = 0;  ///< CPUs, then sending interfaces, then receiving ones, as in Hosts
  Time until{0};
  Time from{0};
  std::uint32_t number = 0;  ///< operation, or transfer
  What what = What::operation;

  bool operator<(const Busy& other) const { return unit != other.unit ? unit < other.unit : until < other.until; }
};

/// What the walk needs of a rank, made when the path first comes to it.
struct Facts {
  std::vector<std::vector<Successor>> waits_for;  ///< by operation; `operation` is the one before
  std::vector<Busy> busy;                         ///< in order
  std::uint32_t cpus = 1, interfaces = 1;
};

class Walk {
 public:
  Walk(const Program& program, const LogGops& costs, History& history, bool gap_at_receiver,
       const SerialisationOf& serialisation)
      : program_(program),
        costs_(costs),
        history_(history),
        gap_(gap_at_receiver ? costs.G : Time{0}),
        serialisation_(serialisation),
        facts_(program.ranks.size()),
        to_(program.ranks.size()) {}

  CriticalPath run();

 private:
  Facts& facts(std::uint32_t rank);
  void add_busy(std::uint32_t rank, Facts& facts);
  Time more(std::uint64_t bytes, Time each) const { return bytes == 0 ? Time{0} : (std::int64_t(bytes) - 1) * each; }

  /// Continues at what let the operation, or the taking of a message, start at `now_`.
  void step_before(std::uint32_t operation);
  bool step_to_predecessor(std::uint32_t operation);
  bool step_to_busy(std::uint32_t unit);
  void step_over_end(std::uint32_t operation);
  void step_over_taking(std::uint32_t transfer);
  void step_over_network(std::uint32_t transfer);

  /// Moves back to `time`. @param share  what was going on since then
  void back_to(Time time, Time& share) {
    share += now_ - time;
    now_ = time;
  }

  const Program& program_;
  const LogGops& costs_;
  History& history_;
  Time gap_;
  const SerialisationOf& serialisation_;
  std::vector<std::optional<Facts>> facts_;
  std::vector<std::vector<std::uint32_t>> to_;  ///< by rank: transfers to it
  CriticalPath path_;
  // The position of the walk:
  std::uint32_t rank_ = 0;
  Time now_{0};
  std::optional<std::uint32_t> ended_;   ///< an operation that ended now
  std::optional<std::uint32_t> starts_;  ///< one that started now
};

CriticalPath Walk::run() {
  std::uint32_t last = 0;
  for (std::uint32_t rank = 0; rank < program_.ranks.size(); ++rank)
    for (std::uint32_t i = 0; i < program_.ranks[rank].size(); ++i) {
      const History::Record& record = history_.record(rank, i);
      if (program_.ranks[rank][i].kind == Kind::send) to_[program_.ranks[rank][i].partner].push_back(record.transfer);
      if (record.end <= now_) continue;
      now_ = record.end;
      rank_ = rank;
      last = i;
    }
  if (now_ > Time{0}) ended_ = last;
  while (now_ > Time{0}) {
    if (ended_) {
      const std::uint32_t one = *ended_;
      ended_.reset();
      step_over_end(one);
    } else {
      const std::uint32_t one = starts_.value();
      starts_.reset();
      step_before(one);
    }
  }
  return path_;
}

Facts& Walk::facts(std::uint32_t rank) {
  if (facts_[rank]) return *facts_[rank];
  Facts& one = facts_[rank].emplace();
  const Rank& operations = program_.ranks[rank];
  one.waits_for.resize(operations.size());
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    for (const Successor* next = operations.successors_begin(i); next != operations.successors_end(i); ++next)
      one.waits_for[next->operation].push_back({.operation = i & INT32_MAX, .at_start = next->at_start});
    one.cpus = std::max(one.cpus, std::uint32_t{operations[i].cpu} + 1);
    one.interfaces = std::max(one.interfaces, std::uint32_t{operations[i].interface} + 1);
  }
  add_busy(rank, one);
  return one;
}

void Walk::add_busy(std::uint32_t rank, Facts& one) {
  const Rank& operations = program_.ranks[rank];
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    const History::Record& record = history_.record(rank, i);
    if (operation.kind == Kind::receive) continue;
    one.busy.push_back({.unit = operation.cpu, .until = record.until, .from = record.start, .number = i});
    if (operation.kind == Kind::send)
      one.busy.push_back({.unit = one.cpus + operation.interface,
                          .until = record.start + costs_.g + more(operation.size, costs_.G),
                          .from = record.start,
                          .number = i,
                          .what = Busy::What::sending});
  }
  for (const std::uint32_t number : to_[rank]) {
    const History::Transfer& transfer = history_.transfer(number);
    const Operation& sent = program_.ranks[transfer.message.source][transfer.message.operation];
    Busy busy{.unit = std::min<std::uint32_t>(sent.cpu, one.cpus - 1),
              .until = transfer.taken,
              .from = transfer.taking,
              .number = number,
              .what = Busy::What::taking};
    one.busy.push_back(busy);
    busy.unit = one.cpus + one.interfaces + std::min<std::uint32_t>(sent.interface, one.interfaces - 1);
    busy.until = transfer.taking + costs_.g + more(transfer.message.bytes, gap_);
    one.busy.push_back(busy);
  }
  std::sort(one.busy.begin(), one.busy.end());
}

void Walk::step_over_end(std::uint32_t operation) {
  const History::Record& record = history_.record(rank_, operation);
  switch (program_.ranks[rank_][operation].kind) {
    case Kind::collective:
    case Kind::calc:
      back_to(record.start, path_.computing);
      starts_ = operation;
      return;
    case Kind::send:
      if (program_.ranks[rank_][operation].size <= costs_.S) {
        back_to(record.start, path_.overhead);
        starts_ = operation;
        return;
      }
      [[fallthrough]];  // it ended when its receive had begun
    case Kind::receive: {
      const History::Transfer& transfer = history_.transfer(record.transfer);
      rank_ = transfer.message.destination;
      if (history_.record(rank_, transfer.receive).start > transfer.taking)
        starts_ = transfer.receive;  // the message was there before
      else
        step_over_taking(record.transfer);
      return;
    }
  }
}

/// At the end of the taking or within it.
void Walk::step_over_taking(std::uint32_t number) {
  const History::Transfer& transfer = history_.transfer(number);
  const Time own = std::min(now_ - transfer.taking, costs_.o + more(transfer.message.bytes, costs_.O));
  back_to(transfer.taking + own, path_.bandwidth);  // G, where that takes longer than O
  back_to(transfer.taking, path_.overhead);
  if (transfer.taking > transfer.arrived) {
    const Operation& sent = program_.ranks[transfer.message.source][transfer.message.operation];
    const Facts& here = facts(rank_);
    if (step_to_busy(std::min<std::uint32_t>(sent.cpu, here.cpus - 1)) ||
        step_to_busy(here.cpus + here.interfaces + std::min<std::uint32_t>(sent.interface, here.interfaces - 1)))
      return;
    throw std::logic_error("critical path: a message to rank " + std::to_string(rank_) + " waited without a cause");
  }
  step_over_network(number);
}

void Walk::step_over_network(std::uint32_t number) {
  const History::Transfer& transfer = history_.transfer(number);
  ++path_.messages;
  if (serialisation_ && transfer.injected != never) {
    const Serialisation bytes = serialisation_(transfer.message);
    const auto wait = [&](int channel, Time span) {
      span = std::min(span, now_ - transfer.at);
      path_.by_channel[channel] += span;
      back_to(now_ - span, path_.contention);
    };
    for (const History::Wait& one : history_.waits_of(number)) wait(one.channel, one.span);
    const Time queued = std::max(Time{0}, transfer.injected - transfer.at - bytes.before);
    if (queued > Time{0}) wait(bytes.channel, queued);
    back_to(now_ - std::min(now_ - transfer.at, bytes.before + bytes.last), path_.bandwidth);
  }
  back_to(transfer.at, path_.latency);
  rank_ = transfer.message.source;
  back_to(history_.record(rank_, transfer.message.operation).start, path_.overhead);
  starts_ = transfer.message.operation;
}

void Walk::step_before(std::uint32_t operation) {
  if (step_to_predecessor(operation)) return;
  const Operation& one = program_.ranks[rank_][operation];
  if (one.kind != Kind::receive && step_to_busy(one.cpu)) return;
  if (one.kind == Kind::send && step_to_busy(facts(rank_).cpus + one.interface)) return;
  if (one.kind == Kind::receive && step_to_busy(one.cpu)) return;
  throw std::logic_error("critical path: an operation of rank " + std::to_string(rank_) + " started without a cause");
}

bool Walk::step_to_predecessor(std::uint32_t operation) {
  for (const Successor& before : facts(rank_).waits_for[operation]) {
    const History::Record& record = history_.record(rank_, before.operation);
    if ((before.at_start ? record.start : record.end) != now_) continue;
    (before.at_start ? starts_ : ended_) = before.operation;
    return true;
  }
  return false;
}

/// If the unit was busy until now, continues with what kept it so.
bool Walk::step_to_busy(std::uint32_t unit) {
  const std::vector<Busy>& busy = facts(rank_).busy;
  for (auto one = std::lower_bound(busy.begin(), busy.end(), Busy{.unit = unit, .until = now_});
       one != busy.end() && one->unit == unit && one->until == now_; ++one) {
    if (one->from == now_) continue;
    if (one->what == Busy::What::taking) {
      const History::Transfer& transfer = history_.transfer(one->number);
      if (now_ > transfer.taken) back_to(transfer.taken, path_.bandwidth);  // the interface is busy for longer
      step_over_taking(one->number);
      return true;
    }
    const bool is_calc = program_.ranks[rank_][one->number].kind == Kind::calc;
    const Time until = history_.record(rank_, one->number).until;
    if (now_ > until) back_to(until, path_.bandwidth);
    back_to(one->from, is_calc ? path_.computing : path_.overhead);
    starts_ = one->number;
    return true;
  }
  return false;
}

}  // namespace

CriticalPath critical_path(const Program& program, const LogGops& costs, History& history, bool gap_at_receiver,
                           const SerialisationOf& serialisation) {
  return Walk(program, costs, history, gap_at_receiver, serialisation).run();
}

}  // namespace sanvp::goal
