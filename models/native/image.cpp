#include "models/native/image.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <span>
#include <string_view>

#include "models/native/block_table.hpp"
#include "models/native/elf_file.hpp"
#include "models/native/safety_net.hpp"

namespace sanvp::native {
namespace {

/// Of libraries' names in programs (scripts/own_names.py), and of what stands in for calls of the C library (--wrap).
constexpr std::array<std::string_view, 2> own_prefixes{"sanvp_", "__wrap_"};

bool has_crashed = false;  ///< code of an image, while the system's loader was at work

[[noreturn]] void refuse(const std::string& path) {
  throw UserError(path, std::string("cannot be loaded: ") + std::strerror(errno));
}

/// The loader would touch what is behind the end of a file that was cut off, and the simulator would crash.
void require_whole(int file, const std::string& path) {
  Elf64_Ehdr header{};
  struct stat status {};
  if (fstat(file, &status) != 0 || pread(file, &header, sizeof header, 0) != sizeof header ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phentsize != sizeof(Elf64_Phdr))
    return;  // the loader says what it is
  std::uint64_t least = header.e_phoff + header.e_phnum * sizeof(Elf64_Phdr);
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    const auto at = static_cast<off_t>(header.e_phoff + i * sizeof segment);
    if (pread(file, &segment, sizeof segment, at) == sizeof segment && segment.p_type == PT_LOAD)
      least = std::max(least, segment.p_offset + segment.p_filesz);
  }
  if (least > static_cast<std::uint64_t>(status.st_size))
    throw UserError(path, fmt::format("is cut off: {} bytes of {} or more", status.st_size, least),
                    "compile or copy it again");
}

/// The loader knows its files by name, and the number of a descriptor comes again: a symbolic link with a fresh name
/// leads there.
class FreshName {
 public:
  explicit FreshName(int descriptor) {
    const char* folder = std::getenv("TMPDIR");
    path_ = std::string(folder != nullptr ? folder : "/tmp") + "/sanvp-XXXXXX";
    if (mkdtemp(path_.data()) == nullptr) refuse(path_);
    link_ = path_ + "/" + std::to_string(next_number());
    if (symlink(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), link_.c_str()) != 0) refuse(link_);
  }
  ~FreshName() {
    unlink(link_.c_str());
    rmdir(path_.c_str());
  }
  FreshName(const FreshName&) = delete;
  FreshName& operator=(const FreshName&) = delete;
  const char* path() const { return link_.c_str(); }

 private:
  /// mkdtemp may give a name again once its folder is gone.
  static int next_number() {
    static int last = 0;
    return ++last;
  }

  std::string path_;
  std::string link_;
};

struct Segments {
  std::byte* base = nullptr;
  std::vector<Range> writable;
  Range code;
  struct Constant {
    Range range;
    off_t offset;  ///< in the file
    int protection;
  };
  std::vector<Constant> constant;
};

Segments segments(void* handle) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return {};
  Segments found{.base = reinterpret_cast<std::byte*>(map->l_addr), .writable = {}, .code = {}, .constant = {}};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        auto& wanted = *static_cast<Segments*>(data);
        if (reinterpret_cast<std::byte*>(object->dlpi_addr) != wanted.base) return 0;
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& header = object->dlpi_phdr[i];
          const Range range{wanted.base + header.p_vaddr, header.p_memsz};
          if (header.p_type != PT_LOAD) continue;
          if ((header.p_flags & PF_W) != 0) wanted.writable.push_back(range);
          if ((header.p_flags & PF_X) != 0) wanted.code = range;
          if ((header.p_flags & PF_W) == 0)
            wanted.constant.push_back({range, static_cast<off_t>(header.p_offset),
                                       PROT_READ | ((header.p_flags & PF_X) != 0 ? PROT_EXEC : 0)});
        }
        return 1;
      },
      &found);
  return found;
}

/// Code and constants of all copies become the same pages of memory, those of one file: the processor's caches hold
/// them once, and not once for each rank. Where that cannot be, the copy's own stay.
void share_constants(const File& original, const std::vector<Segments::Constant>& constants) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (const auto& [range, offset, protection] : constants) {
    const auto before = static_cast<std::size_t>(offset) % page;
    const std::size_t bytes = (before + range.bytes + page - 1) / page * page;
    void* const shared =
        mmap(nullptr, bytes, protection, MAP_PRIVATE, original.get(), offset - static_cast<off_t>(before));
    if (shared == MAP_FAILED) continue;
    const bool same = std::memcmp(static_cast<std::byte*>(shared) + before, range.begin, range.bytes) == 0;
    if (!same || mremap(shared, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, range.begin - before) == MAP_FAILED)
      munmap(shared, bytes);
  }
}

