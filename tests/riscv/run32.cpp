/// riscv_run32 PROGRAM [ARGUMENT...]
///
/// Runs a freestanding program of RV32 that makes two system calls of Linux: write to standard output, and exit. For
/// the comparison with qemu-riscv32 (test_random_instructions.py). Exit status: the program's, or 3 with a line that
/// says at which pc it has stopped.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "platform/core/elf_file.hpp"
#include "tests/riscv/bare_program.hpp"

namespace {

using namespace sanvp::riscv;

constexpr std::uint64_t memory_bytes = 64 << 20, stack_bytes = 1 << 20;
constexpr int stopped_status = 3;

void load(const std::string& path, Memory& memory) {
  const sanvp::ElfFile file(path);
  std::FILE* const contents = std::fopen(path.c_str(), "rb");
  for (const GElf_Phdr& segment : file.segments()) {
    if (segment.p_type != PT_LOAD) continue;
    std::fseek(contents, static_cast<long>(segment.p_offset), SEEK_SET);
    if (std::fread(memory.window().base + segment.p_vaddr, 1, segment.p_filesz, contents) != segment.p_filesz) abort();
  }
  std::fclose(contents);
  memory.protect(0x1000, memory_bytes - 0x1000, readable | writable | executable);
}

/// As Linux does: the number of arguments, their addresses, and a zero.
std::uint32_t place_arguments(const std::vector<std::string>& arguments, const Memory& memory) {
  std::uint64_t texts = memory_bytes - (64 << 10), at = memory_bytes - stack_bytes / 2;
  const auto stack = static_cast<std::uint32_t>(at);
  const auto put = [&](std::uint64_t value) {
    memory.write(at, static_cast<std::uint32_t>(value));
    at += sizeof(std::uint32_t);
  };
  put(arguments.size());
  for (const std::string& argument : arguments) {
    std::memcpy(memory.window().base + texts, argument.c_str(), argument.size() + 1);
    put(texts);
    texts += argument.size() + 1;
  }
  put(0);
  return stack;
}

}  // namespace

int main(int count, char** values) {
  constexpr unsigned sp = 2, a0 = 10, a1 = 11, a2 = 12, a7 = 17;
  constexpr std::uint32_t write_call = 64, exit_call = 93;
  if (count < 2) return stopped_status;
  Memory memory(memory_bytes);
  Interpreter<std::uint32_t> interpreter{memory, plain_costs()};
  load(values[1], memory);
  Hart32 hart;
  hart.memory = memory.window();
  hart.pc = static_cast<std::uint32_t>(sanvp::ElfFile(values[1]).header()->e_entry);
  hart.x[sp] = place_arguments({values + 1, values + count}, memory);
  while (true) {
    const Stop stop = interpreter.run(hart, 1 << 20);
    if (stop == Stop::budget) continue;
    if (stop == Stop::environment_call && hart.x[a7] == exit_call) return static_cast<int>(hart.x[a0]);
    if (stop != Stop::environment_call || hart.x[a7] != write_call) break;
    hart.x[a0] = static_cast<std::uint32_t>(std::fwrite(memory.window().base + hart.x[a1], 1, hart.x[a2], stdout));
  }
  std::fprintf(stderr, "stopped at pc %#x: %s\n", hart.pc, "a fault or a system call that is not there");
  return stopped_status;
}
