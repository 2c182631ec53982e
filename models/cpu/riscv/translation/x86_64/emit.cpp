#include "models/cpu/riscv/translation/x86_64/emit.hpp"

#include <limits>
#include <map>

#include "models/cpu/riscv/translation/x86_64/layout.hpp"

namespace sanvp::riscv::x86_64 {
namespace {

class Region {
 public:
  Region(Code& code, const std::vector<Block64*>& blocks, const Stubs& stubs)
      : code_(code), a_(code.a), blocks_(blocks), stubs_(stubs) {
    for (const Block64* block : blocks) inside_.emplace(block->pc, a_.newLabel());
  }

  Emitted emit() {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      following_ = i + 1 < blocks_.size() ? blocks_[i + 1] : nullptr;
      emit_block(*blocks_[i], i);
    }
    Emitted emitted;
    for (const Block64* block : blocks_) {
      emitted.entries.push_back(a_.newLabel());
      a_.bind(emitted.entries.back());
      code_.keep_table();
      code_.load_registers();
      a_.jmp(inside_.at(block->pc));
    }
    for (const auto& [pc, label] : out_of_budget_) {
      emit_exit(pc, label);
      a_.jmp(reinterpret_cast<std::uint64_t>(stubs_.leave));
    }
    for (const auto& [pc, label] : outside_) {
      emit_exit(pc, label);
      a_.mov(x86::rcx, code_.in_table(x86::rcx, place_of_exit(blocks_.size(), emitted.exits.size())));
      go_to_entry(x86::rcx);
      emitted.exits.push_back(pc);
    }
    code_.end(stubs_);
    return emitted;
  }

 private:
  void emit_block(const Block64& block, std::size_t number) {
    a_.bind(inside_.at(block.pc));
    code_.begin_block(block, number);
    charge(block, number);
    if (code_.caches != nullptr) code_.begin_accesses();
    require_rounding(block);
    const std::size_t last = block.operations.size() - 2;  // behind it is the address after the block
    for (std::size_t i = 0; i < last; ++i) emit_operation(block.operations[i], i);
    code_.begin_operation(last);
    emit_end(block, block.operations[last]);
  }

  void emit_operation(const Op& op, std::size_t index) {
    code_.begin_operation(index);
    const Rule* const rule = rule_of(op);
    if (rule != nullptr && rule->emit != nullptr)
      rule->emit(code_, op);
    else
      code_.call_interpreter();
  }

  /// As the interpreter does: what it has retired is compared with its budget before each block.
  void charge(const Block64& block, std::size_t number) {
    out_of_budget_.emplace_back(block.pc, a_.newLabel());
    a_.test(budget_register, budget_register);
    a_.jns(out_of_budget_.back().second);
    a_.add(budget_register, static_cast<std::int32_t>(block.instructions));
    if (block.price_ps == static_cast<std::int32_t>(block.price_ps)) {
      if (block.price_ps != 0) a_.add(time_register, static_cast<std::int32_t>(block.price_ps));
    } else {
      code_.constant(x86::rax, static_cast<std::uint64_t>(block.price_ps));
      a_.add(time_register, x86::rax);
    }
    a_.add(code_.in_table(x86::rax, place_of_runs(number)), 1);
  }

  /// The interpreter executes blocks in which the host's FPU does not round as it should. A mode changes only at the
  /// end of a block.
  void require_rounding(const Block64& block) {
    unsigned modes = 0;
    for (const Op& op : block.operations)
      if (const Rule* const rule = rule_of(op); rule != nullptr && rule->host_rounds) modes |= 1U << op.rounding;
    if (modes == 0) return;
    a_.movzx(x86::eax, x86::byte_ptr(hart_register, place_in_hart(&Hart64::host_rounds)));
    a_.and_(x86::eax, modes);
    a_.cmp(x86::eax, modes);
    a_.jne(code_.bail());
  }

  void emit_end(const Block64& block, const Op& op) {
    const Word after = block.operations.back().immediate;
    const Rule* const rule = rule_of(op);
    if (rule == nullptr) {
      a_.jmp(code_.bail());
    } else if (rule->control == Control::branch) {
      emit_branch(op, rule->match >> 12 & 7, after);
    } else if (rule->control == Control::jump) {
      code_.store_constant(op.rd, after);
      go_to(op.immediate);
    } else if (rule->control == Control::indirect) {
      emit_indirect(block, op, after);
    } else {
      rule->emit(code_, op);
      go_to(after);
    }
  }

