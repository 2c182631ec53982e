/// ppoll.
#include "models/cpu/riscv/linux/calls/clock.hpp"
#include "models/cpu/riscv/linux/calls/wait_for_files.hpp"

namespace sanvp::riscv::os {
namespace {

/// struct pollfd.
struct Poll {
  std::int32_t descriptor = 0;
  std::int16_t wanted = 0;
  std::int16_t found = 0;
};

/// How many descriptors have events; they are written.
Result look(Call& call) {
  std::int64_t ready = 0;
  for (std::uint64_t i = 0; i < call[1]; ++i) {
    const std::uint64_t address = call[0] + i * sizeof(Poll);
    auto poll = call.memory().read<Poll>(address);
    if (!poll) return -EFAULT;
    const Files::Descriptor* const descriptor = call.process.files().find(poll->descriptor);
    poll->found = 0;
    if (poll->descriptor >= 0) poll->found = descriptor == nullptr ? POLLNVAL : descriptor->file->ready(poll->wanted);
    if (!call.memory().write(address, *poll)) return -EFAULT;
    if (poll->found != 0) ++ready;
  }
  return ready;
}

Result ppoll(Call& call) {
  if (call[1] > Files::most) return -EINVAL;
  const std::int64_t now = call.thread.hart.time_ps;
  std::optional<std::int64_t>& deadline = call.thread.deadline_ps;
  if (call[2] != 0 && !deadline) {
    const auto span = call.memory().read<TimeSpan>(call[2]);
    if (!span) return -EFAULT;
    if (!span->is_valid()) return -EINVAL;
    deadline = after(now, *span);
  }
  const Result ready = look(call);
  if (*ready != 0 || (deadline && *deadline <= now)) return ready;
  return wait_for_files(call, deadline);
}

const SystemCallRegistration registration({"ppoll", "waits for pipes", 73, ppoll});

}  // namespace
}  // namespace sanvp::riscv::os
