/// What one rank does and others may wait for: a message's send, its receive, a rank's part of a collective operation.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "platform/mpi_check/clocks.hpp"
#include "platform/mpi_check/datatype.hpp"
#include "platform/mpi_check/finding.hpp"

namespace sanvp::mpi_check {

struct Slot;

struct Post {
  Site site;
  bool is_passed = false;     ///< in the synchronous replay (strict.hpp)
  bool is_satisfied = false;  ///< no other rank is needed: a buffered send, one that was cancelled
  bool is_over = false;       ///< the program has seen its end
  std::weak_ptr<Post> partner;
  bool had_partner = false;    ///< also if that is gone
  std::shared_ptr<Slot> slot;  ///< of a collective operation
  std::uint64_t thread = 0;    ///< that began it
  Moment moment;               ///< what its rank had done before it

  Post() = default;
  Post(const Post&) = delete;
  Post& operator=(const Post&) = delete;
  virtual ~Post() = default;
  /// Whether time decides which other post it meets.
  virtual bool is_ambiguous() const { return false; }
};

/// All parts of one collective operation, or of one start of a persistent one.
struct Slot {
  std::vector<int> members;                ///< ranks in MPI_COMM_WORLD
  std::vector<bool> has_come;              ///< [members]
  std::vector<std::weak_ptr<Post>> parts;  ///< [members]
  std::size_t passed = 0;                  ///< parts that are passed
  Clock done;                              ///< before the parts that have come
  Moment at_root;                          ///< before the root's
  bool is_passed() const { return passed >= members.size(); }
};

/// Which messages to a rank, in a context, several threads send or receive at once: the order in which these calls
/// begin does not tell which receive gets which.
struct Ambiguity {
  bool is_all = false;
  std::set<int> tags{};
};

/// A send or a receive.
struct Message : Post {
  bool is_send = false;
  std::uint32_t context = 0;
  int source = -1, destination = -1;  ///< ranks in MPI_COMM_WORLD; source below 0: any, until it is known
  int tag = -1;                       ///< below 0: any, until it is known
  bool any_source = false;
  bool any_tag = false;
  Data data;
  std::uint64_t order = 0;  ///< among the sends, or the receives
  std::uint64_t buffer = 0;
  std::uint64_t hash = 0;  ///< of the data of a send, when it began
  bool has_hash = false;
  bool hash_is_off = false;  ///< the library sends a copy
  bool is_synchronous = false;
  Moment at_receive;  ///< of a synchronous send: what the receiver had done before the receive
  bool is_cancelled = false;
  std::shared_ptr<Message> sent;  ///< of a receive that is matched

  std::shared_ptr<const Ambiguity> ambiguity;

  bool is_open() const { return source < 0 || tag < 0; }
  bool is_ambiguous() const override { return ambiguity && (ambiguity->is_all || ambiguity->tags.contains(tag)); }
};

}  // namespace sanvp::mpi_check
