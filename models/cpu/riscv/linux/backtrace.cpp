#include "models/cpu/riscv/linux/backtrace.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "models/cpu/riscv/linux/prologue.hpp"
#include "models/cpu/riscv/linux/signals.hpp"

namespace sanvp::riscv::os {
namespace {

// From raise by way of abort, terminate and __cxa_throw there are eight to what has thrown.
constexpr std::size_t most_callers = 12;
constexpr unsigned ra = 1, sp = 2, fp = 8;

/// libdw unwinds if the program has unwind information. Elsewhere the function's prologue is decoded, or the frame of a
/// signal's handler, and then libdw continues.
class Unwinder {
 public:
  Unwinder(const Process& process, const Thread& thread, const native::Symbols& symbols)
      : process_(process), symbols_(symbols), shift_(symbols.bias() - process.load_bias()), pc_(thread.hart.pc) {
    std::copy_n(thread.hart.x.begin(), x_.size(), x_.begin());
    add(pc_);
  }

  std::vector<Frame> frames() {
    static constexpr Dwfl_Thread_Callbacks callbacks{.next_thread = next_thread,
                                                     .get_thread = nullptr,
                                                     .memory_read = read_memory,
                                                     .set_initial_registers = set_registers,
                                                     .detach = nullptr,
                                                     .thread_detach = nullptr};
    const bool has_libdw = dwfl_attach_state(symbols_.session(), nullptr, 1, &callbacks, this);
    do {
      if (has_libdw)
        dwfl_getthreads(
            symbols_.session(),
            [](Dwfl_Thread* thread, void* self) { return dwfl_thread_getframes(thread, next_frame, self); }, this);
    } while (frames_.size() <= most_callers && leave_function());
    return frames_;
  }

 private:
  static pid_t next_thread(Dwfl*, void* self, void** argument) {
    if (*argument != nullptr) return 0;
    *argument = self;
    return 1;
  }
  static bool read_memory(Dwfl*, Dwarf_Addr address, Dwarf_Word* value, void* self) {
    auto& unwinder = *static_cast<Unwinder*>(self);
    const auto word = unwinder.process_.space().memory().read<std::uint64_t>(address);
    *value = word.value_or(0);
    return word.has_value();
  }
  static bool set_registers(Dwfl_Thread* thread, void* self) {
    auto& unwinder = *static_cast<Unwinder*>(self);
    unwinder.begins_ = true;
    dwfl_thread_state_register_pc(thread, unwinder.pc_ + unwinder.shift_);
    return dwfl_thread_state_registers(thread, 0, 32, unwinder.x_.data());
  }
  /// The first is the one that libdw begins with; the others are those of the program in memory.
  static int next_frame(Dwfl_Frame* frame, void* self) {
    auto& unwinder = *static_cast<Unwinder*>(self);
    Dwarf_Addr pc = 0;
    bool is_first = false;
    if (!dwfl_frame_pc(frame, &pc, &is_first)) return DWARF_CB_ABORT;
    if (std::exchange(unwinder.begins_, false)) return DWARF_CB_OK;
    for (unsigned i = 1; i < 32; ++i) {
      Dwarf_Word value = 0;
      if (dwfl_frame_reg(frame, i, &value) == 0) unwinder.x_[i] = value;
    }
    if (!unwinder.enter_caller(pc)) return DWARF_CB_ABORT;
    return unwinder.frames_.size() > most_callers ? DWARF_CB_ABORT : DWARF_CB_OK;
  }

  void add(std::uint64_t pc, int signal = 0) { frames_.push_back({pc - process_.load_bias(), signal}); }

  /// Continues in the call before this address, or in the code that a signal has interrupted. False: libdw has no
  /// information on it.
  bool enter_caller(std::uint64_t return_address) {
    pc_ = return_address - 1;
    is_innermost_ = false;
    if (return_address != process_.sigreturn_address()) add(pc_);
    return return_address != process_.sigreturn_address();
  }

  bool enter_interrupted() {
    const auto interrupted = interrupted_by_frame(process_, x_[sp]);
    if (!interrupted) return false;
    x_ = interrupted->x;
    pc_ = interrupted->pc;
    is_innermost_ = true;
    add(pc_, interrupted->signal);
    return true;
  }

  /// Leaves a function without unwind information. Outside of functions, such as at address 0, and in those that have
  /// not yet stored it, the return address is in its register. False: the caller is not known.
  bool leave_function() {
    if (pc_ + 1 == process_.sigreturn_address()) return enter_interrupted();
    const auto begin = symbols_.function_begin(pc_ - process_.load_bias());
    const FrameLayout layout =
        begin ? frame_at(process_.space().memory(), *begin + process_.load_bias(), pc_) : FrameLayout{};
    if (!begin && !is_innermost_) return false;
    if (!layout.saved_below[ra] && !is_innermost_) return false;
    const std::uint64_t top = layout.pointer_below ? x_[fp] + static_cast<std::uint64_t>(*layout.pointer_below)
                                                   : x_[sp] + static_cast<std::uint64_t>(layout.bytes);
    for (unsigned i = 1; i < 32; ++i) {
      if (!layout.saved_below.at(i)) continue;
      const auto below = static_cast<std::uint64_t>(*layout.saved_below.at(i));
      const auto value = process_.space().memory().read<std::uint64_t>(top - below);
      if (!value) return false;
      x_[i] = *value;
    }
    x_[sp] = top;
    if (x_[ra] == process_.sigreturn_address()) return enter_interrupted();
    if (!symbols_.function_begin(x_[ra] - 1 - process_.load_bias())) return false;
    enter_caller(x_[ra]);
    return true;
  }

  const Process& process_;
  const native::Symbols& symbols_;
  std::uint64_t shift_;  ///< from addresses in memory to libdw's
  std::uint64_t pc_;     ///< of the last place, in memory
  std::array<std::uint64_t, 32> x_{};
  bool is_innermost_ = true;
  bool begins_ = false;
  std::vector<Frame> frames_;
};

}  // namespace

std::vector<Frame> backtrace(const Process& process, const Thread& thread, const native::Symbols& symbols) {
  return Unwinder(process, thread, symbols).frames();
}

}  // namespace sanvp::riscv::os