  Label label_of(Word pc) {
    if (const auto found = inside_.find(pc); found != inside_.end()) return found->second;
    const auto [place, is_new] = outside_.try_emplace(pc);
    if (is_new) place->second = a_.newLabel();
    return place->second;
  }
  bool follows(Word pc) const { return following_ != nullptr && following_->pc == pc; }
  void go_to(Word pc) {
    if (!follows(pc)) a_.jmp(label_of(pc));
  }

  void emit_branch(const Op& op, unsigned funct3, Word after) {
    using enum x86::CondCode;
    constexpr std::array<x86::CondCode, 8> conditions{kE, kNE, kE, kE, kL, kGE, kB, kAE};
    x86::CondCode condition = conditions[funct3];
    if (op.rs2 == 0 && code_.registers.has_integer(op.rs1)) {
      a_.test(code_.registers.integer(op.rs1), code_.registers.integer(op.rs1));
    } else {
      a_.emit(x86::Inst::kIdCmp, code_.value(op.rs1, x86::rax), code_.operand(op.rs2));
    }
    if (follows(op.immediate)) {
      a_.j(x86::negateCond(condition), label_of(after));
      return;
    }
    a_.j(condition, label_of(op.immediate));
    go_to(after);
  }

  /// Tries the last target first, then the table of all blocks with code.
  void emit_indirect(const Block64& block, const Op& op, Word after) {
    code_.load(x86::rax, op.rs1);
    if (op.immediate != 0) a_.add(x86::rax, static_cast<std::int32_t>(op.immediate));
    a_.and_(x86::rax, -2);
    if (op.rd != discarded) {
      a_.mov(x86::rcx, x86::rax);
      code_.store_constant(op.rd, after);
      a_.mov(x86::rax, x86::rcx);
    }
    const auto last = successors_of(block).taken;
    if (last && inside_.contains(*last)) {
      code_.constant(x86::rcx, *last);
      a_.cmp(x86::rax, x86::rcx);
      a_.je(inside_.at(*last));
    }
    code_.write_back();
    a_.mov(x86::qword_ptr(hart_register, place_in_hart(&Hart64::pc)), x86::rax);
    a_.mov(x86::ecx, x86::eax);
    a_.shr(x86::ecx, 1);
    a_.and_(x86::ecx, static_cast<std::uint32_t>(recent_targets - 1));
    static_assert(sizeof(Target) == 16);
    a_.shl(x86::ecx, 4);
    a_.mov(x86::rdx, code_.in_table(x86::rdx, place_of_targets));
    a_.cmp(x86::rax, x86::qword_ptr(x86::rdx, x86::rcx));
    const Label hit = a_.newLabel();
    a_.je(hit);
    a_.jmp(reinterpret_cast<std::uint64_t>(stubs_.leave));
    a_.bind(hit);
    a_.mov(x86::rcx, x86::qword_ptr(x86::rdx, x86::rcx, 0, offsetof(Target, entry)));
    go_to_entry(x86::rcx);
  }

  /// @param place  of the entry
  void go_to_entry(const x86::Gp& place) {
    a_.mov(x86::rax, x86::qword_ptr(place, offsetof(Entry, table)));
    a_.jmp(x86::qword_ptr(place, offsetof(Entry, code)));
  }

  /// The hart is as the program has left it, and its pc is set.
  void emit_exit(Word pc, const Label& label) {
    a_.bind(label);
    code_.write_back();
    code_.constant(x86::rax, pc);
    a_.mov(x86::qword_ptr(hart_register, place_in_hart(&Hart64::pc)), x86::rax);
  }

  Code& code_;
  x86::Assembler& a_;
  const std::vector<Block64*>& blocks_;
  const Stubs& stubs_;
  const Block64* following_ = nullptr;
  std::map<Word, Label> inside_;   ///< each block's, with its registers in the host's
  std::map<Word, Label> outside_;  ///< ways out
  std::vector<std::pair<Word, Label>> out_of_budget_;
};

}  // namespace

Emitted emit(Code& code, const std::vector<Block64*>& region, const Stubs& stubs) {
  return Region(code, region, stubs).emit();
}

}  // namespace sanvp::riscv::x86_64
