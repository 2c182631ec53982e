/// Makes GOAL of what the ranks of a job tell of their messages (sw/abi/hal/recorded.h): each rank does one thing after
/// the other, a message that it has begun continues beside that, and what it has waited for is over.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "models/host/services.hpp"
#include "platform/goal/program.hpp"

namespace sanvp::goal {

class Recorder {
 public:
  /// @param ranks  of the program; what goes to others, such as servers of files, is left out
  explicit Recorder(std::size_t ranks) : ranks_(ranks) {}

  /// @param worked  time for which the rank's code has been executed so far
  void record(std::uint32_t rank, const host::Recorded& recorded, Time at, Time worked);
  /// From now until its end, messages are those of a collective operation, and are not recorded: it is.
  /// @param communicator  its ranks in the program, in its order
  void begin_collective(std::uint32_t rank, Collective collective, const std::vector<std::uint32_t>& communicator,
                        Time worked);
  void end_collective(std::uint32_t rank, Time worked);
  /// Once, when all is over.
  Program program();
  /// From the first rank's first message to the last rank's last one.
  Time span() const;
  std::uint64_t operations() const;
  /// A message of which one end was in a collective operation, where it is not recorded, and the other was not: without
  /// it the trace would wait for ever. Empty: none.
  std::string torn_message() const;
  /// What a trace lacks, a line each: accesses to other processes' memory, messages that no rank has waited for.
  std::vector<std::string> notes() const;

 private:
  struct Rank {
    std::vector<Operation> operations{};
    std::vector<goal::Rank::Dependence> dependences{};
    std::vector<Collective> collectives{};
    bool is_in_collective = false;
    std::set<std::uint64_t> left_out{};                            ///< requests of receives that began in one
    std::vector<std::uint32_t> waits_for{};                        ///< what the next operation waits for
    std::unordered_map<std::uint64_t, std::uint32_t> under_way{};  ///< by request
    bool has_begun = false;
    Time begin{0};
    Time end{0};
    Time left{0};  ///< what it had worked when it left the library, since when it computes
    std::uint64_t accesses = 0;
  };

  void leave_out(std::uint32_t number, const host::Recorded& recorded);
  bool ends_left_out(Rank& rank, const host::Recorded& recorded);
  void compute(Rank& rank, Time worked);
  void begin_message(Rank& rank, Kind kind, const host::Recorded& recorded);
  void end_message(Rank& rank, const host::Recorded& recorded);
  static std::uint32_t add(Rank& rank, const Operation& operation);
  static void add_busy(Rank& rank, const Operation& operation);
  std::uint32_t tag_of(std::uint64_t tag);
  static void begin_later(Rank& rank, Time span);
  std::uint32_t number_of(const std::vector<std::uint32_t>& communicator);

  std::vector<Rank> ranks_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> communicators_;
  std::unordered_map<std::uint64_t, std::uint32_t> tags_;  ///< of the library, which tell communicators apart
  /// Messages that are left out, sent less received, by sender, receiver and tag.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, std::int64_t> left_out_;
};

}  // namespace sanvp::goal
