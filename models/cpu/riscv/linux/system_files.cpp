#include "models/cpu/riscv/linux/system_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "models/cpu/riscv/linux/devices.hpp"

namespace sanvp::riscv::os {
namespace {

/// What the file held when it was opened.
class TextFile final : public OpenFile {
 public:
  /// @param permissions  as in st_mode
  TextFile(std::string text, mode_t permissions, std::int64_t told_bytes)
      : text_(std::move(text)), permissions_(permissions), told_bytes_(told_bytes) {
    flags = O_RDONLY;
  }
  /// As in /proc and /sys, whose files have a length of 0.
  explicit TextFile(std::string text) : TextFile(std::move(text), 0444, 0) {}
  Transferred read(std::span<std::byte> bytes) override {
    const std::size_t count = std::min(bytes.size(), text_.size() - place_);
    std::memcpy(bytes.data(), text_.data() + place_, count);
    place_ += count;
    return static_cast<std::int64_t>(count);
  }
  std::int64_t seek(std::int64_t offset, int whence) override {
    const std::size_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? place_ : text_.size();
    const std::int64_t wanted = static_cast<std::int64_t>(from) + std::clamp<std::int64_t>(offset, -most, most);
    if (wanted < 0 || whence > SEEK_END) return -EINVAL;
    place_ = std::min(static_cast<std::size_t>(wanted), text_.size());
    return wanted;
  }
  std::int64_t status(struct stat& status) const override {
    OpenFile::status(status);
    status.st_mode = S_IFREG | permissions_;
    status.st_size = told_bytes_;
    return 0;
  }

 private:
  static constexpr std::int64_t most = std::int64_t{1} << 40;
  std::string text_;
  mode_t permissions_;
  std::int64_t told_bytes_;
  std::size_t place_ = 0;  ///< within the text, or at its end
};

/// Lines of ranges with the same permissions.
std::string maps(const Process& process) {
  const AddressSpace& space = process.space();
  const std::uint64_t pages = space.memory().bytes() >> page_bits;
  std::string lines;
  for (std::uint64_t page = 0; page < pages;) {
    const bool is_mapped = space.memory().is_mapped(page);
    const std::uint8_t allowed = space.allowed(page);
    std::uint64_t end = page + 1;
    while (end < pages && space.memory().is_mapped(end) == is_mapped && space.allowed(end) == allowed) ++end;
    const std::uint64_t begins_at = page << page_bits, ends_at = end << page_bits;
    if (is_mapped) {
      const char* const name = ends_at == process.stack_end()    ? "                          [stack]"
                               : begins_at == space.heap_begin() ? "                          [heap]"
                                                                 : "";
      lines += fmt::format("{:08x}-{:08x} {}{}{}p 00000000 00:00 0 {}\n", begins_at, ends_at,
                           (allowed & readable) != 0 ? 'r' : '-', (allowed & writable) != 0 ? 'w' : '-',
                           (allowed & executable) != 0 ? 'x' : '-', name);
    }
    page = end;
  }
  return lines;
}

/// The text of a file in the folder of a CPU's topology.
std::optional<std::string> topology(const std::string& name, int cpu, int cpus) {
  const std::string own = std::to_string(cpu) + "\n";
  const std::string all = cpus == 1 ? "0\n" : fmt::format("0-{}\n", cpus - 1);
  if (name == "core_id" || name == "core_cpus_list" || name == "thread_siblings_list") return own;
  if (name == "package_cpus_list" || name == "core_siblings_list") return all;
  if (name == "physical_package_id") return "0\n";
  return std::nullopt;
}

std::optional<std::string> topology(const Process& process, std::string_view path) {
  constexpr std::string_view begin = "/sys/devices/system/cpu/cpu", folder = "/topology/";
  if (!path.starts_with(begin)) return std::nullopt;
  path.remove_prefix(begin.size());
  int cpu = -1;
  const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), cpu);
  path.remove_prefix(static_cast<std::size_t>(end - path.data()));
  const int cpus = process.settings().cpus;
  if (error != std::errc{} || cpu < 0 || cpu >= cpus || !path.starts_with(folder)) return std::nullopt;
  return topology(std::string(path.substr(folder.size())), cpu, cpus);
}

/// A copy: it may lie outside of the job's folder.
std::shared_ptr<OpenFile> program_file(const std::string& path) {
  constexpr mode_t permissions = 0555;
  std::ifstream program(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(program), std::istreambuf_iterator<char>()};
  if (!program) return nullptr;
  const auto length = static_cast<std::int64_t>(bytes.size());
  return std::make_shared<TextFile>(std::move(bytes), permissions, length);
}

}  // namespace

std::shared_ptr<OpenFile> system_file(Process& process, const std::string& path) {
  if (path.starts_with("/dev/")) return device(path, [&process] { return process.random().next(); });
  if (path == "/proc/self/exe") return program_file(process.settings().path);
  if (path == "/proc/self/maps") return std::make_shared<TextFile>(maps(process));
  const auto text = topology(process, path);
  return text ? std::make_shared<TextFile>(*text) : nullptr;
}

}  // namespace sanvp::riscv::os
