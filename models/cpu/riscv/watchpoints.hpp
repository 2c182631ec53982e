/// Watchpoints of a process: its harts stop after an access to certain bytes. Pages without them cost nothing; each
/// access to a page with one takes the slow path. Blocks, time and budgets are the same as without.
#pragma once

#include <string>
#include <vector>

#include "models/cpu/riscv/interpreter.hpp"

namespace sanvp::riscv {

struct Watchpoint {
  enum class Of : std::uint8_t { writes = 1, reads = 2, accesses = 3 };  ///< bits
  Of of = Of::writes;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  bool operator==(const Watchpoint&) const = default;
};

class Watchpoints {
 public:
  static constexpr std::uint64_t most_bytes = 1 << 20;

  explicit Watchpoints(const Memory& memory) : memory_(memory) {}

  /// False if it is empty, too long, or outside the window.
  bool add(const Watchpoint& watchpoint);
  /// False if it is not there.
  bool remove(const Watchpoint& watchpoint);
  void clear() { watched_.clear(); }
  std::vector<Watchpoint> all() const {
    std::vector<Watchpoint> list;
    for (const Watched& one : watched_) list.push_back(one.watchpoint);
    return list;
  }

  /// As Interpreter::run and step, with Stop::watchpoint after an access.
  Stop run(Interpreter<std::uint64_t>& interpreter, Hart64& hart, std::uint64_t budget);
  Stop step(Interpreter<std::uint64_t>& interpreter, Hart64& hart);

  struct Hit {
    Watchpoint watchpoint{};
    std::uint64_t address = 0;  ///< of the access
  };
  /// After Stop::watchpoint.
  const Hit& hit() const { return hit_; }
  /// A watchpoint of writes whose bytes have changed otherwise since the last look: a system call or a card wrote them.
  std::optional<Hit> changed_from_outside();

 private:
  struct Watched {
    Watchpoint watchpoint{};
    std::string last{};  ///< its bytes at the last look
  };
  bool covers(const Fault& fault) const;
  std::optional<Hit> find(std::uint64_t address, std::uint64_t bytes, unsigned kinds) const;
  std::string bytes_of(const Watchpoint& watchpoint) const;
  void look();

  const Memory& memory_;
  std::vector<Watched> watched_;
  Hit hit_{};
};

}  // namespace sanvp::riscv
