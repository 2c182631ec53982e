#include "models/cpu/riscv/linux/call_names.hpp"

#include <algorithm>
#include <iterator>

namespace sanvp::riscv::os {
namespace {

struct Name {
  std::uint64_t number;
  const char* name;
};

/// Of Linux's generic list (include/uapi/asm-generic/unistd.h), which RISC-V has.
constexpr Name names[] = {{19, "eventfd2"},
                          {20, "epoll_create1"},
                          {21, "epoll_ctl"},
                          {22, "epoll_pwait"},
                          {26, "inotify_init1"},
                          {32, "flock"},
                          {43, "statfs"},
                          {44, "fstatfs"},
                          {47, "fallocate"},
                          {54, "fchownat"},
                          {55, "fchown"},
                          {69, "preadv"},
                          {70, "pwritev"},
                          {72, "pselect6"},
                          {74, "signalfd4"},
                          {76, "splice"},
                          {81, "sync"},
                          {83, "fdatasync"},
                          {85, "timerfd_create"},
                          {95, "waitid"},
                          {107, "timer_create"},
                          {117, "ptrace"},
                          {119, "sched_setscheduler"},
                          {120, "sched_getscheduler"},
                          {121, "sched_getparam"},
                          {137, "rt_sigtimedwait"},
                          {140, "setpriority"},
                          {141, "getpriority"},
                          {153, "times"},
                          {154, "setpgid"},
                          {155, "getpgid"},
                          {156, "getsid"},
                          {157, "setsid"},
                          {167, "prctl"},
                          {168, "getcpu"},
                          {194, "shmget"},
                          {195, "shmctl"},
                          {196, "shmat"},
                          {197, "shmdt"},
                          {198, "socket"},
                          {199, "socketpair"},
                          {200, "bind"},
                          {201, "listen"},
                          {202, "accept"},
                          {203, "connect"},
                          {206, "sendto"},
                          {207, "recvfrom"},
                          {221, "execve"},
                          {223, "fadvise64"},
                          {227, "msync"},
                          {228, "mlock"},
                          {229, "munlock"},
                          {230, "mlockall"},
                          {232, "mincore"},
                          {235, "mbind"},
                          {236, "get_mempolicy"},
                          {237, "set_mempolicy"},
                          {260, "wait4"},
                          {279, "memfd_create"},
                          {283, "membarrier"},
                          {285, "copy_file_range"},
                          {286, "preadv2"},
                          {287, "pwritev2"},
                          {291, "statx"},
                          {436, "close_range"},
                          {437, "openat2"},
                          {439, "faccessat2"}};

}  // namespace

std::string call_text(std::uint64_t number) {
  const auto* const found = std::find_if(std::begin(names), std::end(names),
                                         [=](const Name& candidate) { return candidate.number == number; });
  const std::string text = std::to_string(number);
  return found == std::end(names) ? text : text + " (" + found->name + ")";
}

}  // namespace sanvp::riscv::os
