#include "models/native/system_calls.hpp"

#include <link.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

namespace sanvp::native {
namespace {

#ifndef PR_SET_SYSCALL_USER_DISPATCH
constexpr int PR_SET_SYSCALL_USER_DISPATCH = 59;
constexpr unsigned long PR_SYS_DISPATCH_ON = 1;
#endif
constexpr std::uintptr_t end_of_addresses = std::uintptr_t{1} << 47;  // of user space

char selector = 1;  // SYSCALL_DISPATCH_FILTER_BLOCK: everything outside of the range

struct Libraries {
  std::uintptr_t begin = end_of_addresses;
  std::uintptr_t end = 0;
};

/// All objects but the program itself, which comes first. The vDSO is above them.
Libraries loaded_libraries() {
  Libraries found;
  bool is_first = true;
  struct Search {
    Libraries& found;
    bool& is_first;
  } search{found, is_first};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        auto& [all, first] = *static_cast<Search*>(data);
        if (first) {
          first = false;
          return 0;
        }
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& header = object->dlpi_phdr[i];
          if (header.p_type != PT_LOAD) continue;
          all.begin = std::min<std::uintptr_t>(all.begin, object->dlpi_addr + header.p_vaddr);
          all.end = std::max<std::uintptr_t>(all.end, object->dlpi_addr + header.p_vaddr + header.p_memsz);
        }
        return 0;
      },
      &search);
  return found;
}

/// Reserves gaps between the libraries, so that no image is mapped there; not below the stack, which grows.
void fill_gaps(const Libraries& libraries) {
  std::ifstream maps("/proc/self/maps");
  std::uintptr_t free_from = 0;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream range(line);
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    range >> std::hex >> begin >> dash >> end;
    if (line.find("[stack]") != std::string::npos) return;
    if (free_from >= libraries.begin && begin > free_from && begin <= libraries.end)
      static_cast<void>(mmap(reinterpret_cast<void*>(free_from), begin - free_from, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0));
    free_from = end;
  }
}

/// Those that were loaded when dispatch began.
Libraries& own_libraries() {
  static Libraries libraries;
  return libraries;
}

}  // namespace

void dispatch_system_calls() {
  own_libraries() = loaded_libraries();
  fill_gaps(own_libraries());
  dispatch_system_calls_again();
}

void dispatch_system_calls_again() {
  const Libraries libraries = own_libraries();
  if (libraries.end == 0) return;
  prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, libraries.begin, end_of_addresses - libraries.begin,
        &selector);
}

bool ends_process(long call) { return call == SYS_exit || call == SYS_exit_group; }

bool starts_thread(long call) {
#ifdef SYS_fork
  if (call == SYS_fork || call == SYS_vfork) return true;
#endif
  return call == SYS_clone || call == SYS_clone3;
}

bool acts_on_process(long call) {
  switch (call) {
    case SYS_kill:
    case SYS_tkill:
    case SYS_tgkill:
    case SYS_rt_sigqueueinfo:
    case SYS_rt_tgsigqueueinfo:
    case SYS_pidfd_send_signal:
#ifdef SYS_fork  // those that younger processors' Linux lacks
    case SYS_fork:
    case SYS_vfork:
    case SYS_dup2:
#endif
    case SYS_clone:
    case SYS_clone3:
    case SYS_execve:
    case SYS_execveat:
    case SYS_rt_sigaction:
    case SYS_rt_sigprocmask:
    case SYS_sigaltstack:
    case SYS_setrlimit:
    case SYS_prlimit64:
    case SYS_chdir:
    case SYS_fchdir:
    case SYS_umask:
    case SYS_close:
    case SYS_close_range:
    case SYS_dup3:
      return true;
    default:
      return false;
  }
}

}  // namespace sanvp::native