/// A crash here is one of the trial.
void readable(const void* place) { [[maybe_unused]] const volatile char byte = *static_cast<const char*>(place); }

/// The constructors of a copy of the file do not run, nor its destructors.
void drop_constructors(int copy, const std::string& path) {
  Elf64_Ehdr header{};
  if (pread(copy, &header, sizeof header, 0) != sizeof header) return;
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    const auto segment_at = static_cast<off_t>(header.e_phoff + i * sizeof segment);
    if (pread(copy, &segment, sizeof segment, segment_at) != sizeof segment || segment.p_type != PT_DYNAMIC) continue;
    Elf64_Dyn entry{};
    for (auto at = static_cast<off_t>(segment.p_offset); pread(copy, &entry, sizeof entry, at) == sizeof entry;
         at += sizeof entry) {
      if (entry.d_tag == DT_NULL) break;
      const bool is_dropped = entry.d_tag == DT_INIT || entry.d_tag == DT_FINI || entry.d_tag == DT_INIT_ARRAYSZ ||
                              entry.d_tag == DT_FINI_ARRAYSZ || entry.d_tag == DT_PREINIT_ARRAYSZ;
      if (!is_dropped) continue;
      if (entry.d_tag == DT_INIT || entry.d_tag == DT_FINI) entry.d_tag = DT_DEBUG;
      entry.d_un.d_val = 0;
      if (pwrite(copy, &entry, sizeof entry, at) != sizeof entry) refuse(path);
    }
  }
}

/// With what lies before it in its first page.
Range from_its_page(Range range) {
  const std::size_t before =
      reinterpret_cast<std::uintptr_t>(range.begin) % static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return {range.begin - before, before + range.bytes};
}

/// What the linker's tables say of where the loader has put an address in (Elf64_Rela).
std::span<const Elf64_Rela> relocations(void* handle) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return {};
  const Elf64_Rela* first = nullptr;
  std::size_t bytes = 0;
  for (const Elf64_Dyn* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_RELA) first = reinterpret_cast<const Elf64_Rela*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_RELASZ) bytes = entry->d_un.d_val;
  }
  return {first, bytes / sizeof(Elf64_Rela)};
}

/// Leaves out pages of zeros, as most of a program's are, which fresh memory has without being touched.
/// @param to  memory that has only zeros yet
void copy_used_pages(const Range& from, std::byte* to) {
  constexpr std::size_t page_bytes = 4096;
  const auto into_page = reinterpret_cast<std::uintptr_t>(from.begin) % page_bytes;
  std::size_t bytes = page_bytes - into_page;
  for (std::size_t at = 0; at < from.bytes; at += bytes, bytes = page_bytes) {
    bytes = std::min(bytes, from.bytes - at);
    const std::byte* const begin = from.begin + at;
    if (std::any_of(begin, begin + bytes, [](std::byte byte) { return byte != std::byte{0}; }))
      std::memcpy(to + at, begin, bytes);
  }
}

}  // namespace

Image::Image(const std::string& path, Loader& loader) : path_(path) {
  if (loader.is_new(path)) {
    require_whole(File(open_image(path)).get(), path);
    if (const std::string damage = ElfFile(path).damage(); !damage.empty())
      throw UserError(path, "cannot be loaded: " + damage, "compile it again with build/sanvp-cc");
    load_on_trial(path, loader);
  }
  catch_faults();
  load(loader);
}

Image::Image(const std::string& path, Loader& loader, Trial) : path_(path), is_trial_(true) {
  load(loader);
  for (const char* name : {"hal_attach", "hal_run_main", "hal_driver_boot", "main"}) symbol(name);
  if (const void* version = symbol("hal_abi_version")) readable(version);
  if (const void* counter = this->counter()) readable(counter);
  for (const Range& range : globals_) readable(range.begin), readable(range.end() - 1);
}

