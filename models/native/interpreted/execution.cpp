// Calls into interpreted code, and from there to the host.
#include <fmt/format.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <utility>

#include "models/native/interpreted/code.hpp"
#include "models/native/interpreted/instruction.hpp"
#include "models/native/interpreted/library.hpp"
#include "models/native/safety_net.hpp"

namespace sanvp::native::interpreted {
namespace {

constexpr std::size_t stack_bytes = 24 << 10;  // drivers and firmware have frames of some hundred bytes (A)
constexpr std::size_t least_stack_left = 1 << 10;
constexpr std::uint64_t returns_to_host = 0;

class Execution {
 public:
  Execution(const Code& code, Registers& registers, const std::byte* stack)
      : code_(code), at_(registers), stack_end_(reinterpret_cast<std::uint64_t>(stack) + least_stack_left) {}

  void run() {
    SafetyNet* const net = net_in_force();
    const Registers* const outer = net != nullptr ? std::exchange(net->interpreted, &at_) : nullptr;
    while (at_.pc != nullptr) step();
    if (net != nullptr) net->interpreted = outer;
  }

 private:
  void step() {
    const std::byte* const begin = at_.pc;
    Instruction i(at_);
    if (!i.is_two_byte && i.opcode == 0xC3) return go_to(i.pop());
    if (!i.is_two_byte && i.opcode == 0xFF) {
      const unsigned operation = load<std::uint8_t>(at_.pc) >> 3 & 7U;
      if (operation == 2 || operation == 4) {
        i.size = 8;
        i.read_modrm();
        const std::uint64_t target = i.other();
        if (operation == 2) i.push(reinterpret_cast<std::uint64_t>(at_.pc));
        return go_to(target);
      }
    }
    const bool is_known = i.is_two_byte ? execute_two_byte(i) : execute_integer(i);
    if (!is_known) {
      at_.pc = begin;
      fail(SIGILL);
    }
    if (at_.general[rsp] < stack_end_) fail(SIGSEGV);
  }

  /// A call, a jump or a return to an address that may be the host's; the return address of the host's function is on
  /// the stack.
  void go_to(std::uint64_t target) {
    at_.pc = reinterpret_cast<const std::byte*>(target);
    if (target == returns_to_host || code_.contains(at_.pc)) return;
    SafetyNet* const net = net_in_force();
    if (net != nullptr) net->interpreted = nullptr;  // what runs now is the simulator's own code
    call_host(target);
    if (net != nullptr) net->interpreted = &at_;
    at_.pc = reinterpret_cast<const std::byte*>(load<std::uint64_t>(reinterpret_cast<const void*>(at_.general[rsp])));
    at_.general[rsp] += sizeof(std::uint64_t);
  }

  /// Functions of the simulator's tables have up to six integers and pointers, and one number of 64 bits.
  void call_host(std::uint64_t target) {
    if (const LibraryCall* const call = library_call_at(target)) {
      if (call->run != nullptr) return call->run(at_);
      std::fprintf(stderr, "interpreted code calls %s, which the interpreter does not have\n", call->name.c_str());
      fail(SIGILL);
    }
    using Function =
        std::uint64_t(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, double);
    const auto& general = at_.general;
    at_.general[rax] = reinterpret_cast<Function*>(target)(general[rdi], general[rsi], general[rdx], general[rcx],
                                                           general[r8], general[r9], at_.vector[0].lane<double>());
  }

  /// As if the code had got this signal: the safety net says where.
  void fail(int signal) {
    if (SafetyNet* const net = net_in_force()) net->interpreted = &at_;
    static_cast<void>(std::raise(signal));
  }

  const Code& code_;
  Registers& at_;
  std::uint64_t stack_end_;
};

}  // namespace

std::uint64_t Code::call(const void* function, const Arguments& arguments) const {
  alignas(16) std::array<std::byte, stack_bytes> stack;
  Registers registers;
  constexpr std::array<RegisterNumber, 6> in{rdi, rsi, rdx, rcx, r8, r9};
  for (std::size_t i = 0; i < in.size(); ++i) registers.general[in[i]] = arguments[i];
  registers.general[rsp] =
      reinterpret_cast<std::uint64_t>(stack.data() + stack.size() - 2 * sizeof(std::uint64_t)) - sizeof(std::uint64_t);
  store(reinterpret_cast<void*>(registers.general[rsp]), returns_to_host, sizeof returns_to_host);
  registers.pc = static_cast<const std::byte*>(function);
  Execution(*this, registers, stack.data()).run();
  return registers.general[rax];
}

}  // namespace sanvp::native::interpreted
