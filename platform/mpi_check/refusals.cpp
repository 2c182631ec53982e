// Calls that end with an error which the program's error handler has returned.
#include <map>

#include "platform/mpi_check/job.hpp"
#include "sw/mpi/mpi_types.h"

namespace sanvp::mpi_check {
namespace {

#define NAMED(code) \
  { code, #code }
const std::map<std::int64_t, const char*> names{NAMED(MPI_ERR_BUFFER),
                                                NAMED(MPI_ERR_COUNT),
                                                NAMED(MPI_ERR_TYPE),
                                                NAMED(MPI_ERR_TAG),
                                                NAMED(MPI_ERR_COMM),
                                                NAMED(MPI_ERR_RANK),
                                                NAMED(MPI_ERR_REQUEST),
                                                NAMED(MPI_ERR_ROOT),
                                                NAMED(MPI_ERR_GROUP),
                                                NAMED(MPI_ERR_OP),
                                                NAMED(MPI_ERR_TOPOLOGY),
                                                NAMED(MPI_ERR_DIMS),
                                                NAMED(MPI_ERR_ARG),
                                                NAMED(MPI_ERR_UNKNOWN),
                                                NAMED(MPI_ERR_TRUNCATE),
                                                NAMED(MPI_ERR_OTHER),
                                                NAMED(MPI_ERR_INTERN),
                                                NAMED(MPI_ERR_IN_STATUS),
                                                NAMED(MPI_ERR_PENDING),
                                                NAMED(MPI_ERR_KEYVAL),
                                                NAMED(MPI_ERR_NO_MEM),
                                                NAMED(MPI_ERR_INFO),
                                                NAMED(MPI_ERR_INFO_KEY),
                                                NAMED(MPI_ERR_INFO_VALUE),
                                                NAMED(MPI_ERR_INFO_NOKEY),
                                                NAMED(MPI_ERR_WIN),
                                                NAMED(MPI_ERR_BASE),
                                                NAMED(MPI_ERR_SIZE),
                                                NAMED(MPI_ERR_DISP),
                                                NAMED(MPI_ERR_LOCKTYPE),
                                                NAMED(MPI_ERR_ASSERT),
                                                NAMED(MPI_ERR_UNSUPPORTED_OPERATION),
                                                NAMED(MPI_ERR_RMA_CONFLICT),
                                                NAMED(MPI_ERR_RMA_SYNC),
                                                NAMED(MPI_ERR_RMA_RANGE),
                                                NAMED(MPI_ERR_RMA_ATTACH),
                                                NAMED(MPI_ERR_RMA_SHARED),
                                                NAMED(MPI_ERR_RMA_FLAVOR),
                                                NAMED(MPI_ERR_ACCESS),
                                                NAMED(MPI_ERR_AMODE),
                                                NAMED(MPI_ERR_BAD_FILE),
                                                NAMED(MPI_ERR_CONVERSION),
                                                NAMED(MPI_ERR_DUP_DATAREP),
                                                NAMED(MPI_ERR_FILE),
                                                NAMED(MPI_ERR_FILE_EXISTS),
                                                NAMED(MPI_ERR_FILE_IN_USE),
                                                NAMED(MPI_ERR_IO),
                                                NAMED(MPI_ERR_NAME),
                                                NAMED(MPI_ERR_NO_SPACE),
                                                NAMED(MPI_ERR_NO_SUCH_FILE),
                                                NAMED(MPI_ERR_NOT_SAME),
                                                NAMED(MPI_ERR_PORT),
                                                NAMED(MPI_ERR_QUOTA),
                                                NAMED(MPI_ERR_READ_ONLY),
                                                NAMED(MPI_ERR_SERVICE),
                                                NAMED(MPI_ERR_SPAWN),
                                                NAMED(MPI_ERR_UNSUPPORTED_DATAREP)};
#undef NAMED

std::string name_of(std::int64_t error) {
  const auto found = names.find(error);
  return found != names.end() ? found->second : "error " + std::to_string(error);
}

/// Those of which another finding tells more.
bool is_truncation(std::int64_t error) { return error == MPI_ERR_TRUNCATE || error == MPI_ERR_IN_STATUS; }

}  // namespace

void Job::refused(const Site& site, std::int64_t error) {
  if (error <= MPI_SUCCESS || findings.names(site)) return;
  if (is_truncation(error) && findings.has("truncation")) return;
  report(Severity::warning, "call refused", {site}, "{0} ended with " + name_of(error),
         "mend its arguments, unless the program handles this error on purpose");
}

}  // namespace sanvp::mpi_check
