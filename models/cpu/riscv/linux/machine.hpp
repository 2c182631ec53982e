/// The machine around a process: everything that its programs reach beyond Linux.
#pragma once

#include <cstdint>
#include <vector>

#include "models/cpu/riscv/linux/system_call.hpp"

namespace sanvp::riscv::os {

/// A load or store of an integer register.
struct DeviceAccess {
  std::uint64_t address = 0;
  unsigned bytes = 0;  ///< 1, 2, 4 or 8
  bool is_store = false;
  std::uint64_t value = 0;  ///< stored, or to be loaded: bits above `bytes` are 0
};

class Machine {
 public:
  virtual ~Machine() = default;

  /// Whether it has a system call of this number, which Linux does not have.
  virtual bool has_call(std::uint64_t number) const = 0;
  virtual Result call(Call& call, std::uint64_t number) = 0;

  /// The thread has a signal to handle, and may wait in a call of the machine. That ends, and is retried afterwards.
  virtual void signalled(const Thread& thread) = 0;

  /// The processes of the node, this one among them, always in the same order: they share the memory from
  /// shared_begin() on.
  virtual std::vector<Process*> sharing() = 0;
  /// Another process has made threads of this one ready.
  virtual void made_ready() = 0;

  /// Whether a device's window is there.
  virtual bool has_device(std::uint64_t address) const = 0;
  /// False if the process may not access it, or no device answers.
  virtual bool access(Thread& thread, DeviceAccess& access) = 0;

  /// The process gives back pages that devices may know.
  virtual void unmapped(std::uint64_t address, std::uint64_t bytes) = 0;
};

}  // namespace sanvp::riscv::os
