/// One-sided communication: accesses to the memory of windows that nothing orders, and which epochs are open.
///
/// The order of accesses is that of vector clocks. An epoch's end, a message, a collective operation tell others what a
/// rank has done; an access is over for those that know of the call that has ended it at the target.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "platform/mpi_check/accesses.hpp"
#include "platform/mpi_check/clocks.hpp"
#include "platform/mpi_check/rank.hpp"

namespace sanvp::mpi_check {

class Job;

struct Window {
  struct Held {
    bool is_exclusive = false;
    bool is_checked = true;  ///< without MPI_MODE_NOCHECK: others were kept out
  };
  /// What a call promises: an assertion, and the call.
  struct Promise {
    int assertion = 0;
    Site site;
  };
  struct Member {
    std::uint64_t base = 0;
    std::uint64_t bytes = 0;
    std::uint64_t unit = 1;
    bool is_dynamic = false;
    bool is_shared = false;   ///< others reach it by loads and stores, too
    bool is_users = false;    ///< the program's own memory: MPI_Win_create
    std::uint64_t stack = 0;  ///< where the stack was when the window was made
    bool is_told = false;     ///< that its memory is gone
    Site made;
    std::uint64_t fences = 0;
    std::uint64_t fence_time = 0;                     ///< of the rank behind the last one
    std::map<std::uint64_t, Promise> fence_promises;  ///< of the fence that opens the epoch of this number
    bool has_started = false, has_lock_all = false;
    bool is_all_checked = true;
    std::vector<int> started, posted;      ///< ranks of the window: the groups of MPI_Win_start and MPI_Win_post
    std::map<int, Promise> post_promises;  ///< of MPI_Win_post of the targets of the present epoch
    std::set<int> awaited;                 ///< targets whose post has not been matched yet
    std::map<int, Held> locks;             ///< by target
    std::set<int> touched;                 ///< targets accessed in the epoch of MPI_Win_lock_all
    Site opened;                           ///< the call that opened its last epoch
    /// Its memory at the begin of the epoch in which others may read it, by fences or by a post.
    struct Snapshot {
      std::vector<std::byte> bytes;
      std::uint64_t fence = 0;
      std::uint64_t order = 0;
      bool is_of_group = false;
    };
    std::optional<Snapshot> snapshot;
  };
  /// A rank's memory as its locks order it.
  struct Lock {
    Clock exclusive, shared;  ///< what has been done before the unlocks
    std::map<int, Held> holders;
  };
  struct Post {
    Moment moment;
    Promise promise;
  };
  std::uint64_t number = 0;
  std::shared_ptr<const Communicator> communicator;
  std::vector<Member> members;
  std::vector<Lock> locks;                                      ///< [rank]
  std::map<std::pair<int, int>, std::deque<Post>> posts;        ///< by target and origin: not matched by a start yet
  std::map<std::pair<int, int>, std::deque<Moment>> completes;  ///< not matched by a wait yet

  int rank_of(const Rank& rank) const { return communicator->rank_of(rank.number); }
  Member& member(int rank) { return members[static_cast<std::size_t>(rank)]; }
  Lock& lock(int rank) { return locks[static_cast<std::size_t>(rank)]; }
};

class Windows {
 public:
  bool has_any() const { return !by_handle_.empty(); }
  /// A rank's window; null where it is not known.
  std::shared_ptr<Window> of(int rank, std::uint64_t handle) const;
  void add(Job& job, Rank& rank, std::uint64_t handle, const Window::Member& member);
  void remove(const Rank& rank, std::uint64_t handle);
  /// Memory of a dynamic window.
  void attach(const Rank& rank, std::uint64_t base, std::uint64_t bytes);
  void detach(const Rank& rank, std::uint64_t base);

  void begin(Job& job, Rank& rank, std::uint64_t handle, Access access);
  /// What the first access to a target has waited for: its post, its lock.
  static void enter(Job& job, const Rank& rank, Window& window, int target);
  /// A call of the rank uses its own memory: compares with accesses of others.
  void use(Job& job, Rank& rank, const Use& use);
  /// ... as long as the use is held.
  void hold(Job& job, const Rank& rank, const Use& use);
  /// The program's own load or store.
  void use(Job& job, Rank& rank, const Site& site, const Bytes& bytes, bool is_store);
  /// Loads that were not made again behind MPI_Win_sync are reported.
  static void tell_looks(Job& job, Rank& rank);
  void release(Job& job, const Rank& rank, std::uint64_t owner);

  /// The origin's accesses to a target, below 0: to all, are over there.
  void end(Job& job, Rank& rank, Window& window, int target);
  /// Its buffers are free: compares them.
  void free_buffers(Job& job, Rank& rank, Window& window, int target);
  /// The same for one access that has a request.
  void end_request(Job& job, Rank& rank, std::uint64_t request);
  /// A target's exposure epoch is over: what was put must be there.
  void verify(Job& job, Rank& rank, Window& window, Epoch epoch);
  /// A target's exposure epoch begins; or ends: what was read must not have changed.
  void begin_exposure(const Rank& rank, Window& window, Epoch epoch);
  void check_read(Job& job, const Rank& rank, Window& window, Epoch epoch);
  /// A fence ends an epoch with MPI_MODE_NOSTORE.
  void check_nostore(Job& job, const Rank& rank, Window& window, const Site& site);
  /// Whether the memory of the rank's windows is still there.
  void check_memory(Job& job, const Rank& rank, const Call& call);
  void finish(Job& job) const;

 private:
  static bool is_ordered(const Job& job, int actor, const AccessKind& kind);
  void find_conflict(Job& job, Access& access);
  static void compare_with_owner(Job& job, Access& access);
  static bool looks_again(Rank& rank, const Site& site, const Bytes& bytes, const Access& other);
  void expose(const Rank& rank, std::uint64_t begin, std::uint64_t bytes, std::uint64_t number);
  void hide(const Rank& rank, std::uint64_t begin, std::uint64_t bytes, std::uint64_t number);
  static void check_promises(Job& job, Window& window, const Access& access);
  /// An accumulation tells what was done before it; one that fetches learns it.
  void tell_by(Job& job, const Access& access);
  void learn_by(Job& job, const Access& access);
  void forget(Job& job, int process);
  bool is_exposed(int rank, const std::vector<Bytes>& blocks) const;
  void free_buffer(Job& job, Rank& rank, Access& access);
  void end_at_target(Job& job, Access& access);
  static std::optional<std::uint64_t> hash_at_target(Job& job, const Access& access);
  void check_get(Job& job, Access& access);
  void compare_with_snapshot(Job& job, Access& access, const Window::Member& target);
  void report_store(Job& job, Access& access, const char* what) const;

  std::uint64_t next_ = 0, windows_ = 0;
  std::map<std::pair<int, std::uint64_t>, std::shared_ptr<Window>> by_handle_;
  std::map<std::pair<std::uint32_t, int>, std::weak_ptr<Window>> by_context_;
  Accesses accesses_;
  std::map<int, Intervals> exposed_;                                   ///< by rank: the memory of its windows
  std::map<std::pair<int, std::uint64_t>, std::uint64_t> attached_;    ///< by rank and base: bytes
  std::multimap<std::pair<int, std::uint64_t>, std::uint64_t> local_;  ///< by rank and owner of the use
  std::map<std::pair<int, std::uint64_t>, Clock> atomics_;             ///< what accumulations at an address have told
};

}  // namespace sanvp::mpi_check
