/// The program once more as if no send were buffered and every collective operation a barrier: with the messages
/// matched as they were, each thread of each rank continues only when its call could end. One that never does is a
/// deadlock on another machine.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "platform/mpi_check/post.hpp"

namespace sanvp::mpi_check {

class Synchronous {
 public:
  /// A call that a rank has made: what it begins, and what must be over before the next one.
  struct Step {
    Site site;
    std::vector<std::shared_ptr<Post>> begins;
    std::vector<std::shared_ptr<Post>> waits_for;
    bool has_begun = false;
  };
  /// @param found  is called for each cycle of calls that wait for each other
  Synchronous(std::size_t ranks, std::function<void(const std::vector<Site>&)> found);

  void add(int rank, std::uint64_t thread, Step step);
  /// More is known of what these wait for.
  void matched(const Post& one, const Post& other);
  /// All ranks have ended: a send without receive waits for nothing.
  void finish();

 private:
  using Steps = std::deque<Step>;                ///< of a thread, those that have not gone on
  using Thread = std::pair<int, std::uint64_t>;  ///< a rank's
  struct State {
    Steps steps{};
    std::size_t next_search;  ///< the length of its steps at which it is
  };

  void advance(int rank);
  bool advance_one(Steps& steps);
  State& state(const Thread& thread);
  void pass(Post& post);
  static bool holds(const Post& post);
  static Post* unmet(const Step& step);
  static Thread blocker(const Post& post);
  bool find_cycle(Thread from);

  std::vector<std::map<std::uint64_t, State>> threads_;  ///< [rank]
  std::vector<int> to_look_at_;
  std::function<void(const std::vector<Site>&)> found_;
};

}  // namespace sanvp::mpi_check
