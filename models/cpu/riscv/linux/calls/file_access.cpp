#include "models/cpu/riscv/linux/calls/file_access.hpp"

#include <sys/stat.h>

namespace sanvp::riscv::os {

std::uint64_t file_number(const OpenFile& file) {
  struct stat status {};
  if (file.status(status) != 0 || !S_ISREG(status.st_mode)) return 0;
  constexpr int device_shift = 48;  // as sw/hal/files.c
  return std::uint64_t{status.st_dev} << device_shift ^ std::uint64_t{status.st_ino};
}

Result after_access(Call& call, const OpenFile& file, FileAccess::Way way, std::int64_t begin, std::int64_t bytes) {
  const ProcessSettings& settings = call.process.settings();
  const bool takes_time = settings.access_file || settings.carry_file;
  if (!takes_time || (bytes <= 0 && way != FileAccess::Way::sync) || begin < 0) return bytes;
  const FileAccess access{.way = way,
                          .file = file_number(file),
                          .begin = static_cast<std::uint64_t>(begin),
                          .bytes = static_cast<std::uint64_t>(bytes)};
  if (access.file == 0) return bytes;
  if (settings.carry_file) {
    constexpr unsigned a0 = 10;
    call.thread.hart.x[a0] = static_cast<std::uint64_t>(bytes);
    call.thread.deadline_ps.reset();
    settings.carry_file(call.thread, access);
    return no_result;
  }
  const std::int64_t until_ps = settings.access_file(access, call.thread.hart.time_ps);
  if (until_ps <= call.thread.hart.time_ps) return bytes;
  call.process.suspend(call.thread, {.what = Wait::For::disk, .until_ps = until_ps, .result = bytes});
  return no_result;
}

}  // namespace sanvp::riscv::os
