// Memory that reads and writes of files use, and the requests of nonblocking ones.
#include "platform/mpi_check/job.hpp"
#include "sw/mpi/mpi_types.h"

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

void end(Job&, Rank& rank, Call& call) {
  const auto handle = rank.value<std::uint64_t>(call.words.back());
  if (call.result != MPI_SUCCESS || handle == 0) return;
  const auto request = rank.add_request(handle, call.site);
  request->is_active = true;
  Job::hold(rank, std::move(call.uses), request->id);
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

}  // namespace
}  // namespace sanvp::mpi_check