void Image::load(Loader& loader) {
  const AtGlobals of_the_file(0);  // for its constructor
  if (has_globals_place && ElfFile(path_).has_section(".sanvp.shared_code") && load_shared()) {
    if (put_prices(loader)) return;
    unload();
  }
  load_alone(loader);
}

/// The C library's loader believes what a file says of itself, and a damaged one makes it crash, loop, or write over
/// the simulator: a child process loads it first, without running any of it. Throws UserError where that goes wrong in
/// a way that no exception of our own tells; what throws there will throw again.
void Image::load_on_trial(const std::string& path, Loader& loader) {
  constexpr int ends_in_order = 0, is_damaged = 1;
  constexpr rlim_t most_seconds = 20;
  const pid_t child = fork();
  if (child < 0) return;  // no memory for another process: without a trial
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, descriptor);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGINT}) std::signal(signal, SIG_DFL);
    for (const auto& [resource, limit] : {std::pair{RLIMIT_CORE, rlim_t{0}}, std::pair{RLIMIT_CPU, most_seconds}}) {
      const rlimit both{limit, limit};
      setrlimit(resource, &both);
    }
    try {
      new Image(path, loader, Trial{});  // NOLINT(cppcoreguidelines-owning-memory): it ends with the process
    } catch (const UserError&) {
      _exit(ends_in_order);
    } catch (const std::exception&) {
      _exit(is_damaged);
    }
    _exit(ends_in_order);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return;
  if (WIFEXITED(status) && WEXITSTATUS(status) == ends_in_order) return;
  const char* const how = !WIFSIGNALED(status) ? "the system's loader gives up on it"
                          : WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL
                              ? "the system's loader does not come to an end with it"
                              : "the system's loader crashes on it";
  throw UserError(path, std::string("cannot be loaded: it is damaged, ") + how, "compile it again with build/sanvp-cc");
}

bool loading_has_crashed() { return has_crashed; }

/// By the system's loader, which runs constructors.
void Image::open(const char* name) {
  const auto fault = run_safely([&] { handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL); });
  has_crashed |= fault.has_value();
  if (fault)
    throw UserError(path_, "crashes while it is loaded: " + fault->to_text(), "look at what its constructors do");
}

/// In code that copies share. @return whether it now has these prices, and not those of another processor
bool Image::put_prices(Loader& loader) const {
  if (loader.has_priced(path_, base_)) return true;
  const std::vector<Block> blocks = read_blocks(ElfFile(path_), path_);
  const auto price_in = [this](const Block& block) {
    std::int32_t price = 0;
    std::memcpy(&price, loaded(block.price_at), sizeof price);
    return price;
  };
  const auto is_own = [this](const Block& block) { return code_.contains(loaded(block.price_at), sizeof unpriced); };
  if (blocks.empty()) return true;
  if (!std::all_of(blocks.begin(), blocks.end(), is_own))
    throw UserError(path_, "its counts of instructions are damaged", "compile it again with build/sanvp-cc");
  if (price_in(blocks[0]) != unpriced)
    return std::all_of(blocks.begin(), blocks.end(),
                       [&](const Block& block) { return price_in(block) == loader.price_ps(block); });
  const Range pages = from_its_page(code_);
  if (mprotect(pages.begin, pages.bytes, PROT_READ | PROT_WRITE) != 0) refuse(path_);
  for (const Block& block : blocks) {
    const std::int32_t price = loader.price_ps(block);
    std::memcpy(loaded(block.price_at), &price, sizeof price);
  }
  loader.loaded(path_, blocks, base_);
  if (mprotect(pages.begin, pages.bytes, PROT_READ | PROT_EXEC) != 0) refuse(path_);
  return true;
}

