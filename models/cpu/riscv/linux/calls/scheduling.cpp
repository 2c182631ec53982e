/// sched_yield, sched_getaffinity, getcpu and others: CPUs and priorities. All threads may run on all CPUs of the node,
/// and all have the same priority.
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>

#include "models/cpu/riscv/linux/system_call.hpp"

namespace sanvp::riscv::os {
namespace {

constexpr unsigned a0 = 10;

Result sched_yield(Call& call) {
  call.process.suspend(call.thread, {.what = Wait::For::time, .until_ps = call.thread.hart.time_ps});
  call.thread.hart.x[a0] = 0;
  return no_result;
}

Result sched_getaffinity(Call& call) {
  const int cpus = call.process.settings().cpus;
  std::array<std::uint64_t, 16> mask{};
  if (call[1] < sizeof mask[0] || call[1] % sizeof mask[0] != 0) return -EINVAL;
  for (int cpu = 0; cpu < cpus; ++cpu) mask.at(static_cast<std::size_t>(cpu) / 64) |= std::uint64_t{1} << cpu % 64;
  const std::size_t bytes = std::min<std::uint64_t>(call[1], sizeof mask);
  const auto place = call.memory().bytes_at(call[2], bytes, writable);
  if (!place) return -EFAULT;
  std::memcpy(place->data(), mask.data(), bytes);
  return bytes;
}

/// All threads may run on all CPUs.
Result sched_setaffinity(Call&) { return 0; }

/// The node of memory is the only one.
Result getcpu(Call& call) {
  const auto cpu = static_cast<std::uint32_t>(call.thread.cpu);
  if (call[0] != 0 && !call.memory().write(call[0], cpu)) return -EFAULT;
  return call[1] == 0 || call.memory().write(call[1], std::uint32_t{0}) ? 0 : -EFAULT;
}

bool is_there(Call& call, int id) {
  const auto& threads = call.process.threads();
  return id == 0 || id == call.process.settings().id ||
         std::any_of(threads.begin(), threads.end(), [id](const auto& thread) { return thread->id == id; });
}

Result sched_getscheduler(Call& call) { return is_there(call, call.integer(0)) ? SCHED_OTHER : -ESRCH; }

Result sched_getparam(Call& call) {
  if (!is_there(call, call.integer(0))) return -ESRCH;
  return call.memory().write(call[1], std::int32_t{0}) ? 0 : -EFAULT;
}

/// An ordinary user can have no other than SCHED_OTHER.
Result sched_setscheduler(Call& call) {
  if (!is_there(call, call.integer(0))) return -ESRCH;
  const auto priority = call.memory().read<std::int32_t>(call[2]);
  if (!priority) return -EFAULT;
  if (call.integer(1) != SCHED_OTHER) return -EPERM;
  return *priority == 0 ? 0 : -EINVAL;
}

Result sched_setparam(Call& call) {
  if (!is_there(call, call.integer(0))) return -ESRCH;
  const auto priority = call.memory().read<std::int32_t>(call[1]);
  if (!priority) return -EFAULT;
  return *priority == 0 ? 0 : -EINVAL;
}

bool is_of_real_time(std::uint64_t policy) { return policy == SCHED_FIFO || policy == SCHED_RR; }
bool is_policy(std::uint64_t policy) { return policy <= SCHED_BATCH || policy == SCHED_IDLE; }

Result sched_get_priority_max(Call& call) {
  constexpr int most = 99;  // of Linux
  if (!is_policy(call[0])) return -EINVAL;
  return is_of_real_time(call[0]) ? most : 0;
}

Result sched_get_priority_min(Call& call) {
  if (!is_policy(call[0])) return -EINVAL;
  return is_of_real_time(call[0]) ? 1 : 0;
}

/// That of nice 0, as the kernel passes it: 20 less nice.
Result getpriority(Call&) { return 20; }

const SystemCallRegistration registrations[] = {
    SystemCallRegistration({"sched_yield", "the others have their turn", 124, sched_yield}),
    SystemCallRegistration({"sched_getaffinity", "the node's CPUs", 123, sched_getaffinity}),
    SystemCallRegistration({"sched_setaffinity", "does nothing", 122, sched_setaffinity}),
    SystemCallRegistration({"getcpu", "the CPU of the thread", 168, getcpu}),
    SystemCallRegistration({"sched_getscheduler", "SCHED_OTHER", 120, sched_getscheduler}),
    SystemCallRegistration({"sched_setscheduler", "no other than SCHED_OTHER", 119, sched_setscheduler}),
    SystemCallRegistration({"sched_getparam", "priority 0", 121, sched_getparam}),
    SystemCallRegistration({"sched_setparam", "no other than priority 0", 118, sched_setparam}),
    SystemCallRegistration({"sched_get_priority_max", "of a policy", 125, sched_get_priority_max}),
    SystemCallRegistration({"sched_get_priority_min", "of a policy", 126, sched_get_priority_min}),
    SystemCallRegistration({"getpriority", "that of all", 141, getpriority})};

}  // namespace
}  // namespace sanvp::riscv::os
