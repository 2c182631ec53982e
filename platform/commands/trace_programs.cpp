#include "platform/commands/trace_programs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

#include "platform/commands/python.hpp"
#include "platform/core/error.hpp"
#include "platform/core/temporary_folder.hpp"

namespace sanvp::commands {
namespace {

/// The value of `--file F` or `--file=F`, to be read and replaced; `word` is null if it is absent.
struct FileArgument {
  std::string* word = nullptr;
  std::size_t begin = 0;  ///< of the value in the word

  explicit FileArgument(std::vector<std::string>& arguments) {
    constexpr std::string_view option = "--file";
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i] == option && i + 1 < arguments.size()) {
        word = &arguments[i + 1];
        return;
      }
      if (arguments[i].starts_with(std::string(option) + "=")) {
        word = &arguments[i];
        begin = option.size() + 1;
        return;
      }
    }
  }
  std::string value() const { return word->substr(begin); }
  void replace(const std::string& value) const { word->replace(begin, std::string::npos, value); }
};

/// The number after "num_ranks", which stands in front of all blocks; none if the app itself has to say what is wrong.
std::optional<int> ranks_of(const std::string& goal) {
  std::ifstream text(goal);
  for (std::string word; text >> word && word != "rank" && word != "rank{";) {
    int ranks = 0;
    if (word == "num_ranks" && text >> ranks && ranks > 0) return ranks;
    if (word.starts_with("//")) std::getline(text, word);
  }
  return {};
}

/// The converter's result, opened for reading; the file has no name any longer.
int converted(const std::string& archive, const std::string& place) {
  const TemporaryFolder folder;
  const std::string goal = folder.path() + "/otf2.goal";
  if (run_python({"convert", "otf2", archive, "-o", goal, "--quiet"}) != 0)
    throw UserError(place + ": --file " + archive, "was not converted", "see the message above");
  const int opened = open(goal.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) throw std::system_error(errno, std::generic_category(), goal);
  return opened;
}

}  // namespace

TracePrograms::~TracePrograms() {
  for (const int file : converted_) close(file);
}

void TracePrograms::prepare(jobs::JobRequest& request, jobs::AppKind kind) {
  if (request.app != "otf2" && request.app != "goal") return;
  const FileArgument file(request.arguments);
  if (file.word == nullptr) return;  // the app tells its user
  const std::string given = file.value();
  if (request.app == "otf2") {
    if (kind == jobs::AppKind::riscv)
      throw UserError(request.place, "otf2 converts its archive for native programs alone",
                      "sanvp convert otf2 " + given + " -o F.goal, then run the app goal with --by mpi");
    converted_.push_back(converted(given, request.place));
    file.replace("/proc/self/fd/" + std::to_string(converted_.back()));
  }
  const std::optional<int> ranks = ranks_of(file.value());
  if (!ranks) return;
  const int asked = request.ranks.value_or(*ranks);
  if (asked != *ranks)
    throw UserError(request.place + ": --np", fmt::format("{} has {} ranks, not {}", given, *ranks, asked),
                    fmt::format("give --np {}, or leave it out", *ranks));
  request.ranks = ranks;
}

}  // namespace sanvp::commands
