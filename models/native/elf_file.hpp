/// The file of a shared object: what the dynamic loader does not tell of it.
#pragma once

#include <elf.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sanvp::native {

class ElfFile {
 public:
  /// One that cannot be read, or is something else, has nothing in it.
  explicit ElfFile(const std::string& path);
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  /// What is wrong with it as a shared object for x86-64, such as "its segment 2 lies beyond the end of the file";
  /// empty where nothing is, or it is no ELF file at all. What it points at in itself, only a trial finds out (Image).
  std::string damage() const;

  struct Section {
    std::uint64_t address = 0;  ///< as in the file
    std::span<const char> bytes{};
  };
  /// All zero and empty where there is none of that name.
  Section section(std::string_view name) const;
  bool has_section(std::string_view name) const { return find_section(name) != nullptr; }
  /// Where what lies at `address` when it is loaded stands in the file; nothing where it does not.
  std::optional<std::size_t> offset_of(std::uint64_t address) const;
  /// The function around `address` by the file's own table of symbols, which, unlike the loader's, knows static ones;
  /// empty where that is not known.
  std::string function_at(std::uintptr_t address) const;
  /// The same for many addresses: quicker.
  std::function<std::string(std::uintptr_t)> functions() const;

 private:
  template <class T>
  std::span<const T> table(std::size_t offset, std::size_t bytes) const;
  std::span<const Elf64_Shdr> sections() const;
  const Elf64_Shdr* find_section(std::string_view name) const;
  std::string damage_of_segments(std::span<const Elf64_Phdr> segments) const;
  std::string damage_of_dynamic_table(std::span<const Elf64_Phdr> segments) const;

  std::span<const char> bytes_;
};

}  // namespace sanvp::native
