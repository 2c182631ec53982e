#include "platform/snapshots/open_files.hpp"

#include <fcntl.h>
#include <linux/kcmp.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "platform/core/error.hpp"

namespace sanvp {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path) {
  throw UserError(path, "cannot be copied for a branch: " + std::generic_category().message(errno));
}

std::string link_of(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

/// In order. The one that lists them is closed again.
std::vector<int> open_descriptors() {
  std::vector<int> all;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc/self/fd")) {
    const std::string name = entry.path().filename().string();
    int number = -1;
    std::from_chars(name.data(), name.data() + name.size(), number);
    all.push_back(number);
  }
  std::sort(all.begin(), all.end());
  std::erase_if(all, [](int descriptor) { return fcntl(descriptor, F_GETFD) < 0; });
  return all;
}

/// Whether both are one open file, with one position.
bool are_one_file(int a, int b) {
  const pid_t self = getpid();
  return syscall(SYS_kcmp, self, self, KCMP_FILE, a, b) == 0;
}

struct OpenFile {
  int descriptor;
  int flags;  ///< of open()
  off_t position;
  std::string path;  ///< empty: it has none

  int flags_to_open_again() const { return (flags & (O_ACCMODE | O_APPEND | O_NONBLOCK | O_SYNC)) | O_CLOEXEC; }
  bool is_written() const { return (flags & O_ACCMODE) != O_RDONLY; }
};

bool is_standard_output(int descriptor) { return descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO; }

std::vector<OpenFile> regular_files() {
  std::vector<OpenFile> files;
  for (const int descriptor : open_descriptors()) {
    struct stat status {};
    const int flags = fcntl(descriptor, F_GETFL);
    const bool is_named_only = (flags & O_PATH) != 0;
    if (is_standard_output(descriptor) || is_named_only || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
      continue;
    std::error_code none;
    const std::string path = fs::read_symlink(link_of(descriptor), none).string();
    // Images and programs, which nothing changes.
    if (path.starts_with("/memfd:")) continue;
    files.push_back({descriptor, flags, lseek(descriptor, 0, SEEK_CUR), status.st_nlink > 0 ? path : std::string()});
  }
  return files;
}

void copy_contents(int from, int to, const std::string& path) {
  struct stat status {};
  if (fstat(from, &status) != 0) refuse(path);
  for (off_t done = 0; done < status.st_size;)
    if (sendfile(to, from, &done, static_cast<std::size_t>(status.st_size - done)) <= 0) refuse(path);
}

/// A copy in the folder, open as the file is. @param taken  names of copies
int copy_of(const OpenFile& file, const std::string& folder, std::set<std::string>& taken) {
  if (folder.empty()) {
    const int copy = memfd_create("copy", MFD_CLOEXEC);
    const int from = open(link_of(file.descriptor).c_str(), O_RDONLY | O_CLOEXEC);
    if (copy < 0 || from < 0) refuse(file.path);
    copy_contents(from, copy, file.path);
    close(from);
    return copy;
  }
  const std::string name = file.path.empty() ? "unnamed" : fs::path(file.path).filename().string();
  std::string own = name;
  for (int next = 2; !taken.insert(own).second; ++next) own = name + "-" + std::to_string(next);
  fs::create_directories(folder);
  const std::string path = folder + "/" + own;
  struct stat status {};
  fstat(file.descriptor, &status);
  const int from = open(link_of(file.descriptor).c_str(), O_RDONLY | O_CLOEXEC);
  const int copy = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, status.st_mode & ACCESSPERMS);
  if (from < 0 || copy < 0) refuse(file.path);
  copy_contents(from, copy, file.path);
  close(from);
  const int opened = open(link_of(copy).c_str(), file.flags_to_open_again());
  close(copy);
  return opened;
}

/// Puts the opened file in the place of the other, with its position.
void put(int opened, const OpenFile& file) {
  if (opened < 0) refuse(file.path);
  lseek(opened, file.position, SEEK_SET);
  const int closes = fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC;
  dup3(opened, file.descriptor, closes != 0 ? O_CLOEXEC : 0);
}

/// For each descriptor the first that is the same open file; its own number if it is that.
std::vector<int> first_of_each(const std::vector<OpenFile>& files) {
  std::vector<int> first(files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::size_t same = 0;
    while (same < i && !are_one_file(files[same].descriptor, files[i].descriptor)) ++same;
    first[i] = files[same].descriptor;
  }
  return first;
}

/// Opens a file again; its position stays shared if that is not allowed.
void open_again(const OpenFile& file) {
  const int again = open(link_of(file.descriptor).c_str(), file.flags_to_open_again());
  if (again < 0) return;
  put(again, file);
  close(again);
}

void copy_descriptor(int first, const OpenFile& file) {
  const int again = fcntl(first, F_DUPFD_CLOEXEC, 0);
  put(again, file);
  close(again);
}

}  // namespace

void own_positions() {
  const std::vector<OpenFile> files = regular_files();
  const std::vector<int> first = first_of_each(files);
  for (std::size_t i = 0; i < files.size(); ++i)
    first[i] == files[i].descriptor ? open_again(files[i]) : copy_descriptor(first[i], files[i]);
}

void own_open_files(const std::string& folder) {
  const std::vector<OpenFile> files = regular_files();
  const std::vector<int> first = first_of_each(files);
  std::set<std::string> taken;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const OpenFile& file = files[i];
    if (first[i] != file.descriptor) {
      copy_descriptor(first[i], file);
    } else if (file.is_written()) {
      const int copy = copy_of(file, folder, taken);
      put(copy, file);
      close(copy);
    } else {
      open_again(file);
    }
  }
}

}  // namespace sanvp
