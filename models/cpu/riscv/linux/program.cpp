#include "models/cpu/riscv/linux/program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "platform/core/elf_file.hpp"
#include "platform/core/error.hpp"
#include "platform/core/own_files.hpp"
#include "platform/core/units.hpp"

namespace sanvp::riscv::os {
namespace {

constexpr std::uint64_t pie_base = 0x10000;  // where ld puts programs that are not position-independent
constexpr std::size_t most_headers = 128;
constexpr std::uint64_t most_believable = std::uint64_t{1} << 47;  // addresses of a process on a real machine

class Loader {
 public:
  Loader(const std::string& path, const native::File& contents, AddressSpace& space, std::uint64_t most)
      : path_(path), contents_(contents), file_(contents.path()), space_(space), most_(most) {}

  Program load() {
    const GElf_Ehdr header = checked_header();
    std::vector<GElf_Phdr> segments = file_.segments();
    if (segments.empty() || segments.size() > most_headers) refuse("its table of segments is damaged");
    for (const GElf_Phdr& segment : segments) {
      if (segment.p_type == PT_INTERP)
        throw UserError(path_, "is linked with shared libraries", "link it with -static");
      if (segment.p_type == PT_LOAD) check(segment);
    }
    base_ = header.e_type == ET_DYN ? pie_base : 0;
    Program program{.entry = header.e_entry + base_, .headers = segments.size(), .bias = base_};
    for (const GElf_Phdr& segment : segments) {
      if (segment.p_type == PT_GNU_STACK) program.has_executable_stack = (segment.p_flags & PF_X) != 0;
      if (segment.p_type != PT_LOAD || segment.p_memsz == 0) continue;
      load_segment(segment);
      program.begin = std::min(program.begin, begin(segment));
      program.end = std::max(program.end, base_ + segment.p_vaddr + segment.p_memsz);
      if (segment.p_offset <= header.e_phoff && header.e_phoff - segment.p_offset < segment.p_filesz)
        program.header_table = base_ + segment.p_vaddr + (header.e_phoff - segment.p_offset);
    }
    if (program.end == 0) refuse("it has nothing to load");
    for (const GElf_Phdr& segment : segments)
      if (segment.p_type == PT_LOAD) protect(segment);
    program.libraries = libraries();
    return program;
  }

 private:
  [[noreturn]] void refuse(const std::string& cause, const std::string& cure = "compile and link it again") const {
    throw UserError(path_, "cannot be run: " + cause, cure);
  }
  /// For a program as long as this segment's end.
  [[noreturn]] void refuse_size(const GElf_Phdr& segment) const {
    const auto text = [](std::uint64_t bytes) { return size_to_text(static_cast<std::int64_t>(bytes)); };
    refuse(fmt::format("its code and data take {}, and its share of the node's memory is {}",
                       text(rounded_to_pages(segment.p_memsz)), text(std::min(space_.limit(), most_ - pie_base))),
           "give nodes more with -s host.memory=SIZE");
  }

  GElf_Ehdr checked_header() const {
    const auto header = file_.header();
    if (!header) refuse("it is not an ELF file");
    if (header->e_machine != EM_RISCV) refuse("it is for another processor than RISC-V");
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
      refuse("it is not for 64-bit RISC-V", "compile it with " + own_program("sanvp-cc") + " --target riscv64");
    if (header->e_type != ET_EXEC && header->e_type != ET_DYN) refuse("it is not an executable");
    return *header;
  }

  void check(const GElf_Phdr& segment) const {
    const std::uint64_t most = most_ - pie_base;
    if (segment.p_filesz > file_.bytes() || segment.p_offset > file_.bytes() - segment.p_filesz)
      refuse("a segment lies beyond the end of the file");
    if (segment.p_memsz < segment.p_filesz) refuse("a segment is shorter in memory than in the file");
    if (segment.p_memsz > std::min(space_.limit(), most) && segment.p_memsz < most_believable) refuse_size(segment);
    if (segment.p_memsz > most || segment.p_vaddr > most - segment.p_memsz)
      refuse("a segment lies outside of the memory of a process");
  }

  std::uint64_t begin(const GElf_Phdr& segment) const { return (base_ + segment.p_vaddr) & ~(page_bytes - 1); }
  std::uint64_t pages_bytes(const GElf_Phdr& segment) const {
    return rounded_to_pages(base_ + segment.p_vaddr + segment.p_memsz) - begin(segment);
  }

  /// Segments may share a page: only free pages are mapped.
  void load_segment(const GElf_Phdr& segment) {
    for (std::uint64_t at = begin(segment), end = at + pages_bytes(segment); at < end; at += page_bytes)
      if (space_.is_free(at, page_bytes) && !space_.map_at(at, page_bytes, readable | writable)) refuse_size(segment);
    std::byte* const place = space_.memory().window().base + base_ + segment.p_vaddr;
    const ssize_t read = pread(contents_.get(), place, segment.p_filesz, static_cast<off_t>(segment.p_offset));
    if (read != static_cast<ssize_t>(segment.p_filesz)) refuse("it cannot be read");
  }

  /// Two distances in a note (sw/hal/riscv/own_code.S).
  CodeRange libraries() const {
    constexpr unsigned type = 1;
    const ElfFile::Section note = file_.note("sanvp", type);
    std::array<std::int32_t, 2> distances{};
    if (note.bytes.size() < sizeof distances) return {};
    std::memcpy(distances.data(), note.bytes.data(), sizeof distances);
    const auto at = [&](std::size_t i) {
      return base_ + note.address + i * sizeof distances[i] + static_cast<std::uint64_t>(std::int64_t{distances[i]});
    };
    return {at(0), at(1)};
  }

  void protect(const GElf_Phdr& segment) {
    std::uint8_t permissions = 0;
    if ((segment.p_flags & PF_R) != 0) permissions |= readable;
    if ((segment.p_flags & PF_W) != 0) permissions |= writable;
    if ((segment.p_flags & PF_X) != 0) permissions |= executable;
    if (segment.p_memsz != 0) space_.protect(begin(segment), pages_bytes(segment), permissions);
  }

  std::string path_;
  const native::File& contents_;
  ElfFile file_;
  AddressSpace& space_;
  std::uint64_t most_;
  std::uint64_t base_ = 0;
};

}  // namespace

Program load_program(const std::string& path, const native::File& file, AddressSpace& space, std::uint64_t most) {
  return Loader(path, file, space, most).load();
}

}  // namespace sanvp::riscv::os
