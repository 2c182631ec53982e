#include "models/native/loader.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_map>

#include "models/native/callers.hpp"
#include "models/native/symbols.hpp"
#include "platform/core/error.hpp"
#include "platform/core/units.hpp"

namespace sanvp::native {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw UserError(path, std::string("cannot be loaded: ") + std::strerror(errno));
}

}  // namespace

File::~File() {
  if (descriptor_ >= 0) close(descriptor_);
}

int open_image(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);  // a FIFO must not stop the simulator
  if (file < 0) refuse(path);
  struct stat status {};
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) return file;
  close(file);
  throw UserError(path, "cannot be loaded: it is not a regular file");
}

int copy_of(int file, const std::string& path) {
  struct stat status {};
  if (fstat(file, &status) != 0) refuse(path);
  const int copy = memfd_create("sanvp image", MFD_CLOEXEC);
  if (copy < 0) refuse(path);
  for (off_t done = 0; done < status.st_size;) {
    const ssize_t sent = sendfile(copy, file, &done, static_cast<std::size_t>(status.st_size - done));
    if (sent > 0) continue;
    close(copy);
    refuse(path);
  }
  return copy;
}

std::shared_ptr<const File> copy_of_program(const std::string& path) {
  const File original(open_image(path));
  struct stat status {};
  if (fstat(original.get(), &status) != 0) refuse(path);
  if (status.st_size > largest_program)
    throw UserError(path, "cannot be loaded: it is larger than " + size_to_text(largest_program),
                    "is it the right file? `strip` removes what only debuggers need");
  return std::make_shared<const File>(copy_of(original.get(), path));
}

const std::shared_ptr<const File>& Loader::program(const std::string& path) {
  auto& copy = programs_[path];
  if (!copy) copy = copy_of_program(path);
  return copy;
}

/// Sets the price of an iteration of each loop.
static void price_turns(std::vector<Loop>& loops, const std::vector<Loader::Price>& prices) {
  std::unordered_map<std::uint64_t, std::int64_t> by_address;
  for (const Loader::Price& price : prices) by_address.emplace(price.at, price.ps);
  for (Loop& loop : loops) {
    loop.turn_ps = 0;
    for (const std::uint64_t at : loop.prices_at)
      if (const auto found = by_address.find(at); found != by_address.end()) loop.turn_ps += found->second;
  }
}

const std::vector<Loop>& Loader::loops(const std::string& path) {
  const auto [known, is_new] = loops_.try_emplace(path);
  if (!is_new) return known->second;
  known->second = read_loops(ElfFile(path), path);
  price_turns(known->second, prices(path));
  return known->second;
}

const std::vector<Loader::Price>& Loader::prices(const std::string& path) {
  const auto [known, is_new] = prices_.try_emplace(path);
  if (is_new)
    for (const Block& block : read_blocks(ElfFile(path), path))
      known->second.push_back({block.price_at, price_ps(block)});
  return known->second;
}

void Loader::reprice(const cpu::InstructionCosts& costs, const cpu::InstructionCosts& libraries) {
  costs_ = costs;
  libraries_ = libraries;
  priced_.clear();
  prices_.clear();
  for (auto& [path, loops] : loops_) price_turns(loops, prices(path));  // in place: processes refer to them
}

const File& Loader::priced(const std::string& path) {
  if (const auto known = priced_.find(path); known != priced_.end()) return known->second;
  const File original(open_image(path));
  const File& file = priced_.try_emplace(path, copy_of(original.get(), path)).first->second;
  const ElfFile elf(path);
  for (const Price& price : prices(path)) {
    const auto offset = elf.offset_of(price.at);
    if (offset && pwrite(file.get(), &price.ps, sizeof price.ps, static_cast<off_t>(*offset)) != sizeof price.ps)
      refuse(path);
  }
  return file;
}

void Loader::loaded(const std::string& path, const std::vector<Block>& blocks, std::byte* base) {
  code_.push_back(
      {path, blocks.at(0).price_at, counts_blocks_ ? std::make_unique<BlockCounts>(blocks, base) : nullptr});
}

bool Loader::has_priced(const std::string& path, const std::byte* base) const {
  const auto known = std::find_if(code_.begin(), code_.end(), [&](const Code& code) { return code.path == path; });
  return known != code_.end() && std::memcmp(base + known->price_at, &unpriced, sizeof unpriced) != 0;
}

const BlockCounts* Loader::counts_of(const std::string& path, const std::byte* base) const {
  const auto is_there = [&](const Code& code) {
    return code.path == path && code.counts != nullptr && code.counts->are_of(base);
  };
  const auto found = std::find_if(code_.begin(), code_.end(), is_there);
  return found == code_.end() ? nullptr : found->counts.get();
}

const Callers& Loader::callers(const std::string& path) {
  auto& known = callers_[path];
  if (known == nullptr) known = std::make_shared<const Callers>(path);
  return *known;
}

std::map<std::string, Executed> Loader::executed_by_function(const std::string& path) const {
  std::map<std::string, Executed> functions;
  const Symbols symbols(path);
  for (const Code& code : code_) {
    if (code.path != path || code.counts == nullptr) continue;
    const auto& blocks = code.counts->blocks();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::uint64_t runs = code.counts->runs(i);
      if (runs == 0) continue;
      Executed& function = functions[symbols.function_at(blocks[i].price_at)];
      function.instructions += runs * blocks[i].instructions;
      for (std::size_t of_class = 0; of_class < cpu::instruction_classes; ++of_class)
        function.counts[of_class] += runs * blocks[i].code.counts[of_class];
    }
  }
  return functions;
}

}  // namespace sanvp::native
