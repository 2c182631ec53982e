/// Hosts that play a program by the LogGOPS model, as LogGOPSim does (T. Hoefler, T. Schneider, A. Lumsdaine:
/// "LogGOPSim - Simulating Large-Scale Applications in the LogGOPS Model", LSAP 2010). A network of any kind carries
/// their messages.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "platform/core/time.hpp"
#include "platform/goal/matching.hpp"
#include "platform/goal/program.hpp"
#include "platform/goal/watcher.hpp"

namespace sanvp::goal {

/// The costs of a message at its ends, and in an ideal network. The defaults are LogGOPSim's.
struct LogGops {
  Time L{2500ns};           ///< latency
  Time o{1500ns};           ///< of the CPU, at each end
  Time g{1000ns};           ///< between two messages of an interface
  Time G{6ns};              ///< of the interface, for each byte but the first
  Time O{0};                ///< of the CPU, for each byte but the first
  std::uint64_t S = 65535;  ///< bytes: longer sends are over when their receive has begun

  /// "L,o,g,G,O,S": nanoseconds, with decimals if you like, and bytes. Throws UserError.
  static LogGops parse(const std::string& text, const std::string& place);
};

/// A message on its way.
struct Message {
  std::uint32_t source = 0;       ///< rank
  std::uint32_t destination = 0;  ///< rank
  std::uint32_t operation = 0;    ///< the send, at its rank
  std::uint64_t bytes = 0;
};

/// What a rank has done by the end.
struct RankTimes {
  Time end{0};        ///< of its last operation
  Time computing{0};  ///< calc
  Time overhead{0};   ///< o and O of messages
};

class Hosts {
 public:
  /// Begins to carry a message at `at`, when the CPU has handed it over, or later. Calls arrived() in the end.
  using Carry = std::function<void(std::uint32_t message, Time at)>;
  /// An operation was started, and its part of the CPU is over at `end`. A receive is told when its message has come.
  using Observe = std::function<void(std::uint32_t rank, std::uint32_t operation, Time start, Time end)>;

  /// @param gap_at_receiver  G is charged by the receiver, as in an ideal network, where its first byte counts as
  ///   arrival; a real network carries bytes at its own rate
  Hosts(const Program& program, const LogGops& costs, bool gap_at_receiver, Carry carry);
  void observe(Observe observe) { observe_ = std::move(observe); }
  /// @param watcher  for good
  void watch(Watcher& watcher) { watcher_ = &watcher; }

  /// The instant of the next action, or `never`.
  Time next() const { return actions_.empty() ? never : actions_.top().at; }
  /// Does it.
  void act();
  /// The message has arrived at its destination. @param at  not earlier than the last action
  void arrived(std::uint32_t message, Time at);

  const Message& message(std::uint32_t number) const { return messages_[number]; }
  std::uint64_t operations_done() const { return done_; }
  std::uint64_t operations() const { return operations_; }
  std::uint64_t messages_sent() const { return sent_; }
  bool is_done() const { return done_ == operations_; }
  RankTimes times(std::uint32_t rank) const;
  /// What the ranks wait for that will not come, a line for each receive and for each message without a receive; at
  /// most `most`.
  std::vector<std::string> unmatched(std::size_t most) const;

 private:
  /// An operation that may start, a message that has arrived, or a unit that those wait for.
  struct Action {
    enum class What : std::uint8_t { operation, message, unit };
    Time at;
    std::uint64_t turn = 0;  ///< among equal instants: which came first
    std::uint32_t rank = 0;
    std::uint32_t number = 0;
    What what = What::operation;
  };
  struct Later {
    bool operator()(const Action& a, const Action& b) const { return a.at != b.at ? a.at > b.at : a.turn > b.turn; }
  };
  struct LaterTurn {
    bool operator()(const Action& a, const Action& b) const { return a.turn > b.turn; }
  };
  /// A CPU, or one direction of an interface. The first action alone that waits for it is in `actions_`, as
  /// an action of the unit: else all would be looked at each time that one of them has had it.
  struct Unit {
    Time free{0};
    std::priority_queue<Action, std::vector<Action>, LaterTurn> waiting{};
  };
  struct Rank {
    std::vector<std::uint32_t> waits_for;  ///< by operation: others that it still waits for
    std::vector<Time> ready;               ///< by operation: when those that it waited for were over
    std::uint32_t cpus = 1;
    std::uint32_t interfaces = 1;
    std::vector<Unit> units;  ///< CPUs, senders of interfaces, their receivers
    MatchQueue receives;      ///< operations
    MatchQueue unexpected;    ///< messages
    Time end{0};              ///< of the operations that are over
    Time computing{0};
    Time overhead{0};

    std::uint32_t cpu(std::uint32_t number) const { return std::min(number, cpus - 1); }
    std::uint32_t sender(std::uint32_t number) const { return cpus + number; }
    std::uint32_t receiver(std::uint32_t number) const { return cpus + interfaces + std::min(number, interfaces - 1); }
  };

  void start(const Action& action);
  bool waits(const Action& action, std::uint32_t unit, std::uint32_t other);
  void announce(std::uint32_t rank, std::uint32_t unit, Time now);
  void end_wait(const Action& action);
  void calc(const Action& action, const Operation& operation);
  void send(const Action& action, const Operation& operation);
  void receive(const Action& action, const Operation& operation);
  void take_message(const Action& action);
  void match(std::uint32_t number, std::uint32_t receive, Time now, Time taken);
  void started(std::uint32_t rank, std::uint32_t operation, Time at);
  void over(std::uint32_t rank, std::uint32_t operation, Time at);
  void no_longer_waits(std::uint32_t rank, std::uint32_t operation, Time at);
  void start_free_ones();
  static std::int64_t later_bytes(std::uint64_t bytes) { return bytes == 0 ? 0 : static_cast<std::int64_t>(bytes - 1); }

  const Program& program_;
  LogGops costs_;
  bool gap_at_receiver_;
  Carry carry_;
  Observe observe_;
  Watcher* watcher_ = nullptr;
  std::vector<Rank> ranks_;
  std::priority_queue<Action, std::vector<Action>, Later> actions_;
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_messages_;
  struct Free {
    std::uint32_t rank = 0;
    Kind kind = Kind::calc;
    std::uint32_t operation = 0;
    bool operator<(const Free& other) const { return rank != other.rank ? rank < other.rank : kind < other.kind; }
  };
  std::vector<Free> free_;  ///< operations that the present action has made free
  std::uint64_t turns_ = 0;
  std::uint64_t operations_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t sent_ = 0;
};

}  // namespace sanvp::goal
