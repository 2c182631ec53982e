#include "models/cpu/riscv/linux/open_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <deque>
#include <utility>

namespace sanvp::riscv::os {
namespace {

/// The state that both ends share.
struct PipeBuffer {
  static constexpr std::size_t most = 65536;  // as Linux's
  std::size_t room() const { return most - bytes.size(); }
  std::deque<std::byte> bytes{};
  std::weak_ptr<OpenFile> reader{};
  std::weak_ptr<OpenFile> writer{};
};

class PipeReader final : public OpenFile {
 public:
  explicit PipeReader(std::shared_ptr<PipeBuffer> buffer) : buffer_(std::move(buffer)) { flags = O_RDONLY; }
  Transferred read(std::span<std::byte> bytes) override {
    std::deque<std::byte>& queued = buffer_->bytes;
    if (queued.empty() && !bytes.empty()) {
      if (buffer_->writer.expired()) return 0;
      return (flags & O_NONBLOCK) != 0 ? Transferred(-EAGAIN) : std::nullopt;
    }
    const std::size_t count = std::min(bytes.size(), queued.size());
    std::copy_n(queued.begin(), count, bytes.begin());
    queued.erase(queued.begin(), queued.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }
  std::int64_t readable_bytes() override { return static_cast<std::int64_t>(buffer_->bytes.size()); }
  std::int64_t pipe_bytes() const override { return PipeBuffer::most; }
  short ready(short events) const override {
    const bool has_ended = buffer_->writer.expired();
    const bool readable = !buffer_->bytes.empty();
    return static_cast<short>((readable ? events & POLLIN : 0) | (has_ended ? POLLHUP : 0));
  }

 private:
  std::shared_ptr<PipeBuffer> buffer_;
};

class PipeWriter final : public OpenFile {
 public:
  explicit PipeWriter(std::shared_ptr<PipeBuffer> buffer) : buffer_(std::move(buffer)) { flags = O_WRONLY; }
  Transferred write(std::span<const std::byte> bytes) override {
    if (buffer_->reader.expired()) return -EPIPE;
    if (buffer_->room() == 0 && !bytes.empty()) return (flags & O_NONBLOCK) != 0 ? Transferred(-EAGAIN) : std::nullopt;
    const std::size_t count = std::min(bytes.size(), buffer_->room());
    buffer_->bytes.insert(buffer_->bytes.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }
  std::int64_t readable_bytes() override { return static_cast<std::int64_t>(buffer_->bytes.size()); }
  std::int64_t pipe_bytes() const override { return PipeBuffer::most; }
  short ready(short events) const override {
    if (buffer_->reader.expired()) return POLLERR;
    return static_cast<short>(buffer_->room() >= PIPE_BUF ? events & POLLOUT : 0);
  }

 private:
  std::shared_ptr<PipeBuffer> buffer_;
};

}  // namespace

std::int64_t OpenFile::status(struct stat& status) const {
  status = {};
  status.st_mode = S_IFIFO | 0600;
  status.st_nlink = 1;
  status.st_blksize = 4096;
  return 0;
}

std::int64_t InputStream::seek(std::int64_t offset, int whence) {
  const off_t place = lseek(source_.descriptor(), offset, whence);
  return place < 0 ? -errno : place;
}

/// Always the status of a device such as /dev/null: libgfortran asks before `main`, and would take other paths for a
/// file.
std::int64_t InputStream::status(struct stat& status) const {
  constexpr mode_t may_be_read = 0444;
  OpenFile::status(status);
  status.st_mode = S_IFCHR | may_be_read;
  return 0;
}

Transferred OutputStream::write(std::span<const std::byte> bytes) {
  put_(is_error_, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return bytes.size();
}

std::pair<std::shared_ptr<OpenFile>, std::shared_ptr<OpenFile>> make_pipe() {
  const auto buffer = std::make_shared<PipeBuffer>();
  const auto reader = std::make_shared<PipeReader>(buffer);
  const auto writer = std::make_shared<PipeWriter>(buffer);
  buffer->reader = reader;
  buffer->writer = writer;
  return {reader, writer};
}

}  // namespace sanvp::riscv::os
