#include "models/native/standard_input.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "models/native/safety_net.hpp"
#include "platform/core/error.hpp"

namespace sanvp::native {
namespace {

constexpr auto bytes_of_result = static_cast<std::int64_t>(sizeof(std::int64_t));

}  // namespace

StandardInput::~StandardInput() {
  if (kept_ >= 0) close(kept_);
}

void StandardInput::keep() {
  struct stat source {};
  const bool can_be_read_again = fstat(descriptor_, &source) != 0 || S_ISREG(source.st_mode);
  if (can_be_read_again || kept_ >= 0) return;
  kept_ = memfd_create("input", MFD_CLOEXEC);
  if (kept_ < 0) throw UserError("standard input", "this computer grants no file that keeps what programs read");
}

std::int64_t StandardInput::read(std::span<std::byte> bytes) {
  if (kept_ < 0 || bytes.empty()) return read_source(bytes);
  std::int64_t kept = 0;
  if (pread(kept_, &kept, sizeof kept, position_) != sizeof kept) return read_first(bytes);
  const std::int64_t begin = position_ + bytes_of_result;
  const std::int64_t length = std::max<std::int64_t>(kept, 0);
  // After a change of its registers a program may ask for fewer bytes than it did before.
  const std::int64_t given = std::min(length - taken_, static_cast<std::int64_t>(bytes.size()));
  if (pread(kept_, bytes.data(), static_cast<std::size_t>(given), begin + taken_) != given) return -EIO;
  taken_ += given;
  if (taken_ == length) {
    position_ = begin + length;
    taken_ = 0;
  }
  return kept < 0 ? kept : given;
}

/// What no process has read yet.
std::int64_t StandardInput::read_first(std::span<std::byte> bytes) {
  const std::int64_t result = read_source(bytes);
  if (result == -EINTR) return result;  // Ctrl-C: nothing has been read
  const std::int64_t length = std::max<std::int64_t>(result, 0);
  const bool is_kept =
      pwrite(kept_, bytes.data(), static_cast<std::size_t>(length), position_ + bytes_of_result) == length &&
      pwrite(kept_, &result, sizeof result, position_) == sizeof result;
  if (!is_kept) throw UserError("standard input", "no memory is left for what programs have read");
  position_ += bytes_of_result + length;
  return result;
}

std::int64_t StandardInput::read_source(std::span<std::byte> bytes) const {
  constexpr int between_checks_ms = 100;
  const bool is_terminal = isatty(descriptor_) != 0;  // a line at a time
  std::size_t done = 0;
  while (done < bytes.size()) {
    pollfd more{descriptor_, POLLIN, 0};
    while (poll(&more, 1, between_checks_ms) <= 0)
      if (native::was_interrupted()) return -EINTR;  // by Ctrl-C, which ends the run
    const ssize_t now = ::read(descriptor_, &bytes[done], bytes.size() - done);
    if (now < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (now < 0 && done == 0) return -errno;
    if (now <= 0) break;
    done += static_cast<std::size_t>(now);
    if (is_terminal) break;
  }
  return static_cast<std::int64_t>(done);
}

}  // namespace sanvp::native
