/// A rank as the checker knows it: its memory, the library's objects in it, its requests.
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/host/checked_process.hpp"
#include "platform/mpi_check/post.hpp"
#include "platform/mpi_check/shadow.hpp"
#include "platform/mpi_check/uses.hpp"
#include "sw/abi/mpi_layout.h"

namespace sanvp::mpi_check {

struct Communicator {
  std::uint32_t context = 0;
  int rank = 0, size = 0;
  std::vector<int> processes;  ///< ranks in MPI_COMM_WORLD; of an intercommunicator, those of the other group
  bool is_inter = false;

  int process(int rank) const { return rank >= 0 && rank < size ? processes[static_cast<std::size_t>(rank)] : -1; }
  int rank_of(int process) const;
};

/// An object that the program has made, and must free.
struct Made {
  Site site;
  std::uint64_t count = 1;
};

/// A collective access to a file in two calls, between them.
struct SplitAccess {
  Site site;
  std::string what;  ///< its calls' names without _begin and _end
  std::uint64_t buffer = 0;
  std::uint64_t owner = 0;  ///< of its use of memory
};

/// A message that a probe has matched, and a receive must take.
struct Matched {
  std::shared_ptr<Message> sent;  ///< null: it is not known
  Site probe;
};

struct CollectiveSlot;
struct Request {
  Site site;
  std::uint64_t id = 0;  ///< even; of its uses of memory: the library may give its handle to another thread's next one
  bool is_persistent = false, is_active = false, is_collective = false, is_known = true;
  bool was_cancelled = false, was_freed = false;
  bool learns_all = false;                   ///< as Call has it
  bool needs_wait = false;                   ///< the standard forbids to free or cancel it while it is under way
  std::vector<std::shared_ptr<Post>> posts;  ///< of what is under way
  std::shared_ptr<Message> prepared;         ///< of a persistent one: what a start copies
  std::shared_ptr<CollectiveSlot> collective;
  std::shared_ptr<Post> prepared_part;  ///< of a persistent collective one
  std::shared_ptr<const Communicator> communicator;
  std::vector<Use> uses;  ///< of a persistent collective one
  std::uint64_t starts = 0;
};

/// A call under way.
struct Handler;
struct Call {
  const Handler* handler = nullptr;
  std::vector<std::uint64_t> words;
  Site site;
  std::int64_t result = 0;
  std::uint64_t thread = 0;
  std::uint64_t stack = 0;                           ///< the stack pointer of its caller; 0: not known
  std::vector<std::shared_ptr<Post>> posts;          ///< that it waits for
  std::vector<std::uint64_t> handles;                ///< of requests that it was given
  std::vector<std::shared_ptr<Request>> requests{};  ///< of these handles; null: none
  bool needs_all = true;                             ///< of them
  std::vector<Use> uses;                             ///< of memory
  std::shared_ptr<const Communicator> communicator;
  bool learns_all = false;  ///< which rank's data a collective operation gives to which rank is not followed

  std::uint64_t operator[](std::size_t index) const { return words.at(index); }
  int integer(std::size_t index) const { return static_cast<int>(static_cast<std::int64_t>(words.at(index))); }
};

class Rank {
 public:
  int number = -1;
  const host::CheckedProcess* process = nullptr;
  std::optional<mpi_check_layout> layout;
  bool is_running = false, is_finalizing = false, has_finalized = false, has_ended = false;
  Site last;  ///< its last call
  int thread_level = 0;
  std::uint64_t main_thread = 0;
  std::uint64_t first_thread = 0;       ///< that has called MPI
  bool has_threads = false;             ///< others have, too
  std::map<std::uint64_t, Call> calls;  ///< by their id
  std::unordered_map<std::uint64_t, const Handler*> handlers;
  std::map<std::uint64_t, std::shared_ptr<Request>> requests;
  std::map<std::uint64_t, Matched> matched;                      ///< by MPI_Message
  std::map<std::uint64_t, SplitAccess> split_accesses;           ///< by MPI_File
  std::map<std::string, std::map<std::uint64_t, Made>> objects;  ///< by what they are: "communicator" ...
  Uses uses;
  std::set<std::uint64_t> copies;  ///< buffers that are the library's, which it may change at any time
  Shadow shadow;                   ///< of its windows, where loads and stores are checked
  /// A load of what another rank puts: a race, unless the same memory is loaded again behind MPI_Win_sync.
  struct Look {
    Finding finding;
    std::vector<Bytes> blocks;
    bool is_synchronised = false;
  };
  std::map<std::uint64_t, Look> looks;     ///< by code
  std::set<std::uint64_t> repeated_looks;  ///< code that looks until data are there
  std::set<std::uint64_t> latest_loads;    ///< code that has loaded from its windows since the last MPI_Win_sync

  /// A new one of the program, which has this handle from now on.
  std::shared_ptr<Request> add_request(std::uint64_t handle, const Site& site);
  /// The owner of a use of memory that has no request.
  std::uint64_t new_owner() { return 2 * ++requests_made_; }
  /// Null where the handle is none.
  std::shared_ptr<Request> request(std::uint64_t handle) const;
  /// It is over. Its handle may be another one's already.
  void forget_request(std::uint64_t handle, const Request& request);

  bool read(std::uint64_t address, void* to, std::size_t bytes) const;
  template <class T>
  T value(std::uint64_t address, T otherwise = {}) const {
    T read_value{};
    return read(address, &read_value, sizeof read_value) ? read_value : otherwise;
  }
  template <class T>
  std::vector<T> array(std::uint64_t address, std::size_t count) const {
    const bool is_there = count > 0 && address != 0 && process != nullptr;
    const std::byte* const memory = is_there ? process->checked_memory(address, count * sizeof(T)) : nullptr;
    if (memory == nullptr) return {};
    std::vector<T> values(count);
    std::memcpy(values.data(), memory, count * sizeof(T));
    return values;
  }
  std::string text(std::uint64_t address) const;

  /// Null where the handle is none, or freed.
  std::shared_ptr<const Communicator> communicator(std::uint64_t handle);
  std::shared_ptr<const Datatype> datatype(std::uint64_t handle);
  Data data(std::uint64_t count, std::uint64_t type) { return {count, datatype(type)}; }
  /// The name of a predefined operation; "" of the program's own.
  std::string operation(std::uint64_t handle) const;
  std::vector<int> group(std::uint64_t handle) const;
  void forget_communicator(std::uint64_t handle) { communicators_.erase(handle); }
  void forget_datatype(std::uint64_t handle) { datatypes_.erase(handle); }
  /// Hash of the bytes of data, in their order; nothing if they cannot be read.
  std::optional<std::uint64_t> hash(std::uint64_t address, const Data& data, std::uint64_t most_bytes) const;
  std::optional<std::uint64_t> hash(const std::vector<Bytes>& blocks, std::uint64_t most_bytes) const;

 private:
  std::uint64_t requests_made_ = 0;
  std::shared_ptr<const Datatype> read_datatype(std::uint64_t handle);
  void read_signature(Datatype& type, std::uint64_t handle);
  /// Appends what a type map picks.
  void read_blocks(Datatype& type, std::uint64_t map, std::int64_t offset);

  std::unordered_map<std::uint64_t, std::shared_ptr<const Communicator>> communicators_;
  std::unordered_map<std::uint64_t, std::shared_ptr<const Datatype>> datatypes_;
};

}  // namespace sanvp::mpi_check
