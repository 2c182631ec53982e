#include "models/host/riscv/file_calls.hpp"

#include <cerrno>

#include "models/cpu/riscv/linux/calls/file_access.hpp"

namespace sanvp::host {
std::int64_t move_bytes(riscv::os::Files& files, int descriptor, FileWay way, std::uint64_t begin,
                        std::span<std::byte> memory) {
  const auto* const found = files.find(descriptor);
  if (found == nullptr) return -EBADF;
  std::size_t done = 0;
  while (done < memory.size()) {
    const auto rest = memory.subspan(done);
    const auto at = static_cast<std::int64_t>(begin + done);
    const std::int64_t now = way == FileWay::read ? found->file->read_at(at, rest) : found->file->write_at(at, rest);
    if (now == -EINTR) continue;
    if (now < 0 && done == 0) return now;
    if (now <= 0) break;
    done += static_cast<std::size_t>(now);
  }
  return static_cast<std::int64_t>(done);
}

std::int64_t add_to_number(riscv::os::Files& files, int descriptor, std::uint64_t first, std::uint64_t more,
                           std::uint64_t& before) {
  const std::int64_t bytes =
      move_bytes(files, descriptor, FileWay::read, 0, std::as_writable_bytes(std::span(&before, 1)));
  if (bytes < 0) return bytes;
  if (bytes == 0) before = first;
  std::uint64_t after = before + more;
  if (more == 0) return 0;
  return std::min<std::int64_t>(
      0, move_bytes(files, descriptor, FileWay::write, 0, std::as_writable_bytes(std::span(&after, 1))));
}

std::uint64_t number_of_file(riscv::os::Files& files, int descriptor) {
  const auto* const found = files.find(descriptor);
  return found == nullptr ? 0 : riscv::os::file_number(*found->file);
}

}  // namespace sanvp::host
