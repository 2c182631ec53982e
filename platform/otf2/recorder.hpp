/// Makes an OTF2 recording of what the processes of a job tell of their calls (`sanvp run --trace F.otf2`). Regions are
/// calls of MPI, SHMEM and the other libraries, of several threads of a rank one at a time; messages, collective
/// operations and accesses of memory are events in them.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "platform/jobs/listener.hpp"
#include "platform/mpi_check/call_observer.hpp"
#include "platform/otf2/recording.hpp"

namespace sanvp::otf2 {

class Recorder final : public jobs::Listener, private mpi_check::CallObserver {
 public:
  /// @param nodes  by rank
  Recorder(std::string machine, std::string program, std::vector<int> nodes);
  /// For how long the cable of a node has been busy so far; without it, never.
  void ask_cables(std::function<Time(int node)> busy) { cable_busy_ = std::move(busy); }

  // jobs::Listener
  bool check(const host::Identity& process, const host::CheckedProcess& memory, const hal_checked_call& call) override {
    return CallObserver::check(process, memory, call);
  }
  void call_begins(const host::Identity& process, int thread, const char* name, int peer, std::uint64_t bytes,
                   Time at) override;
  void call_ends(const host::Identity& process, int thread, Time at) override;
  void message_sent(const host::Identity& process, int to, std::uint64_t tag, std::uint64_t bytes) override;
  void receive_posted(const host::Identity& process, std::uint64_t receive) override;
  void message_over(const host::Identity& process, int from, int to, std::uint64_t tag, std::uint64_t receive) override;

  /// Once, when all is over.
  Recording take();

 private:
  struct Access {
    std::uint32_t window;
    std::uint64_t id;
  };
  struct Rank {
    std::vector<Event> events{};
    Time at{0};  ///< of the latest event
    // The call under way.
    std::optional<int> thread{};  ///< that makes it
    std::uint32_t region = 0;
    bool is_nonblocking = false;
    std::vector<Event> at_end{};            ///< what is over with it
    std::vector<std::uint64_t> sends{};     ///< nonblocking ones that it has begun
    std::optional<Event> collective{};      ///< its end
    std::optional<std::uint32_t> window{};  ///< of its access
    bool must_leave = false;                ///< it has ended, and its end may get more events

    bool tells_calls = false;                                                     ///< by mpi_check::CallObserver
    std::unordered_map<std::uint64_t, std::uint64_t> sends_under_way{};           ///< by handle of the request
    std::unordered_map<std::uint64_t, std::uint64_t> receives{};                  ///< ids of nonblocking ones
    std::map<std::pair<int, std::uint64_t>, std::deque<std::uint64_t>> coming{};  ///< bytes, by sender and tag
    std::unordered_map<std::uint32_t, std::uint32_t> communicators{};             ///< by context
    std::unordered_map<std::uint64_t, std::uint32_t> windows{};                   ///< by handle
    std::map<std::uint32_t, std::uint32_t> windows_made{};                        ///< how many, by communicator
    std::vector<Access> accesses{};                                               ///< that are not over at both ends
    std::uint64_t bytes_sent = 0;
    Event traffic{.kind = Kind::traffic};  ///< the latest
    std::uint64_t ids = 0;
  };

  // mpi_check::CallObserver
  void mpi_call_begins(mpi_check::Rank& rank, const mpi_check::ObservedCall& call) override;
  void mpi_call_ends(mpi_check::Rank& rank, const mpi_check::ObservedCall& call) override;

  Rank* rank_of(const host::Identity& process);
  static void add(Rank& rank, Event event);
  /// Within the call, or at its end.
  static void add_at_end(Rank& rank, const Event& event);
  static void leave(Rank& rank);
  std::uint32_t region_of(const char* name);
  std::uint32_t communicator_of(const mpi_check::Communicator& known);
  std::uint32_t window_of(Rank& rank, const std::string& call);
  std::pair<std::uint32_t, std::uint32_t> place_of(const Rank& rank, std::uint64_t tag, int peer) const;
  void begin_access(Rank& rank, const std::string& name, int peer, std::uint64_t bytes);
  void end_accesses(Rank& rank, const std::string& name);
  void make_window(mpi_check::Rank& known, Rank& rank, const mpi_check::ObservedCall& call);

  Recording recording_;
  std::vector<Rank> ranks_;
  std::unordered_map<const char*, std::uint32_t> regions_by_address_;
  std::map<std::string, std::uint32_t> regions_;
  std::map<std::pair<std::uint32_t, std::vector<int>>, std::uint32_t> communicators_;  ///< by context and ranks
  std::optional<std::uint32_t> world_context_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> windows_;  ///< by communicator and number in it
  std::map<std::string, std::uint32_t> plain_windows_;                        ///< of calls whose window is not known
  std::function<Time(int node)> cable_busy_;
};

}  // namespace sanvp::otf2
