/// sched_yield, sched_getaffinity, getcpu and others: CPUs and priorities. All threads run on all CPUs of the node, and
/// all have the same priority.
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <vector>

#include "models/cpu/riscv/linux/system_call.hpp"

namespace sanvp::riscv::os {
namespace {

constexpr unsigned a0 = 10;

Result sched_yield(Call& call) {
  call.process.suspend(call.thread, {.what = Wait::For::time, .until_ps = call.thread.hart.time_ps});
  call.thread.hart.x[a0] = 0;
  return no_result;
}

/// 0: the caller.
Thread* find(Call& call, int id) { return id == 0 ? &call.thread : call.process.find_thread(id); }

CpuSet all_cpus(const Call& call) {
  CpuSet all;
  for (int cpu = 0; cpu < call.process.settings().cpus; ++cpu) all.set(static_cast<std::size_t>(cpu));
  return all;
}

constexpr std::size_t bits_of_word = 64;
using Words = std::array<std::uint64_t, CpuSet{}.size() / bits_of_word>;

Result sched_getaffinity(Call& call) {
  const Thread* const thread = find(call, call.integer(0));
  if (thread == nullptr) return -ESRCH;
  const std::size_t bytes = std::min<std::uint64_t>(call[1], sizeof(Words));
  if (bytes % sizeof(std::uint64_t) != 0 || bytes * CHAR_BIT < all_cpus(call).count()) return -EINVAL;
  const CpuSet set = thread->bound_to.any() ? thread->bound_to : all_cpus(call);
  Words words{};
  for (std::size_t cpu = 0; cpu < set.size(); ++cpu)
    if (set.test(cpu)) words.at(cpu / bits_of_word) |= std::uint64_t{1} << cpu % bits_of_word;
  const auto place = call.memory().bytes_at(call[2], bytes, writable);
  if (!place) return -EFAULT;
  std::memcpy(place->data(), words.data(), bytes);
  return bytes;
}

/// A thread stays on its CPU as long as there are no more threads than CPUs. So binding has no effect unless it
/// confines several threads to fewer CPUs: that is reported.
Result sched_setaffinity(Call& call) {
  Thread* const thread = find(call, call.integer(0));
  if (thread == nullptr) return -ESRCH;
  Words words{};
  const std::size_t bytes = std::min<std::uint64_t>(call[1], sizeof words);
  const auto place = call.memory().bytes_at(call[2], bytes, readable);
  if (!place) return -EFAULT;
  std::memcpy(words.data(), place->data(), bytes);
  CpuSet set;
  for (std::size_t cpu = 0; cpu < set.size(); ++cpu)
    set.set(cpu, (words.at(cpu / bits_of_word) >> cpu % bits_of_word & 1) != 0);
  set &= all_cpus(call);
  if (set.none()) return -EINVAL;
  thread->bound_to = set;
  const auto& threads = call.process.threads();
  const auto bound = std::count_if(threads.begin(), threads.end(), [&](const auto& one) {
    return !one->has_ended && one->bound_to.any() && (one->bound_to & ~set).none();
  });
  if (static_cast<std::size_t>(bound) > set.count() && set != all_cpus(call))
    call.process.warn_once(
        "sched_setaffinity: more threads are bound to CPUs than these are; they run on all CPUs of the node all the "
        "same");
  return 0;
}

/// There is only one NUMA node.
Result getcpu(Call& call) {
  const auto cpu = static_cast<std::uint32_t>(call.thread.cpu);
  if (call[0] != 0 && !call.memory().write(call[0], cpu)) return -EFAULT;
  return call[1] == 0 || call.memory().write(call[1], std::uint32_t{0}) ? 0 : -EFAULT;
}

bool is_there(Call& call, int id) { return id == call.process.settings().id || find(call, id) != nullptr; }

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

constexpr int least_nice = -20, most_nice = 19;

bool is_kind_of_priority(std::uint64_t which) {
  return which == PRIO_PROCESS || which == PRIO_PGRP || which == PRIO_USER;
}

/// Threads that are named: one, or all of the process, which is a group and the user's only process.
std::vector<Thread*> named(Call& call) {
  std::vector<Thread*> found;
  if (call[0] == PRIO_PROCESS)
    if (Thread* const thread = find(call, call.integer(1)); thread != nullptr) return {thread};
  if (call[0] == PRIO_PROCESS) return {};
  for (const auto& thread : call.process.threads())
    if (!thread->has_ended) found.push_back(thread.get());
  return found;
}

/// As the kernel passes it: 20 less nice.
Result getpriority(Call& call) {
  if (!is_kind_of_priority(call[0])) return -EINVAL;
  const std::vector<Thread*> threads = named(call);
  if (threads.empty()) return -ESRCH;
  int least = most_nice;
  for (const Thread* thread : threads) least = std::min(least, thread->nice);
  return 20 - least;
}

/// It is remembered.
Result setpriority(Call& call) {
  if (!is_kind_of_priority(call[0])) return -EINVAL;
  const int nice = std::clamp(call.integer(2), least_nice, most_nice);
  const std::vector<Thread*> threads = named(call);
  if (threads.empty()) return -ESRCH;
  for (Thread* thread : threads) {
    if (nice < thread->nice) return -EACCES;  // an ordinary user's
    thread->nice = nice;
  }
  return 0;
}

const SystemCallRegistration registrations[] = {
    SystemCallRegistration({"sched_yield", "the others have their turn", 124, sched_yield}),
    SystemCallRegistration({"sched_getaffinity", "the node's CPUs", 123, sched_getaffinity}),
    SystemCallRegistration({"sched_setaffinity", "is remembered", 122, sched_setaffinity}),
    SystemCallRegistration({"getcpu", "the CPU of the thread", 168, getcpu}),
    SystemCallRegistration({"sched_getscheduler", "SCHED_OTHER", 120, sched_getscheduler}),
    SystemCallRegistration({"sched_setscheduler", "no other than SCHED_OTHER", 119, sched_setscheduler}),
    SystemCallRegistration({"sched_getparam", "priority 0", 121, sched_getparam}),
    SystemCallRegistration({"sched_setparam", "no other than priority 0", 118, sched_setparam}),
    SystemCallRegistration({"sched_get_priority_max", "of a policy", 125, sched_get_priority_max}),
    SystemCallRegistration({"sched_get_priority_min", "of a policy", 126, sched_get_priority_min}),
    SystemCallRegistration({"getpriority", "nice", 141, getpriority}),
    SystemCallRegistration({"setpriority", "nice is remembered; threads run as without", 140, setpriority})};

}  // namespace
}  // namespace sanvp::riscv::os
