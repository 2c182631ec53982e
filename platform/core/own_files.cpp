#include "platform/core/own_files.hpp"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>

namespace sanvp {
namespace {

namespace fs = std::filesystem;

/// The folder of the library or program that holds this code, without symbolic links.
fs::path home() {
  Dl_info information{};
  void* object = nullptr;
  const auto* here = reinterpret_cast<const void*>(&own_folder);
  std::error_code ignored;
  // The loader knows the program itself by no name.
  if (dladdr1(here, &information, &object, RTLD_DL_LINKMAP) == 0 || static_cast<link_map*>(object)->l_name[0] == '\0')
    return fs::read_symlink("/proc/self/exe", ignored).parent_path();
  return fs::canonical(static_cast<link_map*>(object)->l_name, ignored).parent_path();
}

}  // namespace

std::string own_folder(const std::string& name) {
  static const fs::path folder = home();
  std::error_code absent;
  for (const fs::path& place : {folder / name, folder / "sanvp" / name, folder.parent_path() / "share/sanvp" / name})
    if (fs::is_directory(place, absent)) return fs::canonical(place).string();
  return (folder / name).string();
}

}  // namespace sanvp
