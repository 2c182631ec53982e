/// The accesses to the memory of a window whose epochs are not over.
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

#include "platform/mpi_check/finding.hpp"
#include "platform/mpi_check/intervals.hpp"

namespace sanvp::mpi_check {

enum class Way { put, get, accumulate };
enum class Epoch { none, fence, group, lock };

/// All that says whether two accesses to the same memory are allowed.
struct AccessKind {
  int origin = -1;  ///< rank of the window
  Way way = Way::put;
  std::string operation{};  ///< of an accumulation; "" where only one of its kind is known
  Epoch epoch = Epoch::none;
  std::uint64_t fence = 0;  ///< number of the epoch between fences
  bool is_exclusive = false;
  bool is_closed = false;  ///< the origin's epoch is over
  bool is_over = false;    ///< the target's is

  auto operator<=>(const AccessKind&) const = default;
};

/// An access to a rank's memory in a window.
struct Access : AccessKind {
  Site site;
  int target = -1;            ///< rank of the window
  std::vector<Bytes> blocks;  ///< in the target's memory
  Data data;                  ///< there
  std::uint64_t address = 0;  ///< there
  bool has_conflict = false;
  Data local;  ///< the origin's data, with their hash when the access began
  std::uint64_t buffer = 0;
  std::optional<std::uint64_t> hash;
  std::optional<std::uint64_t> put{};  ///< the same once the buffer is free
  std::uint64_t owner = 0;             ///< of the use of the buffer; larger than that of earlier accesses
  std::uint64_t request = 0;           ///< 0: none
  bool fetches = false;                ///< its end is its end at the target
};

class Accesses {
 public:
  void add(Access access);
  void erase(const Access& access);
  /// One to the same memory that must not meet this one; null: none.
  Access* conflict(const Access& access);
  /// Whether another one changes memory of this one.
  bool is_overwritten(const Access& access) const;
  /// That of a request of a process; null: none.
  Access* of_request(int process, std::uint64_t request);
  /// Its request is over, not its epoch.
  void end_request(Access& access);
  /// Those to a target of which this holds, in the order of the calls.
  std::vector<const Access*> at(int target, const std::function<bool(const AccessKind&)>& holds) const;
  /// The epochs of an origin at a target, below 0: at all, are over there. @param each  is called for each access
  void close(int origin, int target, const std::function<void(Access&)>& each);
  /// So is a target's exposure epoch.
  void end_exposure(int target);
  /// Forgets those of which this holds. @param target  below 0: all
  void drop(int target, const std::function<bool(const AccessKind&)>& holds);

 private:
  /// Accesses of a kind to one target.
  struct Group {
    std::set<std::uint64_t> numbers;
    Intervals places;
  };
  using Groups = std::map<AccessKind, Group>;
  void forget(std::uint64_t number);
  /// The groups of which `holds` holds become of another kind.
  void change(Groups& groups, const std::function<bool(const AccessKind&)>& holds, bool AccessKind::*flag);

  std::map<std::uint64_t, Access> by_owner_;
  std::map<int, Groups> by_target_;
  std::map<std::pair<int, std::uint64_t>, std::uint64_t> by_request_;
};

}  // namespace sanvp::mpi_check
