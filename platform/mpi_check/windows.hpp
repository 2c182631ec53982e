/// One-sided communication: which accesses to a window's memory may meet, and which epochs are open.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "platform/mpi_check/accesses.hpp"
#include "platform/mpi_check/rank.hpp"

namespace sanvp::mpi_check {

class Job;

struct Window {
  struct Member {
    std::uint64_t base = 0;
    std::uint64_t unit = 1;
    bool is_dynamic = false;
    std::uint64_t fences = 0;
    bool has_started = false, has_posted = false, has_lock_all = false;
    std::map<int, bool> locks;  ///< by target: whether exclusive
    int open_locks = 0;         ///< that others hold here
    Site opened;                ///< the call that opened its last epoch
  };
  std::shared_ptr<const Communicator> communicator;
  std::vector<Member> members;
  Accesses accesses;
};

class Windows {
 public:
  /// A rank's window; null where it is not known.
  std::shared_ptr<Window> of(int rank, std::uint64_t handle) const;
  void add(Rank& rank, std::uint64_t handle, const Window::Member& member);
  void remove(int rank, std::uint64_t handle) { by_handle_.erase({rank, handle}); }

  void begin(Job& job, Rank& rank, std::uint64_t handle, Access access);
  /// The origin's accesses to a target, below 0: to all, are over: compares its buffers.
  static void close(Job& job, Rank& rank, Window& window, int target);
  /// The same for one access that has a request.
  void end_request(Job& job, Rank& rank, std::uint64_t request);
  /// A target's exposure epoch is over: what was put must be there.
  static void verify(Job& job, Rank& rank, Window& window, Epoch epoch);
  void finish(Job& job) const;

 private:
  static void free_buffer(Job& job, Rank& rank, Access& access);

  std::uint64_t next_ = 0;
  std::map<std::pair<int, std::uint64_t>, std::shared_ptr<Window>> by_handle_;
  std::map<std::pair<std::uint32_t, int>, std::weak_ptr<Window>> by_context_;
};

}  // namespace sanvp::mpi_check
