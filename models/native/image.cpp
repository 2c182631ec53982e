#include "models/native/image.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <span>
#include <string_view>

#include "models/native/block_table.hpp"
#include "models/native/image_check.hpp"
#include "models/native/interrupts.hpp"
#include "models/native/new_threads.hpp"
#include "models/native/safety_net.hpp"
#include "models/native/symbols.hpp"
#include "platform/core/elf_file.hpp"
#include "platform/core/own_files.hpp"

namespace sanvp::native {
namespace {

/// Prefixes of library symbols in programs (scripts/own_names.py) and of wrapped C library calls (--wrap).
constexpr std::array<std::string_view, 2> own_prefixes{"sanvp_", "__wrap_"};

/// Functions in which computing code yields (sw/hal/keep_registers.S, give_way.c).
constexpr std::array<std::string_view, 4> yielding{"sanvp_give_way", "sanvp_gave_way", "sanvp_spin", "sanvp_spun"};

bool has_crashed = false;  ///< a constructor or destructor of an image

[[noreturn]] void refuse(const std::string& path) {
  throw UserError(path, std::string("cannot be loaded: ") + std::strerror(errno));
}

/// The loader identifies files by name, and descriptor numbers are reused: this is a symbolic link with a fresh name to
/// /proc/self/fd.
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
  /// mkdtemp may reuse the name of a removed folder.
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

/// Maps code and constants of all copies to the same pages, those of one file, so that the processor's caches hold them
/// once instead of once per rank. If this fails, the copy keeps its own pages.
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

/// A crash here ends the trial.
void readable(const void* place) { [[maybe_unused]] const volatile char byte = *static_cast<const char*>(place); }

/// Removes entries of the dynamic section from a copy of the file: what they name is not run.
void drop(std::span<const std::int64_t> tags, int copy, const std::string& path) {
  const ElfFile file(path);
  for (const GElf_Phdr& segment : file.segments()) {
    if (segment.p_type != PT_DYNAMIC) continue;
    auto at = static_cast<off_t>(segment.p_offset);
    for (GElf_Dyn entry : file.dynamic_table(segment)) {
      if (entry.d_tag == DT_NULL) break;
      const bool is_dropped = std::ranges::count(tags, entry.d_tag) > 0;
      if (entry.d_tag == DT_INIT || entry.d_tag == DT_FINI) entry.d_tag = DT_DEBUG;
      entry.d_un.d_val = 0;
      if (is_dropped && pwrite(copy, &entry, sizeof entry, at) != sizeof entry) refuse(path);
      at += sizeof entry;
    }
  }
}

constexpr std::array<std::int64_t, 5> all_of_loading{DT_INIT, DT_FINI, DT_INIT_ARRAYSZ, DT_FINI_ARRAYSZ,
                                                     DT_PREINIT_ARRAYSZ};
constexpr std::array<std::int64_t, 1> constructors_alone{DT_INIT_ARRAYSZ};

/// The value of an entry of the dynamic section; 0: it has none.
std::uint64_t dynamic_value(const std::string& path, std::int64_t tag) {
  const ElfFile file(path);
  for (const GElf_Phdr& segment : file.segments()) {
    if (segment.p_type != PT_DYNAMIC) continue;
    for (const GElf_Dyn& entry : file.dynamic_table(segment)) {
      if (entry.d_tag == tag) return entry.d_un.d_val;
      if (entry.d_tag == DT_NULL) break;
    }
  }
  return 0;
}

// How a trial ends.
constexpr int ends_in_order = 0, is_damaged = 1, calls_early = 2;

/// The library call in progress in the image on trial (sw/hal/hal.c).
const char* const* early = nullptr;

extern "C" void end_trial_of_constructors(int /*signal*/) {
  _exit(early != nullptr && *early != nullptr ? calls_early : ends_in_order);
}

/// Extended down to the start of its first page.
Range from_its_page(Range range) {
  const std::size_t before =
      reinterpret_cast<std::uintptr_t>(range.begin) % static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return {range.begin - before, before + range.bytes};
}

/// The table of places where the loader stores addresses (Elf64_Rela).
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

/// The call of a library in which a constructor has crashed (sw/hal/hal.c); empty if in none.
std::string early_call(const char* name) {
  void* const handle = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
  void* const call = handle == nullptr ? nullptr : dlsym(handle, "sanvp_early_call");
  const char* text = nullptr;
  if (call != nullptr) std::memcpy(&text, call, sizeof text);
  return text == nullptr ? "" : text;
}

}  // namespace

Image::Image(const std::string& path, Loader& loader) : path_(path) {
  const FileReserve::Lent files(loader.reserve());
  if (loader.is_new(path)) {
    const File file(open_image(path));  // reports a file that cannot be opened
    require_sound(path);
    if (!interprets_images()) load_on_trial(path, loader);
  }
  catch_faults();
  interprets_images() ? load_interpreted(loader) : load(loader);
}

Image::Image(const std::string& path, Loader& loader, Trial) : path_(path), is_trial_(true) {
  load(loader);
  for (const char* name : {"hal_attach", "hal_run_main", "hal_driver_boot", "main"}) symbol(name);
  if (const void* version = symbol("hal_abi_version")) readable(version);
  if (const void* counter = this->counter()) readable(counter);
  for (const Range& range : globals_) readable(range.begin), readable(range.end() - 1);
}

void Image::load(Loader& loader) {
  const AtGlobals of_the_file(0);  // for constructors
  if (has_globals_place && ElfFile(path_).has_section(".sanvp.shared_code") && load_shared()) {
    if (put_prices(loader)) return;
    unload();
  }
  load_alone(loader);
}

/// Only loads, and then runs the constructors: one that reaches for the simulator crashes.
void Image::try_in_child(const std::string& path, Loader& loader, volatile int& is_constructing) {
  constexpr rlim_t most_seconds = 20;
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, descriptor);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU}) std::signal(signal, SIG_DFL);
  release_interrupts();
  for (const auto& [resource, limit] : {std::pair{RLIMIT_CORE, rlim_t{0}}, std::pair{RLIMIT_CPU, most_seconds}}) {
    const rlimit both{limit, limit};
    setrlimit(resource, &both);
  }
  try {
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): it ends with the process
    const auto* const image = new Image(path, loader, Trial{});
    early = static_cast<const char* const*>(image->symbol("sanvp_early_call"));
    if (early == nullptr) _exit(ends_in_order);
    is_constructing = 1;
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU})
      std::signal(signal, end_trial_of_constructors);
    const AtGlobals of_the_file(0);
    for (const Constructor constructor : image->constructors()) constructor(0, nullptr, environ);
  } catch (const UserError&) {
    _exit(ends_in_order);
  } catch (...) {
    _exit(is_damaged);
  }
  _exit(ends_in_order);
}

