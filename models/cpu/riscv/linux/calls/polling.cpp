/// ppoll, pselect6.
#include <algorithm>
#include <bit>
#include <cstring>

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

/// What is left of the span at an argument.
void put_rest(const Call& call, std::size_t argument) {
  const std::optional<std::int64_t>& deadline = call.thread.deadline_ps;
  if (call[argument] != 0 && deadline)
    call.memory().write(call[argument], TimeSpan::of(std::max<std::int64_t>(0, *deadline - call.thread.hart.time_ps)));
}

/// The number of descriptors with events, which are written.
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

/// Makes a call with a mask of signals, if one is passed. A signal that it lets through ends the call, unless that
/// has found something.
Result with_mask(Call& call, std::uint64_t address, std::uint64_t bytes, Result (*wait)(Call& call)) {
  Thread& thread = call.thread;
  if (address != 0) {
    if (bytes != sizeof(SignalSet)) return -EINVAL;
    const auto blocked = call.memory().read<SignalSet>(address);
    if (!blocked) return -EFAULT;
    thread.block_during_call(*blocked);
  }
  const Result result = wait(call);
  if (!result) call.process.interrupt(thread, thread.hart.time_ps);
  if (result && *result == 0 && call.process.has_signal(thread)) return -EINTR;
  if (result) thread.block_as_before_call();
  return result;
}

Result poll(Call& call) {
  if (call[1] > Files::most) return -EINVAL;
  const std::int64_t now = call.thread.hart.time_ps;
  if (const std::int64_t error = set_deadline(call, 2); error != 0) return error;
  const std::optional<std::int64_t>& deadline = call.thread.deadline_ps;
  const Result ready = look(call);
  if (*ready == 0 && (!deadline || *deadline > now)) return wait_for_files(call, deadline, false, call[2]);
  put_rest(call, 2);
  return ready;
}

Result ppoll(Call& call) { return with_mask(call, call[3], call[4], poll); }

/// fd_set, of the descriptors that a process can have.
using DescriptorSet = std::array<std::uint64_t, Files::most / 64>;

struct Interest {
  std::uint64_t address;
  short events;
  DescriptorSet wanted{}, found{};
};

/// The descriptors of a set that have one of its events. False: one of them is not open.
bool look(Call& call, Interest& set, int count) {
  for (int number = 0; number < count; ++number) {
    const std::uint64_t bit = std::uint64_t{1} << number % 64;
    if ((set.wanted.at(number / 64) & bit) == 0) continue;
    const Files::Descriptor* const descriptor = call.process.files().find(number);
    if (descriptor == nullptr) return false;
    if (set.events != 0 && descriptor->file->ready(set.events) != 0) set.found.at(number / 64) |= bit;
  }
  return true;
}

/// Only the sets that are passed; in the last of them only the words with descriptors.
Result select(Call& call) {
  const int count = call.integer(0);
  if (count < 0 || count > Files::most) return -EINVAL;
  const std::int64_t now = call.thread.hart.time_ps;
  if (const std::int64_t error = set_deadline(call, 4); error != 0) return error;
  const std::optional<std::int64_t>& deadline = call.thread.deadline_ps;
  const std::size_t bytes = (static_cast<std::size_t>(count) + 63) / 64 * 8;
  std::array<Interest, 3> sets{{{call[1], POLLIN}, {call[2], POLLOUT}, {call[3], 0}}};
  std::int64_t ready = 0;
  for (Interest& set : sets) {
    if (set.address == 0) continue;
    const auto place = call.memory().bytes_at(set.address, bytes, writable);
    if (!place) return -EFAULT;
    std::memcpy(set.wanted.data(), place->data(), bytes);
    if (!look(call, set, count)) return -EBADF;
    for (const std::uint64_t word : set.found) ready += std::popcount(word);
  }
  if (ready == 0 && (!deadline || *deadline > now)) return wait_for_files(call, deadline, false, call[4]);
  put_rest(call, 4);
  for (const Interest& set : sets)
    if (set.address != 0)
      std::memcpy(call.memory().bytes_at(set.address, bytes, writable)->data(), set.found.data(), bytes);
  return ready;
}

/// What the last argument points to.
struct Mask {
  std::uint64_t address = 0, bytes = 0;
};

Result pselect6(Call& call) {
  if (call[5] == 0) return select(call);
  const auto mask = call.memory().read<Mask>(call[5]);
  return mask ? with_mask(call, mask->address, mask->bytes, select) : -EFAULT;
}

const SystemCallRegistration registrations[] = {SystemCallRegistration({"ppoll", "waits for pipes", 73, ppoll}),
                                                SystemCallRegistration({"pselect6", "waits for pipes", 72, pselect6})};

}  // namespace
}  // namespace sanvp::riscv::os
