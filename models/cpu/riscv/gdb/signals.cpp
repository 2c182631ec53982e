#include "models/cpu/riscv/gdb/signals.hpp"

#include <array>
#include <csignal>

namespace sanvp::riscv::gdb {
namespace {

constexpr int unknown = 143;  // GDB_SIGNAL_UNKNOWN
// By the number of Linux (signal(7)) that of gdb (include/gdb/signals.def); SIGSTKFLT has none.
constexpr std::array<int, 33> by_linux{0,  1,  2,  3,  4,  5,  6,  10, 8,  9,  30, 11, 31, 13, 14, 15, unknown,
                                       20, 19, 17, 18, 21, 22, 16, 24, 25, 26, 27, 28, 23, 32, 12, 77};
static_assert(by_linux[SIGUSR1] == 30 && by_linux[SIGCHLD] == 20 && by_linux[SIGURG] == 16 && by_linux[SIGSYS] == 12);
constexpr int first_real_time = 33, first_real_time_of_gdb = 45, last_of_gdb_in_order = 63;

}  // namespace

int to_gdb(int linux_signal) {
  if (linux_signal < 0 || linux_signal > 64) return unknown;
  if (linux_signal < first_real_time) return by_linux.at(static_cast<std::size_t>(linux_signal));
  if (linux_signal > last_of_gdb_in_order) return 78;  // SIG64 was added later
  return linux_signal - first_real_time + first_real_time_of_gdb;
}

int to_linux(int gdb_signal) {
  for (int number = 1; number <= 64; ++number)
    if (to_gdb(number) == gdb_signal && gdb_signal != unknown) return number;
  return 0;
}

}  // namespace sanvp::riscv::gdb
