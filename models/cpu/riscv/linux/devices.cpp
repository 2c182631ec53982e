#include "models/cpu/riscv/linux/devices.hpp"

#include <sys/sysmacros.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace sanvp::riscv::os {
namespace {

/// Minor numbers of the memory devices (Documentation/admin-guide/devices.txt of Linux); their major number is 1.
enum class Minor : unsigned { null = 3, zero = 5, random = 8, urandom = 9 };

class Device final : public OpenFile {
 public:
  Device(Minor minor, std::function<std::uint64_t()> draw) : minor_(minor), draw_(std::move(draw)) {}

  Transferred read(std::span<std::byte> bytes) override {
    if ((flags & O_ACCMODE) == O_WRONLY) return -EBADF;
    if (minor_ == Minor::null) return 0;
    if (minor_ == Minor::zero)
      std::fill(bytes.begin(), bytes.end(), std::byte{0});
    else
      fill_randomly(bytes, draw_);
    return static_cast<std::int64_t>(bytes.size());
  }
  Transferred write(std::span<const std::byte> bytes) override {
    if ((flags & O_ACCMODE) == O_RDONLY) return -EBADF;
    return static_cast<std::int64_t>(bytes.size());
  }
  /// Their position is always 0 (null_lseek and noop_llseek of Linux).
  std::int64_t seek(std::int64_t /*offset*/, int whence) override {
    return whence >= SEEK_SET && whence <= SEEK_END ? 0 : -EINVAL;
  }
  std::int64_t status(struct stat& status) const override {
    constexpr unsigned memory_devices = 1;
    OpenFile::status(status);
    status.st_mode = S_IFCHR | 0666;
    status.st_rdev = makedev(memory_devices, static_cast<unsigned>(minor_));
    return 0;
  }

 private:
  Minor minor_;
  std::function<std::uint64_t()> draw_;
};

}  // namespace

std::shared_ptr<OpenFile> device(const std::string& path, std::function<std::uint64_t()> draw) {
  constexpr std::pair<const char*, Minor> devices[] = {{"/dev/null", Minor::null},
                                                       {"/dev/zero", Minor::zero},
                                                       {"/dev/random", Minor::random},
                                                       {"/dev/urandom", Minor::urandom}};
  for (const auto& [name, minor] : devices)
    if (path == name) return std::make_shared<Device>(minor, std::move(draw));
  return nullptr;
}

void fill_randomly(std::span<std::byte> bytes, const std::function<std::uint64_t()>& draw) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t drawn = draw();
    std::memcpy(&bytes[at], &drawn, std::min(sizeof drawn, bytes.size() - at));
  }
}

}  // namespace sanvp::riscv::os
