/// A program or shared object as a file, read by libelf: the data that the dynamic loader does not provide.
#pragma once

#include <gelf.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sanvp {

class ElfFile {
 public:
  /// A file that cannot be read, or is not ELF, counts as empty.
  explicit ElfFile(const std::string& path);
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  std::size_t bytes() const { return bytes_; }
  /// Nothing if it is not an ELF file.
  std::optional<GElf_Ehdr> header() const;
  std::size_t count_sections() const;
  std::vector<GElf_Phdr> segments() const;
  /// All entries that the segment has room for, including the end mark and the entries after it; none if the segment is
  /// beyond the end of the file.
  std::vector<GElf_Dyn> dynamic_table(const GElf_Phdr& segment) const;
  /// The same of a table of relocations.
  std::vector<GElf_Rela> relocations(std::size_t offset, std::size_t bytes) const;

  struct Section {
    std::uint64_t address = 0;  ///< as in the file
    std::span<const char> bytes{};
  };
  /// All zero and empty if no section has that name.
  Section section(std::string_view name) const;
  /// The contents of a note of the loaded program, by its owner and type; all zero and empty if none exists.
  Section note(std::string_view owner, unsigned type) const;
  /// The texts of a section, each ended by a zero byte. Empty ones, such as padding, are left out.
  std::vector<std::string> texts(std::string_view section) const;
  bool has_section(std::string_view name) const { return find_section(name) != nullptr; }
  /// The address, as in the file, of the variable of this name in the table of symbols.
  std::optional<std::uint64_t> variable(std::string_view name) const;
  /// The offset in the file of the byte loaded at `address`; nothing if the file does not contain it.
  std::optional<std::size_t> offset_of(std::uint64_t address) const;

 private:
  Elf_Scn* find_section(std::string_view name) const;

  int descriptor_ = -1;
  std::size_t bytes_ = 0;
  Elf* elf_ = nullptr;
};

}  // namespace sanvp
