#include "models/native/elf_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace sanvp::native {
namespace {

/// A name in a table of them.
std::string_view name_in(std::span<const char> names, std::size_t offset) {
  if (offset >= names.size()) return {};
  const auto rest = names.subspan(offset);
  return {rest.data(), static_cast<std::size_t>(std::find(rest.begin(), rest.end(), 0) - rest.begin())};
}

}  // namespace

ElfFile::ElfFile(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* const mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (mapped != MAP_FAILED) bytes_ = {static_cast<const char*>(mapped), size};
  }
  if (descriptor >= 0) close(descriptor);
}

ElfFile::~ElfFile() {
  if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

/// A piece of the file that is an array of T; empty where it is not in the file.
template <class T>
std::span<const T> ElfFile::table(std::size_t offset, std::size_t bytes) const {
  if (offset > bytes_.size() || bytes > bytes_.size() - offset || offset % alignof(T) != 0) return {};
  return {reinterpret_cast<const T*>(bytes_.data() + offset), bytes / sizeof(T)};
}

std::span<const Elf64_Shdr> ElfFile::sections() const {
  const auto header = table<Elf64_Ehdr>(0, sizeof(Elf64_Ehdr));
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0) return {};
  return table<Elf64_Shdr>(header[0].e_shoff, header[0].e_shnum * sizeof(Elf64_Shdr));
}

const Elf64_Shdr* ElfFile::find_section(std::string_view name) const {
  const auto all = sections();
  if (all.empty()) return nullptr;
  const std::size_t index = table<Elf64_Ehdr>(0, sizeof(Elf64_Ehdr))[0].e_shstrndx;
  if (index >= all.size()) return nullptr;
  const auto names = table<char>(all[index].sh_offset, all[index].sh_size);
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const auto& section) { return name_in(names, section.sh_name) == name; });
  return found != all.end() ? &*found : nullptr;
}

ElfFile::Section ElfFile::section(std::string_view name) const {
  const Elf64_Shdr* const found = find_section(name);
  if (found == nullptr || found->sh_type == SHT_NOBITS) return {};
  return {found->sh_addr, table<char>(found->sh_offset, found->sh_size)};
}

std::optional<std::size_t> ElfFile::offset_of(std::uint64_t address) const {
  const auto header = table<Elf64_Ehdr>(0, sizeof(Elf64_Ehdr));
  if (header.empty()) return std::nullopt;
  for (const Elf64_Phdr& segment : table<Elf64_Phdr>(header[0].e_phoff, header[0].e_phnum * sizeof(Elf64_Phdr)))
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  return std::nullopt;
}

std::string ElfFile::damage() const {
  const auto headers = table<Elf64_Ehdr>(0, sizeof(Elf64_Ehdr));
  if (headers.empty() || std::memcmp(headers[0].e_ident, ELFMAG, SELFMAG) != 0) return {};
  const Elf64_Ehdr& header = headers[0];
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64) return "it is not made for x86-64";
  if (header.e_type != ET_DYN) return "it is no shared object";
  const auto segments = table<Elf64_Phdr>(header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr));
  if (header.e_phentsize != sizeof(Elf64_Phdr) || segments.empty()) return "it has no table of segments";
  if (std::string wrong = damage_of_segments(segments); !wrong.empty()) return wrong;
  if (header.e_shnum > 0 && sections().size() != header.e_shnum) return "it has a table of sections beyond its end";
  return damage_of_dynamic_table(segments);
}

std::string ElfFile::damage_of_segments(std::span<const Elf64_Phdr> segments) const {
  constexpr std::uint64_t page = 4096;
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;
  std::uint64_t free_from = 0;
  bool loads = false;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Elf64_Phdr& segment = segments[i];
    if (segment.p_type != PT_LOAD && segment.p_type != PT_TLS) continue;
    const std::string name = "its segment " + std::to_string(i);
    if (segment.p_offset > bytes_.size() || segment.p_filesz > bytes_.size() - segment.p_offset)
      return name + " lies beyond the end of the file";
    if (segment.p_filesz > segment.p_memsz) return name + " is larger in the file than in memory";
    if (segment.p_vaddr > most_bytes || segment.p_memsz > most_bytes) return name + " is larger than memory";
    if (segment.p_type == PT_TLS) {  // each thread has a copy; the C library ends the program where it has no room
      constexpr std::uint64_t most_of_a_thread = std::uint64_t{1} << 30;
      if (segment.p_memsz > most_of_a_thread || segment.p_align > page) return name + " is no thread's data";
      continue;
    }
    if (segment.p_vaddr % page != segment.p_offset % page) return name + " is not aligned as its pages are";
    if (loads && segment.p_vaddr / page * page < free_from) return name + " lies over the one before";
    free_from = (segment.p_vaddr + segment.p_memsz + page - 1) / page * page;
    loads = true;
  }
  return loads ? "" : "it has nothing to load";
}

