/// Starts the Python package.
#include "platform/commands/python.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "platform/core/error.hpp"

namespace sanvp::commands {
namespace {

namespace fs = std::filesystem;

constexpr const char* debian_python = "/usr/bin/python3";  // sees Debian's packages, whatever python3 is on PATH

/// How the package starts: if pip installed the program, by pip's command beside it, which names the Python that has
/// the package.
std::vector<std::string> driver(const fs::path& program) {
  const std::string of_pip = program.parent_path() / "sanvp-study";
  if (access(of_pip.c_str(), X_OK) == 0) return {of_pip};
  return {access(debian_python, X_OK) == 0 ? debian_python : "python3", "-B", "-m", "sanvp"};
}

/// The folder that Python imports the package from: of the source tree or of the installed one; empty if it is
/// neither's.
fs::path packages(const fs::path& program) {
  const fs::path root = program.parent_path().parent_path();
  for (const char* folder : {"python", "lib/python3/dist-packages"})
    if (fs::exists(root / folder / "sanvp")) return root / folder;
  return {};
}

/// Puts a folder in front of those of PYTHONPATH.
void add_to_python_path(const fs::path& folder) {
  const char* known = std::getenv("PYTHONPATH");
  const std::string rest = known != nullptr && *known != 0 ? std::string(":") + known : "";
  setenv("PYTHONPATH", (folder.string() + rest).c_str(), 1);
}

}  // namespace

void become_python(std::vector<std::string> words) {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  if (const fs::path folder = packages(program); !folder.empty()) add_to_python_path(folder);
  constexpr int keep_what_the_user_set = 0;
  setenv("SANVP", program.c_str(), keep_what_the_user_set);
  const std::vector<std::string> start = driver(program);
  words.insert(words.begin(), start.begin(), start.end());
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::cout.flush();
  execvp(arguments.front(), arguments.data());
  throw UserError("sanvp", words.front() + ": " + std::generic_category().message(errno), "install python3");
}

int run_python(const std::vector<std::string>& words) {
  std::cout.flush();
  const pid_t child = fork();
  if (child < 0) throw UserError("sanvp", std::string("no process for Python: ") + std::strerror(errno), "end others");
  if (child == 0) try {
      become_python(words);
    } catch (const UserError& error) {
      std::cerr << error.what() << std::endl;
      _exit(static_cast<int>(Exit::user_mistake));
    }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int of_signals = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : of_signals + WTERMSIG(status);
}

}  // namespace sanvp::commands