/// The C library's loader trusts the file: a damaged one makes it crash, loop, or overwrite the simulator. So a child
/// process loads it first, without running any of it. Throws UserError if the child crashes or hangs; if it throws
/// UserError, so will the load that follows. Then the child runs constructors. If one of them calls a library, they are
/// left to the program's processes.
void Image::load_on_trial(const std::string& path, Loader& loader) {
  void* const shared = mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return;  // no memory for a trial
  volatile int& is_constructing = *new (shared) int(0);
  const pid_t child = fork();
  if (child == 0) try_in_child(path, loader, is_constructing);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  const bool was_constructing = is_constructing != 0;
  munmap(shared, sizeof(int));
  if (was_constructing) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == calls_early) loader.defer_constructors(path);
    return;
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == ends_in_order) return;
  const char* const how = !WIFSIGNALED(status) ? "the system's loader gives up on it"
                          : WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL
                              ? "the system's loader does not finish with it"
                              : "the system's loader crashes on it";
  throw UserError(path, std::string("cannot be loaded: it is damaged, ") + how,
                  "compile it again with " + own_program("sanvp-cc"));
}

bool loading_has_crashed() { return has_crashed; }

/// Calls the system's loader, which runs constructors.
void Image::open(const char* name) {
  const OneThreadInEnvironment one;
  const auto fault = run_safely([&] { handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL); });
  has_crashed |= fault.has_value();
  if (const std::string call = fault ? early_call(name) : ""; !call.empty())
    throw UserError(path_, call + " is called before main, by a constructor: a native rank begins with main",
                    "call it in main, or compile the program with --target riscv64, whose ranks begin before");
  if (fault)
    throw UserError(path_, "crashes while it is loaded: " + fault->to_text(), "look at what its constructors do");
}

