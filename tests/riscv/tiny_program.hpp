/// A process with a few instructions as its program, for what needs a whole process and no compiler.
#pragma once

#include <elf.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <initializer_list>
#include <string>
#include <vector>

#include "models/cpu/riscv/linux/process.hpp"
#include "tests/riscv/bare_program.hpp"

namespace sanvp::riscv {

/// An executable file, as long as it lives.
class TinyProgram {
 public:
  static constexpr std::uint64_t entry = 0x10000 + sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr);

  /// Code and data are in one segment.
  explicit TinyProgram(std::initializer_list<std::uint32_t> words)
      : path_("/tmp/sanvp-tiny-program-" + std::to_string(getpid())) {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = header.e_version = EV_CURRENT;
    header.e_type = ET_EXEC;
    header.e_machine = EM_RISCV;
    header.e_entry = entry;
    header.e_phoff = header.e_ehsize = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = 1;
    const std::uint64_t bytes = sizeof header + sizeof(Elf64_Phdr) + 4 * words.size();
    const Elf64_Phdr segment{PT_LOAD, PF_R | PF_W | PF_X, 0, 0x10000, 0x10000, bytes, bytes, page_bytes};
    std::ofstream file(path_, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&header), sizeof header);
    file.write(reinterpret_cast<const char*>(&segment), sizeof segment);
    file.write(reinterpret_cast<const char*>(std::data(words)), static_cast<std::streamsize>(4 * words.size()));
  }
  ~TinyProgram() { unlink(path_.c_str()); }
  TinyProgram(const TinyProgram&) = delete;
  TinyProgram& operator=(const TinyProgram&) = delete;

  os::ProcessSettings settings() const {
    os::ProcessSettings settings{.path = path_, .arguments = {"program"}};
    settings.window_bytes = std::uint64_t{64} << 20;
    settings.memory_bytes = std::uint64_t{32} << 20;
    settings.stack_bytes = 1 << 20;
    settings.costs = plain_costs();
    return settings;
  }

 private:
  std::string path_;
};

}  // namespace sanvp::riscv
