/// One-sided communication: which accesses to a window's memory may meet, and which epochs are open.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/mpi_check/post.hpp"
#include "platform/mpi_check/rank.hpp"

namespace sanvp::mpi_check {

class Job;

enum class Way { put, get, accumulate };
enum class Epoch { none, fence, group, lock };

/// An access to a rank's memory in a window.
struct Access {
  Site site;
  Way way = Way::put;
  std::string operation;         ///< of an accumulation; "" where only one of its kind is known
  int origin = -1, target = -1;  ///< ranks of the window
  std::vector<Bytes> blocks;     ///< in the target's memory
  Data data;                     ///< there
  std::uint64_t address = 0;     ///< there
  Epoch epoch = Epoch::none;
  std::uint64_t fence = 0;  ///< number of the epoch between fences
  bool is_exclusive = false;
  bool is_closed = false;  ///< the origin's epoch is over
  bool is_over = false;    ///< the target's is
  bool has_conflict = false;
  Data local;  ///< the origin's data, with their hash when the access began
  std::uint64_t buffer = 0;
  std::optional<std::uint64_t> hash;
  std::optional<std::uint64_t> put{};  ///< the same once the buffer is free
  std::uint64_t owner = 0;             ///< of the use of the buffer
  std::uint64_t request = 0;           ///< 0: none
  bool fetches = false;                ///< its end is its end at the target
};

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
  std::vector<Access> accesses;
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
