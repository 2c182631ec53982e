// Memory that reads and writes of files use, the requests of nonblocking ones, and collective ones in two calls.
#include <string>

#include "platform/mpi_check/job.hpp"
#include "sw/abi/mpi_numbers.h"

namespace sanvp::mpi_check {
namespace {

/// @param buffer  place of the argument; then come the count and the type
template <std::size_t buffer, bool is_read>
void begin(Job& job, Rank& rank, Call& call) {
  if (call.integer(buffer + 1) < 0) return;
  auto used = job.use(rank, call.site, {{call[buffer], rank.data(call[buffer + 1], call[buffer + 2])}}, is_read);
  if (!used) return;
  if (!is_read) used->hash = 0;  // as soon as it is under way
  call.uses.push_back(std::move(*used));
}

void end(Job& job, Rank& rank, Call& call) {
  const auto handle = rank.value<std::uint64_t>(call.words.back());
  if (call.result != MPI_SUCCESS || handle == 0) return;
  const auto request = rank.add_request(handle, call.site);
  request->is_active = true;
  job.hold(rank, std::move(call.uses), request->id);
}

const Handlers reads({"MPI_File_read", "MPI_File_read_all", "MPI_File_read_shared", "MPI_File_read_ordered"},
                     begin<1, true>, nullptr);
const Handlers reads_at({"MPI_File_read_at", "MPI_File_read_at_all"}, begin<2, true>, nullptr);
const Handlers writes({"MPI_File_write", "MPI_File_write_all", "MPI_File_write_shared", "MPI_File_write_ordered"},
                      begin<1, false>, nullptr);
const Handlers writes_at({"MPI_File_write_at", "MPI_File_write_at_all"}, begin<2, false>, nullptr);

const Handlers nonblocking_reads({"MPI_File_iread", "MPI_File_iread_all", "MPI_File_iread_shared"}, begin<1, true>,
                                 end);
const Handlers nonblocking_reads_at({"MPI_File_iread_at", "MPI_File_iread_at_all"}, begin<2, true>, end);
const Handlers nonblocking_writes({"MPI_File_iwrite", "MPI_File_iwrite_all", "MPI_File_iwrite_shared"}, begin<1, false>,
                                  end);
const Handlers nonblocking_writes_at({"MPI_File_iwrite_at", "MPI_File_iwrite_at_all"}, begin<2, false>, end);

// ---- collective accesses in two calls (MPI-3.1, 13.4.5) ----

std::string without(const std::string& name, const std::string& ending) {
  return name.substr(0, name.size() - ending.size());
}

/// @param buffer  place of the argument
template <std::size_t buffer>
void end_split_begin(Job& job, Rank& rank, Call& call) {
  if (call.result != MPI_SUCCESS) return;
  SplitAccess& split = rank.split_accesses[call[0]];
  split = {.site = call.site,
           .what = without(call.handler->name, "_begin"),
           .buffer = call[buffer],
           .owner = rank.new_owner()};
  job.hold(rank, std::move(call.uses), split.owner);
}

void begin_split_end(Job& job, Rank& rank, Call& call) {
  const auto found = rank.split_accesses.find(call[0]);
  if (found == rank.split_accesses.end() || found->second.what != without(call.handler->name, "_end")) return;
  if (found->second.buffer != call[1])
    job.report(Severity::error, "other buffer", {call.site, found->second.site},
               "{0} has another buffer than {1}, whose access it ends", "pass the same buffer to both calls");
}

void end_split_end(Job& job, Rank& rank, Call& call) {
  const auto found = rank.split_accesses.find(call[0]);
  if (call.result != MPI_SUCCESS || found == rank.split_accesses.end()) return;
  job.end_uses(rank, found->second.owner);
  rank.split_accesses.erase(found);
}

/// No other collective access while it is under way. The library refuses a second one in two calls itself, and those
/// that change or close the file.
void begin_collective(Job& job, Rank& rank, Call& call) {
  const auto found = rank.split_accesses.find(call[0]);
  if (found == rank.split_accesses.end()) return;
  job.report(Severity::error, "access in two calls", {call.site, found->second.site},
             "{0} is a collective call on a file on which {1} is under way", "end that access first");
}

template <bool is_read>
struct Split {
  Split(const std::string& name, bool has_offset) {
    const std::string begins = "MPI_File_" + name + "_begin", ends = "MPI_File_" + name + "_end";
    if (has_offset)
      const Handlers begin_at({begins}, begin<2, is_read>, end_split_begin<2>);
    else
      const Handlers begin_here({begins}, begin<1, is_read>, end_split_begin<1>);
    const Handlers end_of({ends}, begin_split_end, end_split_end);
  }
};
const Split<true> read_at_all("read_at_all", true), read_all("read_all", false), read_ordered("read_ordered", false);
const Split<false> write_at_all("write_at_all", true), write_all("write_all", false),
    write_ordered("write_ordered", false);
const Handlers others({"MPI_File_read_all", "MPI_File_read_at_all", "MPI_File_read_ordered", "MPI_File_write_all",
                       "MPI_File_write_at_all", "MPI_File_write_ordered", "MPI_File_iread_all", "MPI_File_iread_at_all",
                       "MPI_File_iwrite_all", "MPI_File_iwrite_at_all", "MPI_File_set_view", "MPI_File_seek_shared",
                       "MPI_File_set_atomicity"},
                      begin_collective, nullptr);

}  // namespace
}  // namespace sanvp::mpi_check
