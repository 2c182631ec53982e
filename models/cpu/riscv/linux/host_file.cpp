#include "models/cpu/riscv/linux/host_file.hpp"

#include <dirent.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace sanvp::riscv::os {
namespace {

std::int64_t or_error(std::int64_t result) { return result < 0 ? -errno : result; }

}  // namespace

HostFile::HostFile(JobFile file, int open_flags) : file_(std::move(file)) { flags = open_flags; }

Transferred HostFile::read(std::span<std::byte> bytes) {
  return or_error(::read(file_.descriptor(), bytes.data(), bytes.size()));
}
Transferred HostFile::write(std::span<const std::byte> bytes) {
  return or_error(::write(file_.descriptor(), bytes.data(), bytes.size()));
}
std::int64_t HostFile::read_at(std::int64_t offset, std::span<std::byte> bytes) {
  return or_error(pread(file_.descriptor(), bytes.data(), bytes.size(), offset));
}
std::int64_t HostFile::write_at(std::int64_t offset, std::span<const std::byte> bytes) {
  return or_error(pwrite(file_.descriptor(), bytes.data(), bytes.size(), offset));
}
std::int64_t HostFile::seek(std::int64_t offset, int whence) {
  if (!entries_.empty() && whence == SEEK_SET && offset >= 0)
    return static_cast<std::int64_t>(next_entry_ = static_cast<std::size_t>(offset));
  return or_error(lseek(file_.descriptor(), offset, whence));
}

bool HostFile::list() {
  const int folder = openat(file_.descriptor(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const listing = folder < 0 ? nullptr : fdopendir(folder);
  if (listing == nullptr) {
    if (folder >= 0) close(folder);
    return false;
  }
  entries_.clear();
  while (const dirent* const entry = readdir(listing)) entries_.push_back({entry->d_name, entry->d_ino, entry->d_type});
  closedir(listing);
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return true;
}

/// Linux's struct linux_dirent64: inode, place of the next entry, length, kind, name with its end.
std::int64_t HostFile::read_entries(std::span<std::byte> to) {
  constexpr std::size_t inode_at = 0, next_at = 8, length_at = 16, kind_at = 18, name_at = 19, alignment = 8;
  if (next_entry_ == 0 && !list()) return -ENOTDIR;
  std::size_t used = 0;
  for (; next_entry_ < entries_.size(); ++next_entry_) {
    const Entry& entry = entries_[next_entry_];
    const std::size_t length = (name_at + entry.name.size() + alignment) / alignment * alignment;
    if (length > to.size() - used) break;
    const auto place = to.subspan(used, length);
    const std::uint64_t next = next_entry_ + 1;
    const auto length_of_record = static_cast<std::uint16_t>(length);
    std::fill(place.begin(), place.end(), std::byte{0});
    std::memcpy(&place[inode_at], &entry.inode, sizeof entry.inode);
    std::memcpy(&place[next_at], &next, sizeof next);
    std::memcpy(&place[length_at], &length_of_record, sizeof length_of_record);
    place[kind_at] = std::byte{entry.kind};
    std::memcpy(&place[name_at], entry.name.c_str(), entry.name.size());
    used += length;
  }
  const bool has_no_room = used == 0 && next_entry_ < entries_.size();
  return has_no_room ? -EINVAL : static_cast<std::int64_t>(used);
}

std::int64_t HostFile::status(struct stat& status) const { return or_error(fstat(file_.descriptor(), &status)); }
std::int64_t HostFile::truncate(std::int64_t bytes) { return or_error(ftruncate(file_.descriptor(), bytes)); }
std::int64_t HostFile::change_mode(mode_t permissions) { return or_error(fchmod(file_.descriptor(), permissions)); }
std::int64_t HostFile::change_times(const struct timespec* times) {
  return or_error(futimens(file_.descriptor(), times));
}

/// The simulator never waits for a file, so its own descriptor keeps O_NONBLOCK.
std::int64_t HostFile::change_flags(int changed) {
  const std::int64_t done = or_error(fcntl(file_.descriptor(), F_SETFL, (changed & O_APPEND) | O_NONBLOCK));
  return done < 0 ? done : OpenFile::change_flags(changed);
}

std::int64_t HostFile::lock(int operation) { return or_error(flock(file_.descriptor(), operation | LOCK_NB)); }
std::int64_t HostFile::lock_region(struct flock& region) {
  return or_error(fcntl(file_.descriptor(), F_OFD_SETLK, &region));
}
std::int64_t HostFile::find_lock(struct flock& region) const {
  return or_error(fcntl(file_.descriptor(), F_OFD_GETLK, &region));
}

std::int64_t HostFile::readable_bytes() {
  struct stat status {};
  const off_t place = lseek(file_.descriptor(), 0, SEEK_CUR);
  if (place < 0 || fstat(file_.descriptor(), &status) != 0) return -errno;
  return S_ISREG(status.st_mode) ? std::max<std::int64_t>(0, status.st_size - place) : -ENOTTY;
}

int HostFile::folder() const {
  struct stat status {};
  return fstat(file_.descriptor(), &status) == 0 && S_ISDIR(status.st_mode) ? file_.descriptor() : -ENOTDIR;
}

}  // namespace sanvp::riscv::os