std::vector<Image::Constructor> Image::constructors() const {
  std::vector<Constructor> all(dynamic_value(path_, DT_INIT_ARRAYSZ) / sizeof(Constructor));
  if (!all.empty())
    std::memcpy(all.data(), loaded(dynamic_value(path_, DT_INIT_ARRAY)), all.size() * sizeof(Constructor));
  return all;
}

/// Writes prices into shared code. @return whether the code has these prices, not another processor's
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
    throw UserError(path_, "its table of counted instructions is damaged",
                    "compile it again with " + own_program("sanvp-cc"));
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

void Image::put_new_prices(Loader& loader) const {
  const auto& prices = loader.prices(path_);
  if (prices.empty()) return;
  const BlockCounts* const counts = loader.counts_of(path_, base_);
  const Range pages = from_its_page(code_);
  const int protection = interpreted_ != nullptr ? PROT_READ : PROT_READ | PROT_EXEC;
  if (mprotect(pages.begin, pages.bytes, PROT_READ | PROT_WRITE) != 0) refuse(path_);
  for (std::size_t i = 0; i < prices.size(); ++i)
    std::memcpy(counts != nullptr ? counts->price(i) : loaded(prices[i].at), &prices[i].ps, sizeof prices[i].ps);
  if (mprotect(pages.begin, pages.bytes, protection) != 0) refuse(path_);
}

/// Loads code that copies share. The globals at which it was linked keep their initial values; this image gets a copy
/// of them.
bool Image::load_shared() {
  open(path_.c_str());
  if (handle_ == nullptr) return false;  // load_alone() reports why
  const Segments found = segments(handle_);
  if (found.writable.size() != 1)
    throw UserError(path_, "does not have exactly one segment of globals", "compile it again");
  base_ = found.base;
  code_ = found.code;
  for (const Segments::Constant& constant : found.constant) constants_.push_back(constant.range);
  copied_ = found.writable.at(0);
  const Range pages = from_its_page(copied_);  // whole pages, which keeps the alignment
  void* const room = mmap(nullptr, pages.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) {
    dlclose(handle_);
    refuse(path_);
  }
  globals_ = {{static_cast<std::byte*>(room) + (copied_.begin - pages.begin), copied_.bytes}};
  copy_used_pages(copied_, globals_[0].begin);
  globals_place_ =
      reinterpret_cast<std::uintptr_t>(globals_[0].begin) - reinterpret_cast<std::uintptr_t>(copied_.begin);
  for (const Elf64_Rela& entry : relocations(handle_)) {  // redirect pointers to globals to the copy
    if (!copied_.contains(base_ + entry.r_offset, sizeof(void*))) continue;
    std::byte* const at = globals_[0].begin + (base_ + entry.r_offset - copied_.begin);
    std::byte* pointer = nullptr;
    std::memcpy(&pointer, at, sizeof pointer);
    if (!copied_.contains(pointer, 0)) continue;
    pointer = globals_[0].begin + (pointer - copied_.begin);
    std::memcpy(at, &pointer, sizeof pointer);
  }
  // An access that bypasses %gs faults here instead of changing all copies.
  mprotect(pages.begin, pages.bytes, PROT_READ);
  return true;
}