std::string ElfFile::damage_of_dynamic_table(std::span<const Elf64_Phdr> segments) const {
  const auto found =
      std::find_if(segments.begin(), segments.end(), [](const auto& segment) { return segment.p_type == PT_DYNAMIC; });
  if (found == segments.end()) return "it has no dynamic table";
  const auto entries = table<Elf64_Dyn>(found->p_offset, found->p_filesz);
  if (std::none_of(entries.begin(), entries.end(), [](const auto& entry) { return entry.d_tag == DT_NULL; }))
    return "it has a dynamic table without an end";
  const auto is_loaded = [&](std::uint64_t address, std::uint64_t bytes) {
    return std::any_of(segments.begin(), segments.end(), [&](const auto& segment) {
      return segment.p_type == PT_LOAD && address >= segment.p_vaddr && bytes <= segment.p_memsz &&
             address - segment.p_vaddr <= segment.p_memsz - bytes;
    });
  };
  std::uint64_t rela = 0, rela_bytes = 0;
  bool has_strings = false, has_symbols = false;
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_NULL) break;
    const std::uint64_t value = entry.d_un.d_val;
    switch (entry.d_tag) {
      case DT_STRTAB:
        has_strings = true;
        break;
      case DT_SYMTAB:
        has_symbols = true;
        break;
      case DT_RELA:
        rela = value;
        break;
      case DT_RELASZ:
        rela_bytes = value;
        continue;
      case DT_HASH:
      case DT_GNU_HASH:
      case DT_JMPREL:
      case DT_INIT_ARRAY:
      case DT_FINI_ARRAY:
      case DT_VERNEED:
      case DT_VERSYM:
        break;
      default:
        continue;
    }
    if (!is_loaded(value, 1)) return "it has a dynamic table that points outside of its segments";
  }
  if (!has_strings || !has_symbols) return "it has no table of symbols";
  if (rela_bytes % sizeof(Elf64_Rela) != 0) return "it has relocations of a broken length";
  const auto at = offset_of(rela);
  if (rela_bytes > 0 && !at) return "it has relocations beyond the end of the file";
  const auto relocations = rela_bytes > 0 ? table<Elf64_Rela>(*at, rela_bytes) : std::span<const Elf64_Rela>{};
  if (relocations.size() != rela_bytes / sizeof(Elf64_Rela)) return "it has relocations beyond the end of the file";
  for (const Elf64_Rela& relocation : relocations)
    if (ELF64_R_TYPE(relocation.r_info) != R_X86_64_NONE && !is_loaded(relocation.r_offset, sizeof(std::uint64_t)))
      return "it has a relocation outside of its segments";
  return {};
}

std::string ElfFile::function_at(std::uintptr_t address) const { return functions()(address); }

std::function<std::string(std::uintptr_t)> ElfFile::functions() const {
  struct Function {
    std::uintptr_t end;
    std::string name;
  };
  std::map<std::uintptr_t, Function> by_begin;
  const auto all = sections();
  for (const Elf64_Shdr& section : all) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= all.size()) continue;
    const auto names = table<char>(all[section.sh_link].sh_offset, all[section.sh_link].sh_size);
    for (const Elf64_Sym& symbol : table<Elf64_Sym>(section.sh_offset, section.sh_size)) {
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0) continue;
      const std::string_view name = name_in(names, symbol.st_name);
      // Without what the compiler adds: "spin.constprop.0".
      by_begin.try_emplace(symbol.st_value,
                           Function{symbol.st_value + symbol.st_size, std::string(name.substr(0, name.find('.')))});
    }
  }
  return [by_begin = std::move(by_begin)](std::uintptr_t address) {
    const auto after = by_begin.upper_bound(address);
    if (after == by_begin.begin() || address >= std::prev(after)->second.end) return std::string{};
    return std::prev(after)->second.name;
  };
}

}  // namespace sanvp::native
