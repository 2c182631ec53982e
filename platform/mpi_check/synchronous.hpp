/// The program once more as if no send were buffered and every collective operation a barrier: with the messages
/// matched as they were, each rank goes on only when its call could end. What never goes on is a deadlock on another
/// machine.
#pragma once

#include <deque>
#include <functional>
#include <memory>
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

  void add(int rank, Step step);
  /// More is known of what these wait for.
  void matched(const Post& one, const Post& other);
  /// All ranks have ended: a send without receive waits for nothing.
  void finish();

 private:
  void advance(int rank);
  bool advance_one(int rank);
  void pass(Post& post);
  static bool holds(const Post& post);
  static Post* unmet(const Step& step);
  int blocker(const Post& post) const;
  bool find_cycle(int from);

  std::vector<std::deque<Step>> steps_;  ///< [rank], those that have not gone on
  std::vector<int> to_look_at_;
  std::vector<std::size_t> next_search_;  ///< [rank], the length of its steps at which it is
  std::function<void(const std::vector<Site>&)> found_;
};

}  // namespace sanvp::mpi_check
