/// Accesses to memory in windows: those of other ranks, and a rank's own that MPI makes for it. They are kept until all
/// ranks know of their end.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "platform/mpi_check/clocks.hpp"
#include "platform/mpi_check/finding.hpp"
#include "platform/mpi_check/intervals.hpp"

namespace sanvp::mpi_check {

enum class Way { put, get, accumulate };
enum class Epoch { none, fence, group, lock };

/// All that says whether two accesses to the same memory are allowed.
struct AccessKind {
  int actor = -1;         ///< rank in MPI_COMM_WORLD
  bool is_local = false;  ///< to the actor's own memory, as a buffer of a call: a receive, a send, the origin's data
  std::uint64_t window = 0;
  Way way = Way::put;
  std::string operation{};             ///< of an accumulation; "" where only one of its kind is known
  const std::string* basic = nullptr;  ///< its basic type; null: not known
  Epoch epoch = Epoch::none;
  std::uint64_t fence = 0;  ///< number of the epoch between fences
  bool is_freed = false;    ///< the origin may use its buffer again
  std::uint64_t ended = 0;  ///< the actor's time at its end; 0: it is under way
  std::uint64_t over = 0;   ///< its end among the numbers of accesses; 0: it is under way

  auto operator<=>(const AccessKind&) const = default;
};

/// An access to a rank's memory.
struct Access : AccessKind {
  Site site;
  int target = -1;            ///< rank of the window
  int process = -1;           ///< whose memory: rank in MPI_COMM_WORLD
  std::vector<Bytes> blocks;  ///< there
  Data data;                  ///< there
  std::uint64_t address = 0;  ///< there
  bool has_conflict = false;
  bool is_seen = false;      ///< its target has looked until it was there
  bool is_verified = false;  ///< a put's data have been looked for
  Moment moment{};  ///< what the origin had done before it: one that looks until the data are there knows of it
  Data local;       ///< the origin's data, with their hash when the access began
  std::uint64_t buffer = 0;
  Data result{};  ///< that an accumulation fetches
  std::uint64_t result_buffer = 0;
  std::optional<std::uint64_t> hash{};
  std::optional<std::uint64_t> put{};   ///< the same once the buffer is free
  std::optional<std::uint64_t> seen{};  ///< of a get: the hash of the data at the target
  std::optional<std::uint64_t> came{};  ///< the same when the call began that ends it: its buffer will hold them
  std::uint64_t number = 0;             ///< larger than that of earlier accesses; odd: owner of the use of the buffer
  std::uint64_t request = 0;            ///< 0: none
  bool fetches = false;                 ///< its end is its end at the target

  bool writes() const { return way != Way::get && operation != "MPI_NO_OP"; }
};

class Accesses {
 public:
  using Test = std::function<bool(const AccessKind&)>;
  using Each = std::function<void(Access&)>;

  void add(Access access);
  /// One to the same memory that must not meet this one; null: none.
  /// @param is_ordered  whether all of a kind are known to be over
  Access* conflict(const Access& access, const Test& is_ordered);
  /// One of each kind of those.
  std::vector<Access*> conflicts(const Access& access, const Test& is_ordered);
  /// Whether there is one of another rank that might not be over: else a load or store meets none.
  bool has_remote(int process, const Test& is_ordered) const;
  /// Whether another one that was not over changes memory of this one.
  bool is_overwritten(const Access& access) const;
  /// Whether any in that memory writes of which this holds.
  bool has_write(int process, const Test& holds) const;
  /// That of a request of a process; null: none.
  Access* of_request(int process, std::uint64_t request);
  /// Its request is over, not its epoch.
  void end_request(Access& access);
  /// Those to the memory of a process, below 0: of all, of which this holds, in the order of the calls.
  std::vector<Access*> at(int process, const Test& holds);
  /// The buffers of these are free. @param each  is called for each of them
  void free_buffers(int process, const Test& holds, const Each& each);
  void free_buffer(Access& access);
  /// Those under way of which this holds are over. @param each  is called for each of them before
  void end(int process, const Test& holds, std::uint64_t time, std::uint64_t order, const Each& each);
  void end(Access& access, std::uint64_t time, std::uint64_t order);
  Access* numbered(std::uint64_t number);
  /// Forgets those that no later one can meet, now and then. @param is_known  whether all ranks know that a kind is
  /// over
  void forget(int process, const Test& is_known);

 private:
  /// Accesses of a kind to one process's memory.
  struct Group {
    std::set<std::uint64_t> numbers;
    Intervals places;
  };
  using Groups = std::map<AccessKind, Group>;
  struct Memory {
    Groups groups;
    std::size_t accesses = 0;
    std::size_t next_look = 0, next_look_groups = 0;  ///< how many there are when `forget` looks
  };
  void remove(std::uint64_t number);
  std::vector<std::uint64_t> numbers(int process, const Test& holds) const;
  /// The groups of which `holds` holds become of another kind.
  void change(int process, const Test& holds, const std::function<void(AccessKind&)>& to);
  void change_one(Access& access, const std::function<void(AccessKind&)>& to);

  std::map<std::uint64_t, Access> by_number_;
  std::map<int, Memory> by_process_;
  std::map<std::pair<int, std::uint64_t>, std::uint64_t> by_request_;
};

}  // namespace sanvp::mpi_check
