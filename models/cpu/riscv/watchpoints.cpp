#include "models/cpu/riscv/watchpoints.hpp"

#include <algorithm>

#include "models/cpu/riscv/compressed.hpp"
#include "models/cpu/riscv/fields.hpp"

namespace sanvp::riscv {
namespace {

/// For as long as it lives, the program can neither read nor write the pages of these watchpoints.
class WithheldPages {
 public:
  explicit WithheldPages(const Memory& memory) : memory_(memory) {}
  ~WithheldPages() {
    for (auto page = before_.rbegin(); page != before_.rend(); ++page)
      memory_.exchange_permissions(page->first, page->second);
  }
  WithheldPages(const WithheldPages&) = delete;
  WithheldPages& operator=(const WithheldPages&) = delete;

  void add(const Watchpoint& watchpoint) {
    for (std::uint64_t page = watchpoint.address >> page_bits;
         page <= (watchpoint.address + watchpoint.bytes - 1) >> page_bits; ++page) {
      const std::uint8_t before = memory_.permissions(page);
      if ((before & (readable | writable)) == 0) continue;
      before_.emplace_back(page, before);
      memory_.exchange_permissions(page, static_cast<std::uint8_t>((before & ~(readable | writable)) | withheld));
    }
  }

 private:
  const Memory& memory_;
  std::vector<std::pair<std::uint64_t, std::uint8_t>> before_;
};

struct Access {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  unsigned kinds = 0;  ///< bits of Watchpoint::Of
};

/// The instruction at the hart's pc, in its long form; 0 if none can be fetched.
std::uint32_t instruction_at_pc(const Window& window, std::uint64_t pc) {
  if (!window.permits(pc, 2, executable)) return 0;
  const auto first = load_from<std::uint16_t>(window, pc);
  if (instruction_bytes(first) == 2) return expand(first, 64);
  return window.permits(pc, 4, executable) ? load_from<std::uint32_t>(window, pc) : 0;
}

/// The access that the instruction at the pc is about to make, by the manual's formats.
Access access_of(const Hart64& hart) {
  constexpr std::uint32_t load = 0x03, load_float = 0x07, store = 0x23, store_float = 0x27, atomic = 0x2F;
  constexpr std::uint32_t load_reserved = 2, store_conditional = 3;
  constexpr auto writes = static_cast<unsigned>(Watchpoint::Of::writes);
  constexpr auto reads = static_cast<unsigned>(Watchpoint::Of::reads);
  const std::uint32_t word = instruction_at_pc(hart.memory, hart.pc);
  const Fields fields(word);
  const std::uint64_t base = hart.x[fields.source()];
  const std::uint64_t bytes = std::uint64_t{1} << (fields.function() & 3);
  const auto behind = [base](std::int64_t offset) { return base + static_cast<std::uint64_t>(offset); };
  switch (fields.opcode()) {
    case load:
    case load_float:
      return {behind(fields.immediate()), bytes, reads};
    case store:
    case store_float:
      return {behind(fields.store()), bytes, writes};
    case atomic: {
      const std::uint32_t function = word >> 27;
      return {base, bytes,
              function == load_reserved ? reads : (function == store_conditional ? writes : reads | writes)};
    }
    default:
      return {};
  }
}

bool overlap(std::uint64_t a, std::uint64_t a_bytes, std::uint64_t b, std::uint64_t b_bytes) {
  return a - b < b_bytes || b - a < a_bytes;
}

}  // namespace

bool Watchpoints::add(const Watchpoint& watchpoint) {
  const std::uint64_t all = memory_.bytes();
  if (watchpoint.bytes == 0 || watchpoint.bytes > most_bytes) return false;
  if (watchpoint.address >= all || watchpoint.bytes > all - watchpoint.address) return false;
  watched_.push_back({watchpoint, bytes_of(watchpoint)});
  return true;
}

bool Watchpoints::remove(const Watchpoint& watchpoint) {
  const auto found = std::find_if(watched_.begin(), watched_.end(),
                                  [&](const Watched& watched) { return watched.watchpoint == watchpoint; });
  if (found == watched_.end()) return false;
  watched_.erase(found);
  return true;
}

std::string Watchpoints::bytes_of(const Watchpoint& watchpoint) const {
  return {reinterpret_cast<const char*>(memory_.window().base) + watchpoint.address, watchpoint.bytes};
}

void Watchpoints::look() {
  for (Watched& watched : watched_) watched.last = bytes_of(watched.watchpoint);
}

Stop Watchpoints::run(Interpreter<std::uint64_t>& interpreter, Hart64& hart, std::uint64_t budget) {
  if (watched_.empty()) return interpreter.run(hart, budget);
  const std::uint64_t limit = hart.retired + budget;
  while (true) {
    Stop stop = Stop::budget;
    {
      WithheldPages pages(memory_);
      for (const Watched& watched : watched_) pages.add(watched.watchpoint);
      stop = interpreter.run_and_hold(hart, limit > hart.retired ? limit - hart.retired : 0);
    }
    const bool is_watched = stop == Stop::fault && covers(hart.fault);
    if (!is_watched) {
      if (stop == Stop::fault || stop == Stop::breakpoint) interpreter.leave(hart);
      return stop;
    }
    stop = step(interpreter, hart);
    if (stop != Stop::budget) return stop;
    if (hart.left.block == nullptr && hart.retired >= limit) return Stop::budget;
  }
}

Stop Watchpoints::step(Interpreter<std::uint64_t>& interpreter, Hart64& hart) {
  if (watched_.empty()) return interpreter.step(hart);
  const Access access = access_of(hart);
  const Stop stop = interpreter.step(hart);
  if (stop != Stop::budget || access.bytes == 0) return stop;
  const auto hit = find(access.address, access.bytes, access.kinds);
  if (!hit) return stop;
  hit_ = *hit;
  look();
  return Stop::watchpoint;
}

/// Whether the access failed because of the watchpoints.
bool Watchpoints::covers(const Fault& fault) const {
  if (fault.cause != Cause::load_fault && fault.cause != Cause::store_fault) return false;
  const std::uint64_t page = fault.address & ~(page_bytes - 1);
  return std::any_of(watched_.begin(), watched_.end(), [&](const Watched& watched) {
    return overlap(page, page_bytes, watched.watchpoint.address, watched.watchpoint.bytes);
  });
}

std::optional<Watchpoints::Hit> Watchpoints::find(std::uint64_t address, std::uint64_t bytes, unsigned kinds) const {
  for (const Watched& watched : watched_) {
    const Watchpoint& point = watched.watchpoint;
    if ((static_cast<unsigned>(point.of) & kinds) != 0 && overlap(address, bytes, point.address, point.bytes))
      return Hit{point, std::max(address, point.address)};
  }
  return std::nullopt;
}

std::optional<Watchpoints::Hit> Watchpoints::changed_from_outside() {
  for (const Watched& watched : watched_) {
    if (watched.watchpoint.of == Watchpoint::Of::reads || bytes_of(watched.watchpoint) == watched.last) continue;
    look();
    return Hit{watched.watchpoint, watched.watchpoint.address};
  }
  return std::nullopt;
}

}  // namespace sanvp::riscv
