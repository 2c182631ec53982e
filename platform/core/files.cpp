#include "platform/core/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <random>
#include <system_error>
#include <utility>

#include "platform/core/error.hpp"
#include "platform/core/write_all.hpp"

namespace sanvp {
namespace {

namespace fs = std::filesystem;

std::string system_message() { return std::generic_category().message(errno); }

[[noreturn]] void fail_to_write(const std::string& path) {
  throw UserError(path, "cannot be written: " + system_message());
}

std::string folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

/// A name that no program can know before.
std::string temporary_name(const std::string& name) {
  std::random_device random;
  return name + "." + std::to_string(random()) + std::to_string(random()) + ".tmp";
}

/// The descriptor of standard output or error that leads to the same file; -1: none. The shell's `>` has opened it, and
/// further output is appended.
int same_stream(const struct stat& file) {
  struct stat stream {};
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
    if (fstat(descriptor, &stream) == 0 && stream.st_dev == file.st_dev && stream.st_ino == file.st_ino)
      return descriptor;
  return -1;
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

OutputFolder::OutputFolder(const std::string& path, const std::string& place)
    : folder_(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_ < 0) fail_to_write(place);
  if (faccessat(folder_, ".", W_OK | X_OK, 0) != 0) {
    const int cause = errno;
    close(folder_);
    errno = cause;
    fail_to_write(place);
  }
  spare_ = fcntl(folder_, F_DUPFD_CLOEXEC, 0);
}

OutputFolder::~OutputFolder() {
  close(folder_);
  if (spare_ >= 0) close(spare_);
}

void OutputFolder::write(const std::string& name, const std::string& contents, const std::string& place) const {
  const std::string temporary = temporary_name(name);
  constexpr mode_t usual = 0666;
  if (spare_ >= 0) close(std::exchange(spare_, -1));
  const int file = openat(folder_, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, usual);
  if (file < 0) fail_to_write(place);
  bool is_done = write_all(file, contents);
  int cause = errno;
  if (close(file) != 0 && is_done) is_done = false, cause = errno;
  spare_ = fcntl(folder_, F_DUPFD_CLOEXEC, 0);
  if (is_done && renameat(folder_, temporary.c_str(), folder_, name.c_str()) == 0) return;
  if (is_done) cause = errno;
  unlinkat(folder_, temporary.c_str(), 0);
  errno = cause;
  fail_to_write(place);
}

OutputFile::OutputFile(const std::string& path) : path_(path) {
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  errno = EISDIR;
  if (exists && S_ISDIR(status.st_mode)) fail_to_write(path);
  const int stream = exists ? same_stream(status) : -1;
  const bool is_replaced = stream < 0 && (!exists || S_ISREG(status.st_mode));  // a device must stay what it is
  if (is_replaced)
    folder_.emplace(folder_of(path), path);
  else
    opened_ = stream >= 0 ? fcntl(stream, F_DUPFD_CLOEXEC, 0) : open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (!is_replaced && opened_ < 0) fail_to_write(path);
}

OutputFile::~OutputFile() {
  if (opened_ >= 0) close(opened_);
}

void OutputFile::write(const std::string& contents) const {
  if (folder_) return folder_->write(fs::path(path_).filename().string(), contents, path_);
  if (!write_all(opened_, contents)) fail_to_write(path_);
}

void write_text_file(const std::string& path, const std::string& contents) { OutputFile(path).write(contents); }

}  // namespace sanvp
