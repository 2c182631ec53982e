#include "models/cpu/riscv/gdb/files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

namespace sanvp::riscv::gdb {
namespace {

// Numbers of the protocol (gdb's manual, "File-I/O"), the same on all systems.
constexpr const char* no_such_file = "F-1,2";
constexpr const char* bad_descriptor = "F-1,9";
constexpr const char* bad_argument = "F-1,22";
constexpr std::uint32_t regular_file_readable = 0100444;

std::string attached(std::string_view bytes) { return fmt::format("F{:x};{}", bytes.size(), escaped(bytes)); }

void append(std::string& record, std::uint64_t value, int bytes) {  // big-endian
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) record += static_cast<char>(value >> shift);
}

}  // namespace

std::string program_path(const Inferior& inferior) {
  std::error_code error;
  const auto path = std::filesystem::absolute(inferior.process->settings().path, error);
  return error ? inferior.process->settings().path : path.lexically_normal().string();
}

std::string Files::answer(const Inferiors& inferiors, Cursor packet) {
  if (packet.take("setfs:")) return "F0";
  if (packet.take("open:")) return open(inferiors, packet);
  if (packet.take("pread:")) return read(packet);
  if (packet.take("fstat:")) return status(packet);
  if (packet.take("close:")) {
    const auto descriptor = packet.hex();
    return descriptor && open_.erase(*descriptor) != 0 ? "F0" : bad_descriptor;
  }
  return {};
}

std::string Files::open(const Inferiors& inferiors, Cursor packet) {
  const auto path = from_hex(packet.until(','));
  const auto flags = packet.hex();
  if (!path || !flags) return bad_argument;
  const auto named = std::find_if(inferiors.all().begin(), inferiors.all().end(),
                                  [&](const auto& inferior) { return program_path(*inferior) == *path; });
  constexpr std::uint64_t ways = 3;  // 0: for reading only
  if (named == inferiors.all().end() || (*flags & ways) != 0) return no_such_file;
  open_[++opened_] = (*named)->process->settings().program;
  return fmt::format("F{:x}", opened_);
}

std::string Files::read(Cursor packet) const {
  const auto descriptor = packet.hex();
  packet.take(",");
  const auto count = packet.hex();
  packet.take(",");
  const auto offset = packet.hex();
  if (!descriptor || !count || !offset) return bad_argument;
  const auto file = open_.find(*descriptor);
  if (file == open_.end()) return bad_descriptor;
  std::string bytes(std::min<std::uint64_t>(*count, most_packet_bytes / 2 - 16), '\0');  // escapes may double it
  const auto from = static_cast<off_t>(*offset & ~(std::uint64_t{1} << 63));
  const ssize_t done = pread(file->second->get(), bytes.data(), bytes.size(), from);
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(0, done)));
  return attached(bytes);
}

std::string Files::status(Cursor packet) const {
  const auto descriptor = packet.hex();
  const auto file = descriptor ? open_.find(*descriptor) : open_.end();
  if (file == open_.end()) return bad_descriptor;
  struct stat of_copy {};
  if (fstat(file->second->get(), &of_copy) != 0) return no_such_file;
  const auto bytes = static_cast<std::uint64_t>(of_copy.st_size);
  std::string record;  // struct stat of the protocol
  for (const std::uint32_t field : {0U, 0U, regular_file_readable, 1U, 0U, 0U, 0U}) append(record, field, 4);
  constexpr std::uint64_t block_bytes = 512;
  for (const std::uint64_t field : {bytes, block_bytes, (bytes + block_bytes - 1) / block_bytes})
    append(record, field, 8);
  for (int time = 0; time < 3; ++time) append(record, 0, 4);
  return attached(record);
}

}  // namespace sanvp::riscv::gdb
