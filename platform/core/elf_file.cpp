#include "platform/core/elf_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "platform/core/error.hpp"

namespace sanvp {
namespace {

/// A piece of the file as an array of records, each read by `read` (a function of libelf).
template <class Record>
std::vector<Record> records(Elf* elf, std::size_t offset, std::size_t bytes, Elf_Type type,
                            Record* (*read)(Elf_Data*, int, Record*)) {
  std::vector<Record> all;
  Elf_Data* const data = elf_getdata_rawchunk(elf, static_cast<std::int64_t>(offset), bytes, type);
  if (data == nullptr) return all;
  for (Record record{}; read(data, static_cast<int>(all.size()), &record) != nullptr;) all.push_back(record);
  return all;
}

}  // namespace

ElfFile::ElfFile(const std::string& path)
    : descriptor_(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {  // a FIFO must not stop the simulator
  elf_version(EV_CURRENT);
  if (descriptor_ < 0 && (errno == EMFILE || errno == ENFILE))
    throw UserError(path, "cannot be read: " + std::generic_category().message(errno),
                    "allow the simulator more (ulimit -n)");
  struct stat status {};
  if (descriptor_ < 0 || fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return;
  bytes_ = static_cast<std::size_t>(status.st_size);
  elf_ = elf_begin(descriptor_, ELF_C_READ_MMAP, nullptr);
}

ElfFile::~ElfFile() {
  elf_end(elf_);
  if (descriptor_ >= 0) close(descriptor_);
}

std::optional<GElf_Ehdr> ElfFile::header() const {
  GElf_Ehdr header{};
  if (elf_kind(elf_) != ELF_K_ELF || gelf_getehdr(elf_, &header) == nullptr) return std::nullopt;
  return header;
}

std::size_t ElfFile::count_sections() const {
  std::size_t count = 0;
  return elf_getshdrnum(elf_, &count) == 0 ? count : 0;
}

std::vector<GElf_Phdr> ElfFile::segments() const {
  std::size_t count = 0;
  if (elf_getphdrnum(elf_, &count) != 0) return {};
  std::vector<GElf_Phdr> all;
  for (GElf_Phdr segment{}; all.size() < count; all.push_back(segment))
    if (gelf_getphdr(elf_, static_cast<int>(all.size()), &segment) == nullptr) return {};
  return all;
}

std::vector<GElf_Dyn> ElfFile::dynamic_table(const GElf_Phdr& segment) const {
  return records<GElf_Dyn>(elf_, segment.p_offset, segment.p_filesz, ELF_T_DYN, gelf_getdyn);
}

std::vector<GElf_Rela> ElfFile::relocations(std::size_t offset, std::size_t bytes) const {
  return records<GElf_Rela>(elf_, offset, bytes, ELF_T_RELA, gelf_getrela);
}

Elf_Scn* ElfFile::find_section(std::string_view name) const {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf_, &names) != 0) return nullptr;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
    GElf_Shdr header{};
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* const found = elf_strptr(elf_, names, header.sh_name);
    if (found != nullptr && found == name) return section;
  }
  return nullptr;
}

ElfFile::Section ElfFile::section(std::string_view name) const {
  Elf_Scn* const found = find_section(name);
  GElf_Shdr header{};
  if (found == nullptr || gelf_getshdr(found, &header) == nullptr || header.sh_type == SHT_NOBITS) return {};
  const Elf_Data* const data = elf_rawdata(found, nullptr);
  if (data == nullptr || data->d_buf == nullptr) return {header.sh_addr, {}};
  return {header.sh_addr, {static_cast<const char*>(data->d_buf), data->d_size}};
}

ElfFile::Section ElfFile::note(std::string_view owner, unsigned type) const {
  for (const GElf_Phdr& segment : segments()) {
    if (segment.p_type != PT_NOTE) continue;
    Elf_Data* const data =
        elf_getdata_rawchunk(elf_, static_cast<std::int64_t>(segment.p_offset), segment.p_filesz, ELF_T_NHDR);
    if (data == nullptr) continue;
    GElf_Nhdr header{};
    std::size_t name = 0, text = 0;
    const char* const bytes = static_cast<const char*>(data->d_buf);
    for (std::size_t at = 0; (at = gelf_getnote(data, at, &header, &name, &text)) != 0;) {
      const std::string_view found(bytes + name, header.n_namesz > 0 ? header.n_namesz - 1 : 0);
      if (found == owner && header.n_type == type) return {segment.p_vaddr + text, {bytes + text, header.n_descsz}};
    }
  }
  return {};
}

std::vector<std::string> ElfFile::texts(std::string_view name) const {
  const std::span<const char> bytes = section(name).bytes;
  std::vector<std::string> found;
  for (std::string_view rest(bytes.data(), bytes.size()); !rest.empty();) {
    const std::string_view text = rest.substr(0, rest.find('\0'));
    if (!text.empty()) found.emplace_back(text);
    rest.remove_prefix(std::min(rest.size(), text.size() + 1));
  }
  return found;
}

std::optional<std::uint64_t> ElfFile::variable(std::string_view name) const {
  Elf_Scn* const found = find_section(".symtab");
  GElf_Shdr header{};
  if (found == nullptr || gelf_getshdr(found, &header) == nullptr) return std::nullopt;
  Elf_Data* const data = elf_getdata(found, nullptr);
  GElf_Sym symbol{};
  for (int i = 0; data != nullptr && gelf_getsym(data, i, &symbol) != nullptr; ++i) {
    if (GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_shndx == SHN_UNDEF) continue;
    const char* const text = elf_strptr(elf_, header.sh_link, symbol.st_name);
    if (text != nullptr && text == name) return symbol.st_value;
  }
  return std::nullopt;
}

std::optional<std::size_t> ElfFile::offset_of(std::uint64_t address) const {
  for (const GElf_Phdr& segment : segments())
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  return std::nullopt;
}

}  // namespace sanvp
