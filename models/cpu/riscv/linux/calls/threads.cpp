/// clone of threads, exit.
#include <sched.h>

#include "models/cpu/riscv/linux/system_call.hpp"

namespace sanvp::riscv::os {
namespace {

constexpr unsigned sp = 2, tp = 4, a0 = 10;
constexpr std::size_t most_threads = 1024;

Result clone(Call& call) {
  constexpr std::uint64_t of_threads = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
  const std::uint64_t flags = call[0], stack = call[1], parent_id = call[2], storage = call[3], child_id = call[4];
  if ((flags & of_threads) != of_threads) {
    call.process.warn_once("the program wants to start another process: that is not there, and fails with ENOSYS");
    return -ENOSYS;
  }
  if (call.process.threads().size() >= most_threads) return -EAGAIN;
  Thread& thread = call.process.add_thread(call.thread);
  thread.hart.x[a0] = 0;
  if (stack != 0) thread.hart.x[sp] = stack;
  if ((flags & CLONE_SETTLS) != 0) thread.hart.x[tp] = storage;
  if ((flags & CLONE_CHILD_CLEARTID) != 0) thread.clear_at_exit = child_id;
  const auto id = static_cast<std::int32_t>(thread.id);
  if ((flags & CLONE_PARENT_SETTID) != 0) call.memory().write(parent_id, id);
  if ((flags & CLONE_CHILD_SETTID) != 0) call.memory().write(child_id, id);
  return id;
}

/// The C library tries it first, and then `clone`.
Result clone3(Call&) { return -ENOSYS; }

Result exit(Call& call) {
  call.process.end_thread(call.thread);
  for (const auto& thread : call.process.threads())
    if (!thread->has_ended) return no_result;
  call.process.exit(call.integer(0) & 0xFF);
  return no_result;
}

Result exit_group(Call& call) {
  call.process.exit(call.integer(0) & 0xFF);
  return no_result;
}

Result set_tid_address(Call& call) {
  call.thread.clear_at_exit = call[0];
  return call.thread.id;
}

/// Without it the C library itself handles robust mutexes whose owner has ended, but not across processes; as under
/// qemu-riscv64.
Result set_robust_list(Call&) { return -ENOSYS; }
Result rseq(Call&) { return -ENOSYS; }

const SystemCallRegistration registrations[] = {
    SystemCallRegistration({"clone", "a thread", 220, clone}),
    SystemCallRegistration({"clone3", "fails with ENOSYS, for `clone`", 435, clone3}),
    SystemCallRegistration({"exit", "of a thread", 93, exit}),
    SystemCallRegistration({"exit_group", "of the process", 94, exit_group}),
    SystemCallRegistration({"set_tid_address", "word to clear when a thread ends", 96, set_tid_address}),
    SystemCallRegistration({"set_robust_list", "fails with ENOSYS", 99, set_robust_list}),
    SystemCallRegistration({"rseq", "fails with ENOSYS", 293, rseq})};

}  // namespace
}  // namespace sanvp::riscv::os
