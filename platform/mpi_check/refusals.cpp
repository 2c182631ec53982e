// Calls that end with an error, which the program's error handler has returned, or which ends the program.
#include <map>

#include "platform/mpi_check/job.hpp"
#include "sw/abi/mpi_error_texts.h"
#include "sw/abi/mpi_numbers.h"

namespace sanvp::mpi_check {
namespace {

#define NAMED(code, meaning) {code, #code},
const std::map<std::int64_t, const char*> names{MPI_ERROR_TEXTS(NAMED)};
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

void Job::refused(const Site& site, const std::string& message) {
  const bool is_truncation = message.find("(MPI_ERR_TRUNCATE)") != std::string::npos;
  if (findings.names(site) || (is_truncation && findings.has("truncation"))) return;
  report(Severity::error, "call refused", {site}, "{0}: " + with_braces(message), "");
}

}  // namespace sanvp::mpi_check
