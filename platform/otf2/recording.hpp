/// What an OTF2 archive holds: events of each rank, and what they refer to. OTF2's library is not needed here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/core/time.hpp"

namespace sanvp::otf2 {

/// With what the members of Event mean for it. A communicator's ranks are places in it.
enum class Kind : std::uint8_t {
  enter,             ///< object: a region
  leave,             ///< object: a region
  send,              ///< object: a communicator; peer, tag, bytes
  nonblocking_send,  ///< the same; id: its request
  send_over,         ///< id: its request
  receive_request,   ///< id: its request
  receive,           ///< object: a communicator; peer, tag, bytes
  receive_over,      ///< the same; id: its request
  cancelled,         ///< id: its request
  collective_begin,
  collective_end,  ///< object: a communicator; peer: the root; tag: a Collective; bytes sent, id: bytes received
  window_made,     ///< object: a window
  window_freed,    ///< object: a window
  put,             ///< object: a window; peer, bytes; id: the operation
  get,             ///< the same
  atomic,          ///< the same; tag: an Atomic
  access_over,     ///< object: a window; id: the operation, over with its call
  accesses_over,   ///< object: a window; id: the operation, over at both ends
  meet,            ///< object: a window, whose ranks meet: a barrier of SHMEM
  met,             ///< the same
  traffic,         ///< bytes: sent by the rank so far; id: picoseconds for which the cable of its node was busy so far
};

/// As OTF2 has them.
enum class Collective : std::uint8_t {
  barrier,
  bcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  allreduce,
  reduce,
  reduce_scatter,
  scan,
  exscan,
  reduce_scatter_block
};
enum class Atomic : std::uint8_t { accumulate, swap, compare_and_swap, fetch_and_accumulate };

constexpr std::uint32_t none = UINT32_MAX;  ///< no root

struct Event {
  Time at{0};
  std::uint64_t bytes = 0;
  std::uint64_t id = 0;
  std::uint32_t object = 0;
  std::uint32_t peer = 0;
  std::uint32_t tag = 0;
  Kind kind = Kind::enter;

  bool operator==(const Event&) const = default;
};

struct Communicator {
  std::string name;
  std::vector<std::uint64_t> ranks;
};

struct Window {
  std::string name;
  std::uint32_t communicator = 0;
};

struct Recording {
  std::string machine;
  std::string program;
  std::vector<int> nodes;  ///< by rank
  std::vector<std::string> regions;
  std::vector<Communicator> communicators;  ///< the first is of all ranks
  std::vector<Window> windows;
  std::vector<std::vector<Event>> events;  ///< by rank, in the order of time
};

/// Null: archives can be written; else why not, and the cure.
const char* unavailable();

/// Writes the archive: the file `path`, which ends with ".otf2", the file of its definitions and the folder of its
/// events, named alike. Replaces the one that is there. Throws UserError if that fails.
void write(const Recording& recording, const std::string& path);

}  // namespace sanvp::otf2
