#include "models/cpu/riscv/linux/system_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "models/cpu/riscv/linux/devices.hpp"

namespace sanvp::riscv::os {
namespace {

/// The contents of the file when it was opened.
class TextFile final : public OpenFile {
 public:
  explicit TextFile(std::string text) : text_(std::move(text)) { flags = O_RDONLY; }
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
    status.st_mode = S_IFREG | 0444;  // its length is 0, as those of all files in /proc and /sys
    return 0;
  }

 private:
  static constexpr std::int64_t most = std::int64_t{1} << 40;
  std::string text_;
  std::size_t place_ = 0;  ///< within the text, or at its end
};

/// The mappings, in lines of ranges with the same permissions. They are made as they are read: a program can have as
/// many as its memory has pages, and the file open many times.
class MapsFile final : public OpenFile {
 public:
  explicit MapsFile(const Process& process) : process_(process) { flags = O_RDONLY; }
  Transferred read(std::span<std::byte> bytes) override {
    std::size_t done = 0;
    while (done < bytes.size() && has_more()) {
      const std::size_t count = std::min(bytes.size() - done, rest_.size());
      std::memcpy(&bytes[done], rest_.data(), count);
      rest_.erase(0, count);
      done += count;
    }
    place_ += static_cast<std::int64_t>(done);
    return static_cast<std::int64_t>(done);
  }
  std::int64_t seek(std::int64_t offset, int whence) override {
    if (whence != SEEK_SET && whence != SEEK_CUR) return -EINVAL;
    std::int64_t wanted = -1;
    if (__builtin_add_overflow(whence == SEEK_CUR ? place_ : 0, offset, &wanted) || wanted < 0) return -EINVAL;
    if (wanted < place_) begin_again();
    while (place_ < wanted && has_more()) {
      const auto count = std::min<std::uint64_t>(static_cast<std::uint64_t>(wanted - place_), rest_.size());
      rest_.erase(0, count);
      place_ += static_cast<std::int64_t>(count);
    }
    return place_;
  }
  std::int64_t status(struct stat& status) const override {
    OpenFile::status(status);
    status.st_mode = S_IFREG | 0444;
    return 0;
  }

 private:
  void begin_again() {
    page_ = 0;
    place_ = 0;
    rest_.clear();
  }
  /// Makes the next line if need be.
  bool has_more() {
    const AddressSpace& space = process_.space();
    const std::uint64_t pages = space.memory().bytes() >> page_bits;
    while (rest_.empty() && page_ < pages) {
      const std::uint64_t begin = page_;
      const bool is_mapped = space.memory().is_mapped(begin);
      const std::uint8_t allowed = space.allowed(begin);
      while (page_ < pages && space.memory().is_mapped(page_) == is_mapped && space.allowed(page_) == allowed) ++page_;
      if (is_mapped) rest_ = line(begin << page_bits, page_ << page_bits, allowed);
    }
    return !rest_.empty();
  }
  std::string line(std::uint64_t begin, std::uint64_t end, std::uint8_t allowed) const {
    const char* const name = end == process_.stack_end()              ? "                          [stack]"
                             : begin == process_.space().heap_begin() ? "                          [heap]"
                                                                      : "";
    return fmt::format("{:08x}-{:08x} {}{}{}p 00000000 00:00 0 {}\n", begin, end, (allowed & readable) != 0 ? 'r' : '-',
                       (allowed & writable) != 0 ? 'w' : '-', (allowed & executable) != 0 ? 'x' : '-', name);
  }

  const Process& process_;
  std::uint64_t page_ = 0;  ///< the next line begins there, or behind
  std::string rest_{};      ///< of the line that has been read in part
  std::int64_t place_ = 0;
};

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

/// The program itself, which the process cannot change.
class ProgramFile final : public OpenFile {
 public:
  explicit ProgramFile(std::shared_ptr<const native::File> contents) : contents_(std::move(contents)) {
    flags = O_RDONLY;
  }
  Transferred read(std::span<std::byte> bytes) override {
    const std::int64_t done = read_at(place_, bytes);
    place_ += std::max<std::int64_t>(done, 0);
    return done;
  }
  std::int64_t read_at(std::int64_t offset, std::span<std::byte> bytes) override {
    const ssize_t done = pread(contents_->get(), bytes.data(), bytes.size(), offset);
    return done < 0 ? -errno : done;
  }
  std::int64_t seek(std::int64_t offset, int whence) override {
    struct stat now {};
    status(now);
    const std::int64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? place_ : now.st_size;
    std::int64_t wanted = -1;
    if (whence > SEEK_END || __builtin_add_overflow(from, offset, &wanted) || wanted < 0) return -EINVAL;
    return place_ = wanted;
  }
  std::int64_t status(struct stat& status) const override {
    struct stat of_copy {};
    if (fstat(contents_->get(), &of_copy) != 0) return -errno;
    OpenFile::status(status);
    status.st_mode = S_IFREG | 0555;
    status.st_size = of_copy.st_size;
    return 0;
  }

 private:
  std::shared_ptr<const native::File> contents_;
  std::int64_t place_ = 0;
};

}  // namespace

std::shared_ptr<OpenFile> system_file(Process& process, const std::string& path) {
  if (path.starts_with("/dev/")) return device(path, [&process] { return process.random().next(); });
  if (path == "/proc/self/exe") return std::make_shared<ProgramFile>(process.settings().program);
  if (path == "/proc/self/maps") return std::make_shared<MapsFile>(process);
  const auto text = topology(process, path);
  return text ? std::make_shared<TextFile>(*text) : nullptr;
}

}  // namespace sanvp::riscv::os