void Image::load_alone(Loader& loader) {
  const File& priced = loader.priced(path_);
  const File copy(copy_of(priced.get(), path_));
  const bool defers = loader.defers_constructors(path_);
  if (is_trial_) drop(all_of_loading, copy.get(), path_);
  if (defers) drop(constructors_alone, copy.get(), path_);
  const FreshName name(copy.get());
  open(name.path());
  if (handle_ == nullptr) {
    std::string cause = dlerror();
    if (cause.starts_with(name.path())) cause.erase(0, std::strlen(name.path()) + 2);  // and ": "
    std::replace_if(
        cause.begin(), cause.end(), [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
    throw UserError(path_, "cannot be loaded: " + cause, "compile it with " + own_program("sanvp-cc"));
  }
  Segments found = segments(handle_);
  base_ = found.base;
  globals_ = std::move(found.writable);
  code_ = found.code;
  for (const Segments::Constant& constant : found.constant) constants_.push_back(constant.range);
  share_constants(priced, found.constant);
  if (defers) deferred_ = constructors();
  if (!loader.counts_blocks() || is_trial_) return;
  const Range pages = from_its_page(code_);
  if (mprotect(pages.begin, pages.bytes, PROT_READ | PROT_WRITE) != 0) refuse(path_);
  if (const std::vector<Block> blocks = read_blocks(ElfFile(path_), path_); !blocks.empty())
    loader.loaded(path_, blocks, base_);
  if (mprotect(pages.begin, pages.bytes, PROT_READ | PROT_EXEC) != 0) refuse(path_);
}

bool interprets_images() {
#ifdef __x86_64__
  static const bool asked = [] {
    const char* const text = std::getenv("SANVP_IMAGES");
    return text != nullptr && std::string_view(text) == "interpreted";
  }();
  return asked;
#else
  return true;
#endif
}

void Image::load_interpreted(Loader& loader) {
  interpreted_ = std::make_unique<interpreted::Code>(path_, loader.priced(path_).get());
  base_ = interpreted_->base();
  for (const interpreted::Code::Segment& segment : interpreted_->segments()) {
    const Range range{segment.begin, segment.bytes};
    (segment.is_writable ? globals_ : constants_).push_back(range);
    if (segment.is_code) code_ = range;
  }
  interpreted_->run_constructors();
}

Image::~Image() { unload(); }

void Image::unload() {
  if (handle_ == nullptr) return;
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
  if (interpreted_ != nullptr) return interpreted_->symbol(name);
  auto* const found = static_cast<std::byte*>(dlsym(handle_, name));
  return found != nullptr && copied_.contains(found, 0) ? globals_[0].begin + (found - copied_.begin) : found;
}

bool Image::is_constant(const void* pointer, std::size_t bytes) const {
  return std::any_of(constants_.begin(), constants_.end(),
                     [&](const Range& part) { return part.contains(pointer, bytes); });
}

bool Image::is_yielding(const void* code) const {
  if (!is_code(code)) return false;
  const std::string function = Symbols(path_).function_at(in_file(code));
  return function.empty() || std::ranges::count(yielding, function) > 0;
}

std::vector<std::string> Image::places_of(const void* code) const {
  if (!is_code(code)) return {};
  std::vector<std::string> texts;
  for (Place& place : Symbols(path_).places_at(in_file(code))) {
    for (const std::string_view prefix : own_prefixes)
      if (place.function.starts_with(prefix)) place.function.erase(0, prefix.size());
    texts.push_back(place.to_text());
  }
  return texts;
}

std::string Image::place_of(const void* code) const {
  std::string text;
  for (const std::string& place : places_of(code)) text += text.empty() ? place : " < " + place;
  return text;
}

}  // namespace sanvp::native
