#include "models/cpu/riscv/translation/x86_64/code.hpp"

#include <limits>

#include "models/cpu/riscv/translation/x86_64/layout.hpp"

namespace sanvp::riscv::x86_64 {
Code::Code(asmjit::CodeHolder& holder, const Registers& of_region, std::uint64_t of_window,
           const TranslationSettings& settings, const FollowedCaches* that_follow)
    : a(&holder), registers(of_region), pages(of_window), caches(that_follow) {
  a.setErrorHandler(&errors_);
  a.addDiagnosticOptions(asmjit::DiagnosticOptions::kValidateAssembler);  // else nonsense is written for some mistakes
  const auto& features = asmjit::CpuInfo::host().features().x86();
  has_bmi2 = settings.uses_bmi2 && features.hasBMI2();
  has_fma = settings.uses_fma && features.hasFMA() && features.hasAVX();
  call_ = a.newLabel();
}

x86::Mem Code::x(unsigned number, std::uint32_t bytes) const {
  return x86::Mem(hart_register, place_of_x(number), bytes);
}
x86::Mem Code::f(unsigned number, std::uint32_t bytes) const {
  return x86::Mem(hart_register, place_of_f(number), bytes);
}

asmjit::Operand Code::operand(unsigned number, std::uint32_t bytes) const {
  if (!registers.has_integer(number)) return x(number, bytes);
  if (bytes == 4) return registers.integer(number).r32();
  return registers.integer(number);
}

void Code::load(const x86::Gp& to, unsigned number, std::uint32_t bytes) {
  if (number == 0) {
    a.xor_(to.r32(), to.r32());
  } else if (!registers.has_integer(number)) {
    a.mov(part(to, bytes), x(number, bytes));
  } else if (const x86::Gp own = registers.integer(number); own != to) {
    a.mov(part(to, bytes), part(own, bytes));
  }
}

x86::Gp Code::value(unsigned number, const x86::Gp& temporary) {
  if (registers.has_integer(number)) return registers.integer(number);
  load(temporary, number);
  return temporary;
}

x86::Gp Code::target(unsigned number) const {
  if (registers.has_integer(number)) return registers.integer(number);
  return x86::rax;
}

void Code::store(unsigned number, const x86::Gp& from) {
  if (number == discarded) return;
  if (!registers.has_integer(number))
    a.mov(x(number), from);
  else if (registers.integer(number) != from)
    a.mov(registers.integer(number), from);
}

void Code::constant(const x86::Gp& to, std::uint64_t value) {
  if (value == 0)
    a.xor_(to.r32(), to.r32());
  else if (value <= std::numeric_limits<std::uint32_t>::max())
    a.mov(to.r32(), static_cast<std::uint32_t>(value));
  else
    a.mov(to, value);
}

void Code::store_constant(unsigned number, std::uint64_t value) {
  if (number == discarded) return;
  const auto number_of = static_cast<std::int64_t>(value);
  if (registers.has_integer(number)) {
    constant(registers.integer(number), value);
  } else if (number_of == static_cast<std::int32_t>(number_of)) {
    a.mov(x(number), static_cast<std::int32_t>(number_of));
  } else {
    constant(x86::rax, value);
    a.mov(x(number), x86::rax);
  }
}

asmjit::Operand Code::floating_operand(unsigned number, std::uint32_t bytes) const {
  if (registers.has_floating(number)) return registers.floating(number);
  return f(number, bytes);
}

void Code::load_floating(const x86::Xmm& to, unsigned number) {
  if (registers.has_floating(number))
    a.movaps(to, registers.floating(number));
  else
    a.movsd(to, f(number));
}

void Code::load_bits(const x86::Gp& to, unsigned number, std::uint32_t bytes) {
  const bool has_own = registers.has_floating(number);
  if (bytes == 4 && has_own)
    a.movd(to.r32(), registers.floating(number));
  else if (bytes == 4)
    a.mov(to.r32(), f(number, 4));
  else if (has_own)
    a.movq(to, registers.floating(number));
  else
    a.mov(to, f(number));
}

void Code::store_floating(unsigned number, const x86::Xmm& from) {
  if (registers.has_floating(number))
    a.movaps(registers.floating(number), from);
  else
    a.movsd(f(number), from);
}

void Code::expect_boxed(unsigned number) {
  if (boxed_[number]) return;
  constexpr int ones = -1;
  if (registers.has_floating(number)) {
    a.movq(x86::rax, registers.floating(number));
    a.shr(x86::rax, 32);
    a.cmp(x86::eax, ones);
  } else {
    a.cmp(x86::dword_ptr(hart_register, place_of_f(number) + 4), ones);
  }
  a.jne(bail());
  boxed_[number] = true;
}

Label Code::bail() {
  if (bails_.empty() || bails_.back().block != block_ || bails_.back().operation != operation_)
    bails_.push_back({a.newLabel(), block_, number_, operation_});
  return bails_.back().label;
}

void Code::keep_table() { a.mov(x86::qword_ptr(x86::rsp, table_slot), x86::rax); }

x86::Mem Code::in_table(const x86::Gp& at, std::size_t place) {
  a.mov(at, x86::qword_ptr(x86::rsp, table_slot));
  return x86::qword_ptr(at, static_cast<std::int32_t>(place * sizeof(std::uint64_t)));
}

void Code::begin_block(const Block64& block, std::size_t number) {
  block_ = &block;
  number_ = number;
  operation_ = 0;
  boxed_.reset();
}

void Code::begin_operation(std::size_t index) { operation_ = index; }

void Code::load_registers() {
  for (unsigned number = 0; number < 32; ++number) {
    if (registers.has_integer(number)) a.mov(registers.integer(number), x(number));
    if (registers.has_floating(number)) a.movsd(registers.floating(number), f(number));
  }
  if (caches != nullptr && caches->use_rdx()) a.mov(x86::rdx, caches->data.lines());
}

void Code::write_back() {
  for (unsigned number = 0; number < 32; ++number) {
    if (registers.has_integer(number) && registers.is_written(number)) a.mov(x(number), registers.integer(number));
    if (registers.has_floating(number) && registers.is_written_floating(number))
      a.movsd(f(number), registers.floating(number));
  }
}

/// An operation that fails changes nothing: the interpreter repeats it with the rest of the block.
void Code::call_interpreter() {
  const Op& op = block_->operations[operation_];
  pairs_.push_back(std::make_unique<std::array<Op, 2>>(std::array{op, Op{}}));
  (*pairs_.back())[1].run = hold<Word>;
  const bool ends = operation_ + 2 == block_->operations.size();  // then it jumps to this address
  if (ends) (*pairs_.back())[1].immediate = block_->operations.back().immediate;
  a.mov(x86::rax, reinterpret_cast<std::uint64_t>(pairs_.back()->data()));
  a.call(call_);
  calls_ = true;
  boxed_.reset();
  a.cmp(x86::al, static_cast<int>(ends ? Exit::next : Exit::held));
  a.jne(bail());
}

void Code::end(const Stubs& stubs) {
  end_followed(stubs);
  if (calls_) {
    a.bind(call_);
    write_back();
    a.mov(x86::rdi, hart_register);
    a.mov(x86::rsi, x86::rax);
    const x86::Mem time = x86::qword_ptr(hart_register, place_in_hart(&Hart64::time_ps));
    if (caches != nullptr) a.mov(time, time_register);  // atomic operations stall for caches
    a.sub(x86::rsp, 8);                                 // a multiple of 16 at calls
    a.call(x86::qword_ptr(x86::rax));
    a.add(x86::rsp, 8);
    if (caches != nullptr) a.mov(time_register, time);
    load_registers();
    a.ret();
  }
  const Label give_up = a.newLabel();
  for (const Bail& bail : bails_) {
    a.bind(bail.label);
    take_back_accesses(*bail.block, bail.operation);
    a.mov(x86::rax, in_table(x86::rax, place_of_block(bail.number)));
    a.mov(x86::ecx, static_cast<std::uint32_t>(bail.operation));
    a.jmp(give_up);
  }
  if (bails_.empty()) return;
  a.bind(give_up);
  write_back();
  a.jmp(reinterpret_cast<std::uint64_t>(stubs.finish));
}

}  // namespace sanvp::riscv::x86_64
