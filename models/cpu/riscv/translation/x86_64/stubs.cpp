#include "models/cpu/riscv/translation/x86_64/stubs.hpp"

#include "models/cpu/riscv/translation/x86_64/layout.hpp"
#include "models/cpu/riscv/translation/x86_64/registers.hpp"

namespace sanvp::riscv::x86_64 {
namespace {

using asmjit::Label;

/// By the ABI of System V: what a function keeps, in the order in which it is pushed.
constexpr std::array<x86::Gp, 6> kept{x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14, x86::r15};
constexpr int frame = 24;  // the slots; rsp becomes a multiple of 16

x86::Mem in_hart(std::int32_t place) { return x86::qword_ptr(hart_register, place); }

void enter(x86::Assembler& a) {
  for (const x86::Gp& one : kept) a.push(one);
  a.sub(x86::rsp, frame);
  a.mov(hart_register, x86::rdi);
  a.mov(budget_register, x86::rdx);
  a.mov(x86::qword_ptr(x86::rsp, limit_slot), x86::rcx);
  a.mov(time_register, in_hart(place_in_hart(&Hart64::time_ps)));
  const Hart64 hart;
  const auto place_of_window = [&](const auto& field) {
    return place_in_hart(&Hart64::memory) + static_cast<std::int32_t>(reinterpret_cast<const char*>(&field) -
                                                                      reinterpret_cast<const char*>(&hart.memory));
  };
  a.mov(memory_register, in_hart(place_of_window(hart.memory.base)));
  a.mov(permissions_register, in_hart(place_of_window(hart.memory.permissions)));
  a.mov(x86::rax, x86::qword_ptr(x86::rsi, offsetof(Entry, table)));
  a.jmp(x86::qword_ptr(x86::rsi, offsetof(Entry, code)));
}

void write_counters(x86::Assembler& a) {
  a.add(budget_register, x86::qword_ptr(x86::rsp, limit_slot));
  a.mov(in_hart(place_in_hart(&Hart64::retired)), budget_register);
  a.mov(in_hart(place_in_hart(&Hart64::time_ps)), time_register);
}

/// Outcome is returned in rax and rdx.
void give_back(x86::Assembler& a) {
  a.add(x86::rsp, frame);
  for (auto one = kept.rbegin(); one != kept.rend(); ++one) a.pop(*one);
  a.ret();
}

void leave(x86::Assembler& a) {
  write_counters(a);
  a.xor_(x86::eax, x86::eax);
  a.xor_(x86::edx, x86::edx);
  static_assert(static_cast<int>(Exit::next) == 0);
  give_back(a);
}

Translation::Outcome interpret_from(Hart64& hart, Block64& block, std::uint32_t operation) {
  const Op* const next = &block.operations[operation];
  return {&block, next->run(hart, next)};
}

void finish(x86::Assembler& a) {
  write_counters(a);
  a.mov(x86::rdi, hart_register);
  a.mov(x86::rsi, x86::rax);
  a.mov(x86::edx, x86::ecx);
  a.mov(x86::rax, reinterpret_cast<std::uint64_t>(interpret_from));
  a.call(x86::rax);
  give_back(a);
}

}  // namespace

Stubs make_stubs(asmjit::JitRuntime& runtime, const FollowedCaches* caches) {
  asmjit::CodeHolder holder;
  holder.init(runtime.environment());
  x86::Assembler a(&holder);
  enter(a);
  const std::size_t leave_at = a.offset();
  leave(a);
  const std::size_t finish_at = a.offset();
  finish(a);
  const bool has_data = caches != nullptr && caches->data.exists();
  const std::size_t reads_at = a.offset();
  if (has_data) caches->data.emit_find(a, false);
  const std::size_t writes_at = a.offset();
  if (has_data) caches->data.emit_find(a, true);
  const std::size_t instructions_at = a.offset();
  const bool fetches = caches != nullptr && caches->fetches;
  if (fetches) caches->instructions.emit_find(a, false);
  std::byte* code = nullptr;
  if (runtime.add(&code, &holder) != asmjit::kErrorOk) return {};
  Stubs stubs{reinterpret_cast<Stubs::Enter>(code), code + leave_at, code + finish_at};
  if (has_data) stubs.find_to_read = code + reads_at;
  if (has_data) stubs.find_to_write = code + writes_at;
  if (fetches) stubs.find_instructions = code + instructions_at;
  return stubs;
}

}  // namespace sanvp::riscv::x86_64
