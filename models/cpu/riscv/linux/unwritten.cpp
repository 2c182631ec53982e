#include "models/cpu/riscv/linux/unwritten.hpp"

#include <unistd.h>

#include <cstdint>
#include <optional>
#include <set>

#include "models/cpu/riscv/linux/process.hpp"
#include "platform/core/elf_file.hpp"

namespace sanvp::riscv::os {
namespace {

constexpr std::uint64_t most_bytes = 1 << 20;  // of a buffer, in a structure that the program may have overwritten

/// glibc's FILE: its members from _IO_write_base on keep their places in all versions.
constexpr std::uint64_t file_write_base = 32, file_write_end = 40, file_descriptor = 112;
/// libgfortran's unit, a tree, and its stream (io/io.h, io/unix.c; GCC 5 and newer).
constexpr std::uint64_t unit_stream = 8, unit_left = 16, unit_right = 24;
constexpr std::uint64_t stream_buffer = 40, stream_size = 48, stream_descriptor = 56, stream_unwritten = 64;

class Reader {
 public:
  explicit Reader(Process& process) : process_(process), file_(process.settings().program->path()) {}

  /// The address of a variable; 0: it has none of that name.
  std::uint64_t variable(const char* name) const {
    const std::optional<std::uint64_t> address = file_.variable(name);
    return address ? *address + process_.load_bias() : 0;
  }
  std::uint64_t word(std::uint64_t address) const { return memory().read<std::uint64_t>(address).value_or(0); }
  std::int32_t number(std::uint64_t address) const { return memory().read<std::int32_t>(address).value_or(-1); }
  std::string text(std::uint64_t begin, std::uint64_t bytes) const {
    if (bytes == 0 || bytes > most_bytes) return {};
    const auto found = memory().bytes_at(begin, bytes, readable);
    return found ? std::string(reinterpret_cast<const char*>(found->data()), bytes) : std::string();
  }

 private:
  const Memory& memory() const { return process_.space().memory(); }

  Process& process_;
  ElfFile file_;
};

std::string of_c(const Reader& reader) {
  const std::uint64_t file = reader.variable("_IO_2_1_stdout_");
  if (file == 0 || reader.number(file + file_descriptor) != STDOUT_FILENO) return {};
  const std::uint64_t begin = reader.word(file + file_write_base), end = reader.word(file + file_write_end);
  return end > begin ? reader.text(begin, end - begin) : std::string();
}

/// @param seen  addresses of units, against loops in overwritten memory
std::string of_fortran(const Reader& reader, std::uint64_t unit, std::set<std::uint64_t>& seen) {
  constexpr std::size_t most_units = 1000;
  if (unit == 0 || seen.size() >= most_units || !seen.insert(unit).second) return {};
  const std::uint64_t stream = reader.word(unit + unit_stream);
  if (reader.number(stream + stream_descriptor) == STDOUT_FILENO) {
    const std::int32_t bytes = reader.number(stream + stream_unwritten);
    const bool is_sound = bytes > 0 && static_cast<std::uint64_t>(bytes) <= reader.word(stream + stream_size);
    return is_sound ? reader.text(reader.word(stream + stream_buffer), static_cast<std::uint64_t>(bytes))
                    : std::string();
  }
  const std::string left = of_fortran(reader, reader.word(unit + unit_left), seen);
  return left.empty() ? of_fortran(reader, reader.word(unit + unit_right), seen) : left;
}

}  // namespace

std::string unwritten_output(Process& process) {
  const Files::Descriptor* const output = process.files().find(STDOUT_FILENO);
  if (output == nullptr || dynamic_cast<OutputStream*>(output->file.get()) == nullptr) return {};
  const Reader reader(process);
  std::string text = of_c(reader);
  if (const std::uint64_t root = reader.variable("_gfortrani_unit_root"); root != 0) {
    std::set<std::uint64_t> seen;
    text += of_fortran(reader, reader.word(root), seen);
  }
  return text;
}

}  // namespace sanvp::riscv::os
