/// Breakpoints on the machine around the processors. The server knows that they are there; its owner finds the hits.
#pragma once

#include <cstdint>
#include <string>

namespace sanvp::riscv::gdb {

class MachineStops {
 public:
  virtual ~MachineStops() = default;
  /// Those that are set, for a process that continues in the place of this one.
  virtual std::string state() const = 0;
  virtual void restore(const std::string& state) = 0;
  virtual void clear() = 0;
  virtual std::int64_t now_ps() const = 0;
  /// In a process that searches: from now on it knows what arrives at cards.
  virtual void watch_arrivals() = 0;
  /// What a process's card has got last, and its sender, in a line; empty if nothing has arrived since.
  virtual std::string last_arrival(int inferior) const = 0;
};

}  // namespace sanvp::riscv::gdb
