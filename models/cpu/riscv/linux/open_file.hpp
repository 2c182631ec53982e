/// What a descriptor leads to.
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

namespace sanvp::riscv::os {

/// Bytes or -errno; nothing: the caller must wait.
using Transferred = std::optional<std::int64_t>;

class OpenFile {
 public:
  virtual ~OpenFile() = default;
  virtual Transferred read(std::span<std::byte>) { return -EBADF; }
  virtual Transferred write(std::span<const std::byte>) { return -EBADF; }
  virtual std::int64_t seek(std::int64_t /*offset*/, int /*whence*/) { return -ESPIPE; }
  virtual std::int64_t truncate(std::int64_t /*bytes*/) { return -EINVAL; }
  /// Of a folder: its next entries, as getdents64 has them. @returns bytes, 0 at the end, or -errno
  virtual std::int64_t read_entries(std::span<std::byte>) { return -ENOTDIR; }
  /// 0 or -errno.
  virtual std::int64_t status(struct stat& status) const;
  /// Those of the events (POLLIN, POLLOUT) for which no wait is needed, and POLLHUP.
  virtual short ready(short events) const { return static_cast<short>(events & (POLLIN | POLLOUT)); }
  /// The simulator's descriptor; -1: there is none.
  virtual int host() const { return -1; }

  int flags = O_RDWR;  ///< as F_GETFL has them
};

/// A file of the simulating computer, which the opener has found permissible.
class HostFile final : public OpenFile {
 public:
  HostFile(int descriptor, int open_flags);
  ~HostFile() override;
  HostFile(const HostFile&) = delete;
  HostFile& operator=(const HostFile&) = delete;
  Transferred read(std::span<std::byte> bytes) override;
  Transferred write(std::span<const std::byte> bytes) override;
  std::int64_t seek(std::int64_t offset, int whence) override;
  std::int64_t truncate(std::int64_t bytes) override;
  std::int64_t read_entries(std::span<std::byte> to) override;
  std::int64_t status(struct stat& status) const override;
  int host() const override { return descriptor_; }

 private:
  struct Entry {
    std::string name{};
    std::uint64_t inode = 0;
    std::uint8_t kind = 0;
  };
  bool list();

  int descriptor_;
  std::vector<Entry> entries_{};  ///< of a folder, in the order of names: the same on every computer
  std::size_t next_entry_ = 0;
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

/// Standard input, of which all processes of a run read in turn. Where it comes from does not show in anything but its
/// bytes: a pipe is read until there are as many as were asked for, however it was written to.
class InputStream final : public OpenFile {
 public:
  /// @param descriptor  the simulator's, which stays open
  explicit InputStream(int descriptor) : descriptor_(descriptor) { flags = O_RDONLY; }
  Transferred read(std::span<std::byte> bytes) override;
  std::int64_t seek(std::int64_t offset, int whence) override;
  std::int64_t status(struct stat& status) const override;

 private:
  int descriptor_;
};

/// Bytes of /dev/urandom come from the run's seed.
class RandomSource final : public OpenFile {
 public:
  explicit RandomSource(std::function<std::uint64_t()> draw) : draw_(std::move(draw)) {}
  Transferred read(std::span<std::byte> bytes) override;
  Transferred write(std::span<const std::byte> bytes) override { return static_cast<std::int64_t>(bytes.size()); }

 private:
  std::function<std::uint64_t()> draw_;
};

/// Both ends of a pipe: the first reads, the second writes.
std::pair<std::shared_ptr<OpenFile>, std::shared_ptr<OpenFile>> make_pipe();

}  // namespace sanvp::riscv::os
