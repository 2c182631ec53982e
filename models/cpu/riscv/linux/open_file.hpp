/// The target of a descriptor.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/native/standard_input.hpp"

namespace sanvp::riscv::os {

/// Bytes or -errno; nothing: the caller must wait.
using Transferred = std::optional<std::int64_t>;

class OpenFile {
 public:
  virtual ~OpenFile() = default;
  virtual Transferred read(std::span<std::byte>) { return -EBADF; }
  virtual Transferred write(std::span<const std::byte>) { return -EBADF; }
  virtual std::int64_t seek(std::int64_t /*offset*/, int /*whence*/) { return -ESPIPE; }
  /// At a place of the file; its position stays. @returns bytes or -errno
  virtual std::int64_t read_at(std::int64_t /*offset*/, std::span<std::byte>) { return -ESPIPE; }
  virtual std::int64_t write_at(std::int64_t /*offset*/, std::span<const std::byte>) { return -ESPIPE; }
  virtual std::int64_t truncate(std::int64_t /*bytes*/) { return -EINVAL; }
  /// The owner of all files but the job's is another user.
  virtual std::int64_t change_mode(mode_t /*permissions*/) { return -EPERM; }
  /// @param times  of the last access and the last change; null: now
  virtual std::int64_t change_times(const struct timespec* times) { return times == nullptr ? 0 : -EPERM; }
  /// F_SETFL. @param changed  O_APPEND and O_NONBLOCK as they shall be
  virtual std::int64_t change_flags(int changed) {
    flags = (flags & ~(O_APPEND | O_NONBLOCK)) | changed;
    return 0;
  }
  /// Locks, without waiting: flock, F_OFD_SETLK, F_OFD_GETLK. Files outside of the job are open in no other process.
  virtual std::int64_t lock(int /*operation*/) { return 0; }
  virtual std::int64_t lock_region(struct flock& /*region*/) { return 0; }
  virtual std::int64_t find_lock(struct flock& region) const {
    region.l_type = F_UNLCK;
    return 0;
  }
  /// Bytes that can be read without waiting (FIONREAD), or -ENOTTY if the file does not tell.
  virtual std::int64_t readable_bytes() { return -ENOTTY; }
  /// F_GETPIPE_SZ: bytes that a pipe holds; -EBADF: it is none.
  virtual std::int64_t pipe_bytes() const { return -EBADF; }
  /// For a folder: its next entries, as getdents64 has them. @returns bytes, 0 at the end, or -errno
  virtual std::int64_t read_entries(std::span<std::byte>) { return -ENOTDIR; }
  /// 0 or -errno.
  virtual std::int64_t status(struct stat& status) const;
  /// The requested events (POLLIN, POLLOUT) that are ready, and POLLHUP.
  virtual short ready(short events) const { return static_cast<short>(events & (POLLIN | POLLOUT)); }
  /// The simulator's descriptor of a folder, for paths that begin there, or -ENOTDIR.
  virtual int folder() const { return -ENOTDIR; }

  int flags = O_RDWR;  ///< as F_GETFL has them
};

/// Standard output or error.
class OutputStream final : public OpenFile {
 public:
  OutputStream(bool is_error, std::function<void(bool, std::string_view)> put)
      : is_error_(is_error), put_(std::move(put)) {
    flags = O_WRONLY;
  }
  Transferred write(std::span<const std::byte> bytes) override;

 private:
  bool is_error_;
  std::function<void(bool, std::string_view)> put_;
};

/// Standard input, which all processes of a run read in turn.
class InputStream final : public OpenFile {
 public:
  explicit InputStream(native::StandardInput& source) : source_(source) { flags = O_RDONLY; }
  Transferred read(std::span<std::byte> bytes) override { return source_.read(bytes); }
  std::int64_t seek(std::int64_t offset, int whence) override;
  std::int64_t status(struct stat& status) const override;

 private:
  native::StandardInput& source_;
};

/// Both ends of a pipe: the first reads, the second writes.
std::pair<std::shared_ptr<OpenFile>, std::shared_ptr<OpenFile>> make_pipe();

}  // namespace sanvp::riscv::os
