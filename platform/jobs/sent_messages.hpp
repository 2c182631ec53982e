/// Messages of a job's programs that are sent and not received yet, and the receives that wait: which messages no
/// receive takes.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sanvp::jobs {

class SentMessages {
 public:
  static constexpr std::uint64_t unknown_tag = UINT64_MAX;  ///< of a program that was linked before tags were reported

  /// @param tag  with the communicator's context in its upper half (sw/mpi)
  void sent(int from, int to, std::uint64_t tag, std::uint64_t bytes);
  /// @param receive  tells it from others of the rank that wait. @param from  below 0: any
  void posted(int to, std::uint64_t receive, int from, std::uint64_t tag, std::uint64_t mask);
  /// A receive has got its message and its program has it; 0: a send was cancelled. Below 0 as `from`: without a
  /// message, which a cancelled receive has not got; or the sender is not known.
  void over(int from, int to, std::uint64_t tag, std::uint64_t receive);

  /// A message that is not received, or a receive that waits.
  struct Open {
    int from;  ///< below 0: any
    int to;
    std::string tag;  ///< a number, or "any"
    std::string communicator;
    std::uint64_t bytes = 0;  ///< of a message
  };
  /// Both in order of rank and time.
  std::vector<Open> sends() const;
  std::vector<Open> receives() const;

  /// Messages to each of so many ranks.
  std::vector<std::int64_t> counts(std::size_t ranks) const;
  /// Messages to a rank that no posted receive can take.
  std::int64_t unmatched_at(int rank) const;
  /// A line for each message that no posted receive can take: "to rank 1: from rank 0, tag 7, MPI_COMM_WORLD, 4 bytes".
  std::vector<std::string> unmatched() const;

 private:
  struct Message {
    std::uint64_t number, bytes;
  };
  struct Receive {
    std::uint64_t number, tag, mask;
    int from;
  };
  struct Rank {
    std::map<std::pair<int, std::uint64_t>, std::deque<Message>> messages;  ///< by sender and tag
    std::map<std::uint64_t, Receive> receives;
  };

  struct Left {
    int from;
    std::uint64_t tag;
    Message message;
  };
  /// The messages that no receive takes, in order of time.
  static std::vector<Left> left_of(const Rank& rank);

  std::map<int, Rank> ranks_;
  std::uint64_t number_ = 0;  ///< of messages and receives, in their order
};

}  // namespace sanvp::jobs
