#include "models/cpu/riscv/linux/calls/file_access.hpp"

#include <sys/stat.h>

namespace sanvp::riscv::os {

Result after_access(Call& call, const OpenFile& file, FileAccess::Way way, std::int64_t begin, std::int64_t bytes) {
  struct stat status {};
  if (!call.process.settings().access_file || file.host() < 0 || (bytes <= 0 && way != FileAccess::Way::sync) ||
      begin < 0 || file.status(status) != 0 || !S_ISREG(status.st_mode))
    return bytes;
  constexpr int device_shift = 48;  // as sw/hal/files.c
  const FileAccess access{.way = way,
                          .file = std::uint64_t{status.st_dev} << device_shift ^ std::uint64_t{status.st_ino},
                          .begin = static_cast<std::uint64_t>(begin),
                          .bytes = static_cast<std::uint64_t>(bytes)};
  const std::int64_t until_ps = call.process.settings().access_file(access, call.thread.hart.time_ps);
  if (until_ps <= call.thread.hart.time_ps) return bytes;
  call.process.suspend(call.thread, {.what = Wait::For::disk, .until_ps = until_ps, .result = bytes});
  return no_result;
}

}  // namespace sanvp::riscv::os
