#include "platform/core/own_files.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

namespace sanvp {
namespace {

namespace fs = std::filesystem;

/// The folder of the library or program that holds this code, without symbolic links.
fs::path find_home() {
  Dl_info information{};
  void* object = nullptr;
  const auto* here = reinterpret_cast<const void*>(&own_folder);
  std::error_code ignored;
  // The loader knows the program itself by no name.
  if (dladdr1(here, &information, &object, RTLD_DL_LINKMAP) == 0 || static_cast<link_map*>(object)->l_name[0] == '\0')
    return fs::read_symlink("/proc/self/exe", ignored).parent_path();
  return fs::canonical(static_cast<link_map*>(object)->l_name, ignored).parent_path();
}

const fs::path& home() {
  static const fs::path folder = find_home();
  return folder;
}

/// Whether the shell starts this program by its name alone.
bool is_on_path(const fs::path& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  std::error_code absent;
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path first = fs::path(folder) / program.filename(); fs::exists(first, absent))
      return fs::equivalent(first, program, absent);
  return false;
}

}  // namespace

std::string own_folder(const std::string& name) {
  const fs::path& folder = home();
  std::error_code absent;
  for (const fs::path& place : {folder / name, folder / "sanvp" / name, folder.parent_path() / "share/sanvp" / name})
    if (fs::is_directory(place, absent)) return fs::canonical(place).string();
  return (folder / name).string();
}

std::string own_program(const std::string& name) {
  std::error_code absent;
  for (const fs::path& place : {home() / name, home().parent_path() / "bin" / name}) {
    if (!fs::exists(place, absent)) continue;
    if (is_on_path(place)) return name;
    const fs::path relative = place.lexically_relative(fs::current_path(absent));
    if (relative.empty() || *relative.begin() == "..") return place.string();
    return (relative.has_parent_path() ? relative : "." / relative).string();
  }
  return name;
}

}  // namespace sanvp
