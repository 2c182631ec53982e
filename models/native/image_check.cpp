#include "models/native/image_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/core/elf_file.hpp"
#include "platform/core/error.hpp"
#include "platform/core/own_files.hpp"

namespace sanvp::native {
namespace {

using Segments = std::vector<GElf_Phdr>;

void require_whole(const ElfFile& file, const Segments& segments, const std::string& path) {
  std::uint64_t least = file.header()->e_phoff + segments.size() * sizeof(Elf64_Phdr);
  for (const GElf_Phdr& segment : segments)
    if (segment.p_type == PT_LOAD) least = std::max(least, segment.p_offset + segment.p_filesz);
  if (least > file.bytes())
    throw UserError(path, fmt::format("is cut off: {} bytes of {} or more", file.bytes(), least),
                    "compile or copy it again");
}

std::string damage_of_segments(const ElfFile& file, const Segments& segments) {
  constexpr std::uint64_t page = 4096;
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;
  std::uint64_t free_from = 0;
  bool loads = false;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const GElf_Phdr& segment = segments[i];
    if (segment.p_type != PT_LOAD && segment.p_type != PT_TLS) continue;
    const std::string name = "its segment " + std::to_string(i);
    if (segment.p_offset > file.bytes() || segment.p_filesz > file.bytes() - segment.p_offset)
      return name + " lies beyond the end of the file";
    if (segment.p_filesz > segment.p_memsz) return name + " is larger in the file than in memory";
    if (segment.p_vaddr > most_bytes || segment.p_memsz > most_bytes) return name + " is larger than memory";
    if (segment.p_type == PT_TLS) {  // each thread has a copy; without memory for it the C library ends the program
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

bool is_loaded(const Segments& segments, std::uint64_t address, std::uint64_t bytes) {
  return std::any_of(segments.begin(), segments.end(), [&](const auto& segment) {
    return segment.p_type == PT_LOAD && address >= segment.p_vaddr && bytes <= segment.p_memsz &&
           address - segment.p_vaddr <= segment.p_memsz - bytes;
  });
}

std::string damage_of_relocations(const ElfFile& file, const Segments& segments, std::uint64_t address,
                                  std::uint64_t bytes) {
  if (bytes % sizeof(Elf64_Rela) != 0) return "it has relocations of a broken length";
  if (bytes == 0) return {};
  const auto offset = file.offset_of(address);
  const auto relocations = offset ? file.relocations(*offset, bytes) : std::vector<GElf_Rela>{};
  if (relocations.size() != bytes / sizeof(Elf64_Rela)) return "it has relocations beyond the end of the file";
  for (const GElf_Rela& relocation : relocations)
    if (GELF_R_TYPE(relocation.r_info) != R_X86_64_NONE &&
        !is_loaded(segments, relocation.r_offset, sizeof(std::uint64_t)))
      return "it has a relocation outside of its segments";
  return {};
}

/// Whether the loader takes the entry's value for an address.
bool is_address(const GElf_Dyn& entry) {
  switch (entry.d_tag) {
    case DT_STRTAB:
    case DT_SYMTAB:
    case DT_RELA:
    case DT_HASH:
    case DT_GNU_HASH:
    case DT_JMPREL:
    case DT_INIT_ARRAY:
    case DT_FINI_ARRAY:
    case DT_VERNEED:
    case DT_VERSYM:
      return true;
    default:
      return false;
  }
}

std::string damage_of_dynamic_table(const ElfFile& file, const Segments& segments) {
  const auto found =
      std::find_if(segments.begin(), segments.end(), [](const auto& segment) { return segment.p_type == PT_DYNAMIC; });
  if (found == segments.end()) return "it has no dynamic table";
  std::vector<GElf_Dyn> entries = file.dynamic_table(*found);
  const auto end =
      std::find_if(entries.begin(), entries.end(), [](const auto& entry) { return entry.d_tag == DT_NULL; });
  if (end == entries.end()) return "it has a dynamic table without an end";
  entries.erase(end, entries.end());
  const auto value_of = [&](auto tag) -> std::optional<std::uint64_t> {  // the last one counts, as for the loader
    const auto last =
        std::find_if(entries.rbegin(), entries.rend(), [&](const auto& entry) { return entry.d_tag == tag; });
    return last != entries.rend() ? std::optional(last->d_un.d_val) : std::nullopt;
  };
  for (const GElf_Dyn& entry : entries)
    if (is_address(entry) && !is_loaded(segments, entry.d_un.d_ptr, 1))
      return "it has a dynamic table that points outside of its segments";
  if (!value_of(DT_STRTAB) || !value_of(DT_SYMTAB)) return "it has no table of symbols";
  return damage_of_relocations(file, segments, value_of(DT_RELA).value_or(0), value_of(DT_RELASZ).value_or(0));
}

std::string damage(const ElfFile& file, const Segments& segments) {
  const GElf_Ehdr header = *file.header();
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64) return "it is not made for x86-64";
  if (header.e_type != ET_DYN) return "it is no shared object";
  if (header.e_phentsize != sizeof(Elf64_Phdr) || segments.empty()) return "it has no table of segments";
  if (std::string wrong = damage_of_segments(file, segments); !wrong.empty()) return wrong;
  if (header.e_shnum > 0 && file.count_sections() != header.e_shnum) return "it has a table of sections beyond its end";
  return damage_of_dynamic_table(file, segments);
}

}  // namespace

void require_sound(const std::string& path) {
  const ElfFile file(path);
  if (!file.header()) return;
  const Segments segments = file.segments();
  if (file.header()->e_phentsize == sizeof(Elf64_Phdr)) require_whole(file, segments, path);
  if (const std::string wrong = damage(file, segments); !wrong.empty())
    throw UserError(path, "cannot be loaded: " + wrong, "compile it again with " + own_program("sanvp-cc"));
}

}  // namespace sanvp::native
