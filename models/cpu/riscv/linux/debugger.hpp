/// The calls from a process to a debugger, which may keep the simulator waiting in each of them.
#pragma once

#include "models/cpu/riscv/linux/process.hpp"

namespace sanvp::riscv::os {

class Debugger {
 public:
  virtual ~Debugger() = default;

  /// A thread's turn begins.
  virtual void begin_turn(Process& process, Thread& thread) = 0;
  /// Instead of Interpreter::run, with the same result: runs the thread's hart until it has executed `limit`
  /// instructions in all. Returns no Stop that is only for debuggers.
  virtual Stop run(Process& process, Thread& thread, std::uint64_t limit) = 0;
  /// Before a signal is handled, by the program or by its default.
  /// @returns the signal that the thread gets; 0: none
  virtual int signal(Process& process, Thread& thread, const Signal& signal) = 0;
  /// The thread is about to end its program with a failure that is no signal, such as MPI_Abort. @param why  in a line
  virtual void fails(Process& process, Thread& thread, const std::string& why) = 0;
};

}  // namespace sanvp::riscv::os
