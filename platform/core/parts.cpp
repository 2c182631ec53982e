#include "platform/core/parts.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "platform/core/elf_file.hpp"
#include "platform/core/error.hpp"
#include "platform/core/registry.hpp"
#include "platform/core/text.hpp"

namespace sanvp {

extern const char* const part_headers;  // a fingerprint of the headers that this was compiled with; made by the build

namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = ".sanvp.part";  // section with a text from each object of the part

/// Code of other headers must not run, not even its constructors.
void require_our_headers(const fs::path& path, const std::string& name, const std::string& place) {
  const std::vector<std::string> made_for = ElfFile(path.string()).texts(mark);
  if (made_for.empty()) throw UserError(place, name + " is not a part", "`sanvp-part mine.cpp -o mine.so` makes one");
  for (const std::string& headers : made_for)
    if (headers != part_headers)
      throw UserError(
          place,
          name + " was made for sanvp " + std::string(in_quotes(headers)) + ", and this is '" + part_headers + "'",
          "make it again with the sanvp-part of this sanvp");
}

std::string read_all(int file) {
  std::string text;
  std::array<char, 512> piece{};
  for (ssize_t got = 0; (got = read(file, piece.data(), piece.size())) > 0;) text.append(piece.data(), got);
  return text;
}

/// Loads the part in a copy of this process: exceptions and crashes of its constructors end a process, as no exception
/// passes the system's loader. @return how they ended the copy, or nothing
std::optional<std::string> trial(const fs::path& path) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    constexpr rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    dup2(ends[1], STDERR_FILENO);  // where the C++ library says what was thrown
    dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    _exit(0);
  }
  close(ends[1]);
  const std::string said = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status == 0) return {};
  constexpr std::string_view before_text = "what():  ";
  const std::size_t at = said.find(before_text);
  if (at != std::string::npos)
    return "throws: " + said.substr(at + before_text.size(), said.find('\n', at) - at - before_text.size());
  return WIFSIGNALED(status) ? std::string("crashes: ") + strsignal(WTERMSIG(status)) : "ends the program";
}

/// Runs the part's constructors, which register it.
void open_part(const fs::path& path, const std::string& name, const std::string& place) {
  if (const auto failure = trial(path))
    throw UserError(place, name + " has a constructor that " + *failure,
                    "do what can fail in the function that builds the part");
  if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
    throw UserError(place, name + " cannot be loaded (" + dlerror() + ")", "make it again with sanvp-part");
}

std::set<fs::path>& loaded() {
  static std::set<fs::path> paths;
  return paths;
}

std::vector<std::string>& software() {
  static std::vector<std::string> folders;
  return folders;
}

}  // namespace

void load_part(const std::string& path, const std::string& place) {
  const std::string name = in_quotes(path);
  std::error_code refused;
  if (!fs::is_regular_file(path, refused))
    throw UserError(place, fs::is_directory(path, refused) ? name + " is a folder" : "there is no part " + name,
                    "give the path of a file that sanvp-part has made");
  const fs::path file = fs::canonical(path);
  if (loaded().contains(file)) return;
  require_our_headers(file, name, place);

  Registrations& registrations = Registrations::of_process();
  registrations = {};
  open_part(file, name, place);
  if (!registrations.refused.empty())
    throw UserError(place, name + " defines the " + registrations.refused.front() + ", which exists already",
                    "give yours another name");
  const fs::path folder = fs::path(file).replace_extension(".sw");
  const bool has_software = fs::is_directory(folder, refused);
  if (registrations.made == 0 && !has_software)
    throw UserError(place, name + " registers nothing",
                    "end its source with const Registration<SwitchPart> registration{...}, or that of another kind");
  loaded().insert(file);
  if (has_software) software().insert(software().begin(), folder.string());
}

const std::vector<std::string>& part_software() { return software(); }

std::string software_file(const std::string& folder, const std::string& name) {
  std::error_code refused;
  for (const std::string& of_part : part_software())
    if (const fs::path file = fs::path(of_part) / name; fs::is_regular_file(file, refused)) return file.string();
  return (fs::path(folder) / name).string();
}

}  // namespace sanvp
