#include "models/host/memory_traffic.hpp"

#include <algorithm>
#include <cmath>

namespace sanvp::host {
namespace {

constexpr double ps_per_second = 1e12;

// Two samples further apart than this many spans do not belong to one traversal: the loop was left in between.
constexpr int most_spans_between = 4;
constexpr std::uintptr_t word_bytes = 8;
// How far memory may run ahead, as with prefetching: the model streams the bytes between two samples, real memory
// streams lines.
constexpr std::size_t prefetched_bytes = 32768;

Time time_of(std::size_t bytes, double Bps) {
  return Time{std::llround(static_cast<double>(bytes) * ps_per_second / Bps)};
}

/// The offsets within a page of the first-level lines that are followed.
std::vector<std::uintptr_t> followed_lines(const cpu::CachesSettings& caches) {
  const std::uint64_t line = caches.data.bytes != 0 ? caches.data.line_bytes : caches.second.line_bytes;
  std::vector<std::uintptr_t> lines;
  for (std::uintptr_t at = 0; at < cpu::page_bytes; at += line)
    if (caches.sample().has(at)) lines.push_back(at);
  return lines;
}

}  // namespace

std::uintptr_t address_of(const native::Operand& operand, const hal_registers& registers, const native::Image& image) {
  constexpr std::uint8_t last_register = 15;
  std::uintptr_t address = 0;
  if (operand.base == native::Operand::instruction_pointer)
    address = reinterpret_cast<std::uintptr_t>(image.loaded(static_cast<std::uint64_t>(operand.displacement)));
  else
    address = static_cast<std::uintptr_t>(operand.displacement);
  if (operand.base <= last_register) address += registers.general[operand.base];
  if (operand.index <= last_register) address += registers.general[operand.index] * operand.scale;
  if (operand.own_global) address += image.globals_place();
  return address;
}

Time MemoryChannel::transfer(Time at, std::size_t bytes) {
  free_ = std::max(free_, at) + time_of(bytes, Bps_);
  return free_;
}

MemoryTraffic::MemoryTraffic(MemoryChannel& channel, cpu::CachesSettings caches, double Bps, Time load)
    : channel_(channel),
      settings_((caches.samples = true, caches)),
      followed_(followed_lines(caches)),
      missing_of_a_miss_((caches.second.bytes != 0 ? caches.second : caches.data).line_bytes *
                         static_cast<std::size_t>(caches.sample().stands_for())),
      Bps_(Bps),
      load_(std::max(load, Time{1})) {}

void MemoryTraffic::adopt_times(cpu::CachesSettings caches, Time load) {
  caches.samples = true;
  settings_ = caches;
  load_ = std::max(load, Time{1});
  if (caches_) caches_->adopt_times(settings_);
}

Time MemoryTraffic::stall(const native::Loop& loop, const OperandAddresses& operands, Time now, Time span) {
  computed_ += span;
  if (loop.operands.empty()) return Time{0};
  bool first = false;
  Visit& visit = visit_of(loop.returns_to, first);
  const Time between = computed_ - visit.computed;
  const bool goes_on = !first && between <= most_spans_between * span;
  // Each iteration accesses all operands. Those with the same registers divide a stride among them, as in loops that a
  // compiler has unrolled.
  const auto most_turns = static_cast<std::uintptr_t>(between / (load_ * static_cast<Time::rep>(loop.operands.size())));
  const auto most_bytes = [&](const native::Operand& operand) {
    const auto has_same_registers = [&](const native::Operand& other) {
      return other.base == operand.base && other.index == operand.index && other.scale == operand.scale;
    };
    return most_turns * std::max<std::uintptr_t>(operand.bytes, word_bytes) *
           static_cast<std::uintptr_t>(std::count_if(loop.operands.begin(), loop.operands.end(), has_same_registers));
  };
  Walk walked;
  for (std::size_t i = 0; i < std::min(loop.operands.size(), operands.size()); ++i) {
    const std::uintptr_t at = operands[i];
    if (at == 0) continue;
    const auto [low, high] = std::minmax(at, visit.at[i]);
    // A distance that its loads could not cover is a jump: to another array, or to the next element of a list.
    if (goes_on && high - low <= most_bytes(loop.operands[i]))
      walked += walk(low, high);
    else if (settings_.sample().has(at))
      access(at);
    visit.at[i] = at;
  }
  visit.computed = computed_;
  return std::max(walked.stall, given(walked.missing, now - span, now) - now);
}

cpu::Caches& MemoryTraffic::caches() {
  if (caches_ == nullptr) caches_ = std::make_unique<cpu::Caches>(settings_);
  return *caches_;
}

/// Most samples are of the same loop as the previous one.
MemoryTraffic::Visit& MemoryTraffic::visit_of(std::uint64_t loop, bool& first) {
  if (last_visit_ == nullptr || last_visit_->first != loop) {
    const auto [found, is_new] = visits_.try_emplace(loop);
    last_visit_ = &*found;
    first = is_new;
  }
  return last_visit_->second;
}

Time MemoryTraffic::stall(const void* memory, std::size_t bytes, Time now, Time price) {
  const auto from = reinterpret_cast<std::uintptr_t>(memory);
  return std::max(Time{0}, given(walk(from, from + bytes - 1).missing, now, now) - (now + price));
}

/// When `missing` bytes, requested from memory at `asked`, have arrived.
Time MemoryTraffic::given(std::size_t missing, Time asked, Time now) {
  if (missing == 0) return now;
  const Time prefetched = time_of(prefetched_bytes, Bps_);
  supplied_ = std::max(supplied_, now - prefetched) + time_of(missing, Bps_);
  return std::max(supplied_, channel_.transfer(asked, missing) - prefetched);
}

/// The lines that are followed and begin in a range, up to its last byte.
MemoryTraffic::Walk MemoryTraffic::walk(std::uintptr_t from, std::uintptr_t to) {
  const cpu::Cache& last = caches().last();
  if (!last.exists()) return {Time{0}, to - from + 1};
  const std::uint64_t misses = last.misses();
  std::int64_t stall_ps = 0;
  // By number, since the last page of all ends where addresses begin again: small negative numbers are addresses, too.
  for (std::uintptr_t page = from >> cpu::page_bits; page <= to >> cpu::page_bits; ++page)
    for (const std::uintptr_t line : followed_) {
      const std::uintptr_t address = (page << cpu::page_bits) + line;
      if (address >= from && address <= to) stall_ps += access(address);
    }
  return {Time{stall_ps}, (last.misses() - misses) * missing_of_a_miss_};
}

/// Pages get frames of memory in the order in which they are touched: their addresses in the simulating computer differ
/// in each run.
/// @returns the stall
std::int64_t MemoryTraffic::access(std::uintptr_t address) {
  const std::uintptr_t page = address >> cpu::page_bits;
  if (last_frame_ == nullptr || last_frame_->first != page)
    last_frame_ = &*frames_.try_emplace(page, frames_.size()).first;
  return caches().access(last_frame_->second << cpu::page_bits | (address & (cpu::page_bytes - 1)), 1);
}

}  // namespace sanvp::host
