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
