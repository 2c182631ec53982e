/// Ids of the process, its node and its limits; getrandom.
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include <algorithm>

#include "models/cpu/riscv/linux/calls/clock.hpp"
#include "models/cpu/riscv/linux/devices.hpp"

namespace sanvp::riscv::os {
namespace {

constexpr int user = 1000;  // no program may think that it is root

Result getpid(Call& call) { return call.process.settings().id; }
Result getppid(Call&) { return 0; }
Result gettid(Call& call) { return call.thread.id; }
Result getuid(Call&) { return user; }

Result uname(Call& call) {
  struct utsname name {};
  const auto put = [](char(&field)[65], std::string_view text) {
    std::copy_n(text.begin(), std::min(text.size(), sizeof field - 1), field);
  };
  put(name.sysname, "Linux");
  put(name.nodename, call.process.settings().node);
  put(name.release, "6.1.0");  // Debian 12's
  put(name.version, "#1 sanvp");
  put(name.machine, "riscv64");
  put(name.domainname, "(none)");
  return call.memory().write(call[0], name) ? 0 : -EFAULT;
}

Result sysinfo(Call& call) {
  const AddressSpace& space = call.process.space();
  struct sysinfo info {};
  info.uptime = call.thread.hart.time_ps / ps_per_s;
  info.totalram = space.limit();
  info.freeram = space.limit() - std::min(space.limit(), space.used());
  info.procs = 1;
  info.mem_unit = 1;
  return call.memory().write(call[0], info) ? 0 : -EFAULT;
}

Result prlimit64(Call& call) {
  const auto limit = [&]() -> std::uint64_t {
    switch (call[1]) {
      case RLIMIT_STACK:
        return call.process.settings().stack_bytes;
      case RLIMIT_NOFILE:
        return Files::most;
      case RLIMIT_DATA:
        return call.process.space().limit();
      case RLIMIT_SIGPENDING:
        return Process::most_pending;
      case RLIMIT_CORE:
        return 0;
      default:
        return RLIM_INFINITY;
    }
  }();
  if (call[1] >= RLIM_NLIMITS) return -EINVAL;
  if (call.integer(0) != 0 && call.integer(0) != call.process.settings().id) return -ESRCH;
  if (call[2] != 0) {
    const auto wanted = call.memory().read<std::array<std::uint64_t, 2>>(call[2]);
    if (!wanted) return -EFAULT;
    if (wanted->front() > wanted->back()) return -EINVAL;
  }
  return call[3] == 0 || call.memory().write(call[3], std::array<std::uint64_t, 2>{limit, limit}) ? 0 : -EFAULT;
}

/// Its group and session are its own.
Result get_group(Call& call) {
  const int own = call.process.settings().id;
  return call.integer(0) == 0 || call.integer(0) == own ? own : -ESRCH;
}

/// The leader of a session stays in its group.
Result setpgid(Call& call) {
  const int own = call.process.settings().id;
  if (call.integer(1) < 0) return -EINVAL;
  return call.integer(0) == 0 || call.integer(0) == own ? -EPERM : -ESRCH;
}

Result getgroups(Call&) { return 0; }

/// There are no processes to wait for.
Result wait(Call&) { return -ECHILD; }

/// The name of a thread.
Result prctl(Call& call) {
  auto& name = call.thread.name;
  if (call[0] == PR_GET_NAME) return call.memory().write(call[1], name) ? 0 : -EFAULT;
  if (call[0] != PR_SET_NAME) return -EINVAL;
  const auto given = call.memory().bytes_at(call[1], 1, readable);
  if (!given) return -EFAULT;
  name = {};
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    const auto letter = call.memory().read<char>(call[1] + i);
    if (!letter) return -EFAULT;
    if (*letter == 0) break;
    name.at(i) = *letter;
  }
  return 0;
}

Result getrandom(Call& call) {
  constexpr std::uint64_t most = 33554431;  // as Linux: what one call gives
  constexpr std::uint64_t known = GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE;
  if ((call[2] & ~known) != 0) return -EINVAL;
  const std::uint64_t bytes = std::min(call[1], most);
  const auto place = call.memory().bytes_at(call[0], bytes, writable);
  if (!place) return -EFAULT;
  fill_randomly(*place, [&] { return call.process.random().next(); });
  return static_cast<std::int64_t>(bytes);
}

/// Code has changed that other threads run, too.
Result riscv_flush_icache(Call& call) {
  call.process.interpreter().blocks().drop_writable();
  return 0;
}

/// Linux 6.4 has it; the C library asks it for fast unaligned accesses, and does without.
Result riscv_hwprobe(Call&) { return -ENOSYS; }

const SystemCallRegistration registrations[] = {
    SystemCallRegistration({"getpid", "id of the process", 172, getpid}),
    SystemCallRegistration({"getppid", "0: its parent is outside", 173, getppid}),
    SystemCallRegistration({"gettid", "id of the thread", 178, gettid}),
    SystemCallRegistration({"getuid", "an ordinary user", 174, getuid}),
    SystemCallRegistration({"geteuid", "an ordinary user", 175, getuid}),
    SystemCallRegistration({"getgid", "an ordinary user's group", 176, getuid}),
    SystemCallRegistration({"getegid", "an ordinary user's group", 177, getuid}),
    SystemCallRegistration({"getpgid", "a group of its own", 155, get_group}),
    SystemCallRegistration({"getsid", "a session of its own", 156, get_group}),
    SystemCallRegistration({"setpgid", "EPERM: it leads a session", 154, setpgid}),
    SystemCallRegistration({"getgroups", "no groups but its own", 158, getgroups}),
    SystemCallRegistration({"wait4", "there are no children", 260, wait}),
    SystemCallRegistration({"waitid", "there are no children", 95, wait}),
    SystemCallRegistration({"prctl", "the name of a thread", 167, prctl}),
    SystemCallRegistration({"uname", "the node's name", 160, uname}),
    SystemCallRegistration({"sysinfo", "memory", 179, sysinfo}),
    SystemCallRegistration({"prlimit64", "limits; they cannot be changed", 261, prlimit64}),
    SystemCallRegistration({"getrandom", "by the run's seed", 278, getrandom}),
    SystemCallRegistration({"riscv_hwprobe", "fails with ENOSYS", 258, riscv_hwprobe}),
    SystemCallRegistration({"riscv_flush_icache", "after code was changed", 259, riscv_flush_icache})};

}  // namespace
}  // namespace sanvp::riscv::os
