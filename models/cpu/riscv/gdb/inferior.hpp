/// Processes as gdb sees them: its word is inferior. Each has breakpoints, watchpoints and steps of its own.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/cpu/riscv/gdb/thread_id.hpp"
#include "models/cpu/riscv/linux/process.hpp"
#include "models/cpu/riscv/watchpoints.hpp"

namespace sanvp::riscv::gdb {

/// Steps a thread until its pc is outside of these addresses.
struct Step {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  ///< not above `begin`: one instruction
  bool has_begun = false;
  bool is_over(std::uint64_t pc) const { return has_begun && (pc < begin || pc >= end); }
};

struct Inferior {
  int id = 0;
  std::string name{};  ///< such as "rank 3 on node 1"
  os::Process* process = nullptr;
  Watchpoints watchpoints;
  std::set<std::uint64_t> breakpoints{};
  std::map<int, Step> steps{};  ///< by thread
  bool is_debugged = true;      ///< until the client detaches from it

  Inferior(int number, std::string text, os::Process& debugged)
      : id(number), name(std::move(text)), process(&debugged), watchpoints(debugged.space().memory()) {}

  /// Null if no such thread exists. @param thread  ThreadId::any, all: the first that has not ended
  os::Thread* thread(int thread) const;
  bool set_breakpoint(std::uint64_t pc);
  bool clear_breakpoint(std::uint64_t pc);
  /// Without breakpoints, watchpoints and steps.
  void release();

  /// The memory mapped from the address on; may be fewer bytes.
  std::string read(std::uint64_t address, std::uint64_t bytes) const;
  /// False, with nothing written, unless all of it is mapped.
  bool write(std::uint64_t address, std::string_view bytes);
};

class Inferiors {
 public:
  Inferior& add(os::Process& process, int id, std::string name);
  const std::vector<std::unique_ptr<Inferior>>& all() const { return all_; }
  Inferior* find(int id) const;
  Inferior* find(const os::Process& process) const;
  /// Null: the client has detached from all.
  Inferior* first_debugged() const;

 private:
  std::vector<std::unique_ptr<Inferior>> all_;
};

}  // namespace sanvp::riscv::gdb
