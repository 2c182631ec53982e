#include "models/native/interpreted/code.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "models/native/interpreted/instruction.hpp"
#include "models/native/interpreted/library.hpp"
#include "platform/core/elf_file.hpp"
#include "platform/core/error.hpp"

namespace sanvp::native::interpreted {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw UserError(path, "cannot be loaded: " + why, "build it again");
}

/// The part of the dynamic section that loading needs.
struct DynamicTable {
  std::uint64_t symbols = 0, names = 0;
  std::uint64_t relocations = 0, relocations_bytes = 0, calls = 0, calls_bytes = 0;
  std::uint64_t constructors = 0, constructors_bytes = 0;
};

DynamicTable dynamic_table(const ElfFile& file) {
  DynamicTable table;
  for (const GElf_Phdr& segment : file.segments()) {
    if (segment.p_type != PT_DYNAMIC) continue;
    for (const GElf_Dyn& entry : file.dynamic_table(segment)) {
      const std::uint64_t value = entry.d_un.d_val;
      switch (entry.d_tag) {
        case DT_NULL:
          return table;
        case DT_SYMTAB:
          table.symbols = value;
          break;
        case DT_STRTAB:
          table.names = value;
          break;
        case DT_RELA:
          table.relocations = value;
          break;
        case DT_RELASZ:
          table.relocations_bytes = value;
          break;
        case DT_JMPREL:
          table.calls = value;
          break;
        case DT_PLTRELSZ:
          table.calls_bytes = value;
          break;
        case DT_INIT_ARRAY:
          table.constructors = value;
          break;
        case DT_INIT_ARRAYSZ:
          table.constructors_bytes = value;
          break;
        default:
          break;
      }
    }
  }
  return table;
}

/// The address of a symbol of the C library: a variable of this process, or the stand-in for a function. 0 for a symbol
/// that may be absent.
std::uint64_t imported(const std::string& name, const Elf64_Sym& symbol) {
  if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT)
    if (void* const variable = dlsym(RTLD_DEFAULT, name.c_str()); variable != nullptr)
      return reinterpret_cast<std::uint64_t>(variable);
  if (ELF64_ST_BIND(symbol.st_info) == STB_WEAK) return 0;
  return reinterpret_cast<std::uint64_t>(library_call(name));
}

}  // namespace

Code::Code(const std::string& path, int file) {
  read(path, file);
  link(path);
}

Code::~Code() { munmap(memory_, bytes_); }

void Code::read(const std::string& path, int file) {
  const std::vector<GElf_Phdr> segments = ElfFile(path).segments();
  for (const GElf_Phdr& segment : segments)
    if (segment.p_type == PT_LOAD) bytes_ = std::max<std::size_t>(bytes_, segment.p_vaddr + segment.p_memsz);
  void* const room = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) refuse(path, "there is no memory for it");
  memory_ = static_cast<std::byte*>(room);
  for (const GElf_Phdr& segment : segments) {
    if (segment.p_type != PT_LOAD) continue;
    std::byte* const begin = memory_ + segment.p_vaddr;
    if (pread(file, begin, segment.p_filesz, static_cast<off_t>(segment.p_offset)) !=
        static_cast<ssize_t>(segment.p_filesz))
      refuse(path, "it is cut off");
    const bool is_code = (segment.p_flags & PF_X) != 0;
    segments_.push_back({begin, segment.p_memsz, (segment.p_flags & PF_W) != 0, is_code});
    if (is_code) code_begin_ = begin, code_end_ = begin + segment.p_memsz;
  }
}

void Code::link(const std::string& path) {
  const ElfFile file(path);
  const DynamicTable table = dynamic_table(file);
  constructors_ = table.constructors, constructors_bytes_ = table.constructors_bytes;
  const auto symbol_of = [&](std::uint64_t number) {
    return interpreted::load<Elf64_Sym>(memory_ + table.symbols + number * sizeof(Elf64_Sym));
  };
  const auto name_of = [&](const Elf64_Sym& symbol) {
    return std::string(reinterpret_cast<const char*>(memory_ + table.names + symbol.st_name));
  };
  for (std::uint64_t number = 1; table.symbols + number * sizeof(Elf64_Sym) < table.names; ++number)
    if (const Elf64_Sym symbol = symbol_of(number); symbol.st_shndx != SHN_UNDEF)
      symbols_[name_of(symbol)] = symbol.st_value;
  const auto relocate = [&](std::uint64_t from, std::uint64_t bytes) {
    for (std::uint64_t at = from; at < from + bytes; at += sizeof(Elf64_Rela)) {
      const auto entry = interpreted::load<Elf64_Rela>(memory_ + at);
      const auto addend = static_cast<std::uint64_t>(entry.r_addend);
      const auto base = reinterpret_cast<std::uint64_t>(memory_);
      std::uint64_t value = base + addend;
      switch (ELF64_R_TYPE(entry.r_info)) {
        case R_X86_64_RELATIVE:
          break;
        case R_X86_64_64:
        case R_X86_64_GLOB_DAT:
        case R_X86_64_JUMP_SLOT: {
          const Elf64_Sym symbol = symbol_of(ELF64_R_SYM(entry.r_info));
          value = (symbol.st_shndx != SHN_UNDEF ? base + symbol.st_value : imported(name_of(symbol), symbol)) + addend;
          break;
        }
        default:
          refuse(path, "the interpreter of x86-64 does not know its relocation " +
                           std::to_string(ELF64_R_TYPE(entry.r_info)));
      }
      interpreted::store(memory_ + entry.r_offset, value, sizeof value);
    }
  };
  relocate(table.relocations, table.relocations_bytes);
  relocate(table.calls, table.calls_bytes);
}

std::byte* Code::symbol(const std::string& name) const {
  const auto found = symbols_.find(name);
  return found != symbols_.end() ? memory_ + found->second : nullptr;
}

void Code::run_constructors() const {
  for (std::uint64_t at = 0; at < constructors_bytes_; at += sizeof(std::uint64_t))
    call(reinterpret_cast<const void*>(interpreted::load<std::uint64_t>(memory_ + constructors_ + at)), {});
}

}  // namespace sanvp::native::interpreted