/// The loader gives the code that it has for this file, with globals in which nothing is ever stored: a copy of them is
/// this image's own.
bool Image::load_shared() {
  open(path_.c_str());
  if (handle_ == nullptr) return false;  // there is a cause that load_alone() will tell
  const Segments found = segments(handle_);
  if (found.writable.size() != 1) throw UserError(path_, "has not one segment of globals", "compile it again");
  base_ = found.base;
  code_ = found.code;
  copied_ = found.writable.at(0);
  const Range pages = from_its_page(copied_);  // alignment is kept
  void* const room = mmap(nullptr, pages.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) {
    dlclose(handle_);
    refuse(path_);
  }
  globals_ = {{static_cast<std::byte*>(room) + (copied_.begin - pages.begin), copied_.bytes}};
  copy_used_pages(copied_, globals_[0].begin);
  globals_place_ =
      reinterpret_cast<std::uintptr_t>(globals_[0].begin) - reinterpret_cast<std::uintptr_t>(copied_.begin);
  for (const Elf64_Rela& entry : relocations(handle_)) {  // pointers to globals lead to the own ones
    if (!copied_.contains(base_ + entry.r_offset, sizeof(void*))) continue;
    std::byte* const at = globals_[0].begin + (base_ + entry.r_offset - copied_.begin);
    std::byte* pointer = nullptr;
    std::memcpy(&pointer, at, sizeof pointer);
    if (!copied_.contains(pointer, 0)) continue;
    pointer = globals_[0].begin + (pointer - copied_.begin);
    std::memcpy(at, &pointer, sizeof pointer);
  }
  // An access that went past %gs all the same comes to light here, and is not everybody's.
  mprotect(pages.begin, pages.bytes, PROT_READ);
  return true;
}

void Image::load_alone(Loader& loader) {
  const File& priced = loader.priced(path_);
  const File copy(copy_of(priced.get(), path_));
  if (is_trial_) drop_constructors(copy.get(), path_);
  const FreshName name(copy.get());
  open(name.path());
  if (handle_ == nullptr) {
    std::string cause = dlerror();
    if (cause.starts_with(name.path())) cause.erase(0, std::strlen(name.path()) + 2);  // and ": "
    std::replace_if(
        cause.begin(), cause.end(), [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
    throw UserError(path_, "cannot be loaded: " + cause, "compile it with build/sanvp-cc");
  }
  Segments found = segments(handle_);
  base_ = found.base;
  globals_ = std::move(found.writable);
  code_ = found.code;
  share_constants(priced, found.constant);
  if (!loader.counts_blocks() || is_trial_) return;
  const Range pages = from_its_page(code_);
  if (mprotect(pages.begin, pages.bytes, PROT_READ | PROT_WRITE) != 0) refuse(path_);
  if (const std::vector<Block> blocks = read_blocks(ElfFile(path_), path_); !blocks.empty())
    loader.loaded(path_, blocks, base_);
  if (mprotect(pages.begin, pages.bytes, PROT_READ | PROT_EXEC) != 0) refuse(path_);
}

Image::~Image() { unload(); }

void Image::unload() {
  if (copied_.begin != nullptr) {
    const Range pages = from_its_page(globals_[0]);
    munmap(pages.begin, pages.bytes);
  }
  const AtGlobals of_the_file(0);
  if (!has_crashed && run_safely([&] { dlclose(handle_); })) has_crashed = true;
  copied_ = {};
  globals_place_ = 0;
}

void* Image::symbol(const char* name) const {
  auto* const found = static_cast<std::byte*>(dlsym(handle_, name));
  return found != nullptr && copied_.contains(found, 0) ? globals_[0].begin + (found - copied_.begin) : found;
}

std::string Image::function_at(const void* code) const {
  if (!is_code(code)) return {};
  std::string name =
      ElfFile(path_).function_at(static_cast<std::uintptr_t>(static_cast<const std::byte*>(code) - base_));
  for (const std::string_view prefix : own_prefixes)
    if (name.starts_with(prefix)) name.erase(0, prefix.size());
  return name;
}

std::string Image::place_of(const void* code) const {
  const std::string function = function_at(code);
  if (function.empty()) return {};
  // binutils are there where sanvp-cc is; without them there are no lines.
  std::string command = "addr2line -s -e '";
  for (const char c : path_) command += c == '\'' ? std::string("'\\''") : std::string(1, c);
  command += fmt::format("' {:#x} 2>/dev/null", static_cast<const std::byte*>(code) - base_);
  std::array<char, 256> line{};
  if (FILE* const pipe = popen(command.c_str(), "r"); pipe != nullptr) {
    if (std::fgets(line.data(), line.size(), pipe) == nullptr) line[0] = 0;
    pclose(pipe);
  }
  const std::string_view text(line.data(), std::strcspn(line.data(), " \n"));
  const bool known = !text.empty() && text.front() != '?' && text.back() != '?';
  return function + "()" + (known ? " at " + std::string(text) : "");
}

}  // namespace sanvp::native
