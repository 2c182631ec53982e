#include "platform/core/files.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "platform/core/error.hpp"

namespace sanvp {
namespace {

namespace fs = std::filesystem;

std::string system_message() { return std::generic_category().message(errno); }

[[noreturn]] void fail_to_write(const std::string& path) {
  throw UserError(path, "cannot be written: " + system_message());
}

void write_directly(const std::string& path, const std::string& contents) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  file.close();
  if (!file) fail_to_write(path);
}

}  // namespace

std::string read_text_file(const std::string& path, std::size_t most_bytes) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw UserError(path, "is a folder, not a file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UserError(path, "cannot be read: " + system_message());
  constexpr std::size_t block = 1 << 16;
  std::string contents;
  while (file && contents.size() <= most_bytes) {
    const std::size_t before = contents.size();
    contents.resize(before + block);
    file.read(contents.data() + before, block);
    contents.resize(before + static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw UserError(path, "cannot be read: " + system_message());
  if (contents.size() > most_bytes)
    throw UserError(path, "is larger than " + std::to_string(most_bytes) + " bytes", "is it the right file?");
  return contents;
}

void require_writable(const std::string& path) {
  std::error_code ignored;
  const auto status = fs::status(path, ignored);
  errno = EISDIR;
  if (fs::is_directory(status)) fail_to_write(path);
  const bool replaced =
      !fs::exists(status) || fs::is_regular_file(status);  // if it is replaced, by a file of the same folder
  const fs::path folder = fs::path(path).parent_path();
  const std::string place = !replaced ? path : folder.empty() ? "." : folder.string();
  if (access(place.c_str(), replaced ? W_OK | X_OK : W_OK) != 0) fail_to_write(path);
}

void write_text_file(const std::string& path, const std::string& contents) {
  std::error_code error;
  const auto status = fs::status(path, error);
  // A rename would replace a device or a pipe such as /dev/stdout with a file.
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_directly(path, contents);
  const std::string temporary = path + "." + std::to_string(::getpid()) + ".tmp";
  try {
    write_directly(temporary, contents);
  } catch (const UserError&) {
    fs::remove(temporary, error);
    fail_to_write(path);
  }
  fs::rename(temporary, path, error);
  if (error) {
    const auto cause = error.message();
    fs::remove(temporary, error);
    throw UserError(path, "cannot be written: " + cause);
  }
}

}  // namespace sanvp
