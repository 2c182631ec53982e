#include "models/host/memory_traffic.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "models/host/strided_walk.hpp"

namespace sanvp::host {
namespace {

constexpr double ps_per_second = 1e12;

// Two samples further apart than this many spans do not belong to one traversal: the loop was left in between.
constexpr int most_spans_between = 4;
constexpr std::uintptr_t word_bytes = 8;
// As many pages as a walk by columns has before it comes to the first one again, more or less.
constexpr std::uintptr_t recent_frames = 1024;
// How far memory may run ahead, as with prefetching: the model streams the bytes between two samples, real memory
// streams lines.
constexpr std::size_t prefetched_bytes = 32768;

Time time_of(std::size_t bytes, double Bps) {
  return Time{std::llround(static_cast<double>(bytes) * ps_per_second / Bps)};
}

cpu::CachesSettings sampled(cpu::CachesSettings caches) {
  caches.samples = true;
  return caches;
}

/// The offsets within a page of the first-level lines that are followed.
std::vector<std::uintptr_t> followed_lines(const cpu::CachesSettings& caches) {
  const std::uint64_t line = caches.data.bytes != 0 ? caches.data.line_bytes : caches.second.line_bytes;
  std::vector<std::uintptr_t> lines;
  for (std::uintptr_t at = 0; at < cpu::page_bytes; at += line)
    if (caches.sample().has(at)) lines.push_back(at);
  return lines;
}

/// The number of iterations that lead from one address to another by a stride; 0 if about `turns` do not.
std::int64_t straight_turns(std::int64_t stride, std::uintptr_t from, std::uintptr_t to, std::uintptr_t turns) {
  const auto distance = static_cast<std::int64_t>(to - from), expected = static_cast<std::int64_t>(turns);
  const std::int64_t straight = distance / stride;
  const bool is_near = straight > 0 && straight <= 2 * expected && 2 * straight >= expected;
  return is_near && distance % stride == 0 ? straight : 0;
}

/// Whether an operand that moves by a stride has gone back.
bool begins_again(std::int64_t stride, std::uintptr_t from, std::uintptr_t to) {
  return (stride > 0 && to < from) || (stride < 0 && to > from);
}

std::array<std::uint8_t, 8> sharing_of(const native::Loop& loop) {
  std::array<std::uint8_t, 8> sharing{};
  for (std::size_t i = 0; i < std::min(loop.operands.size(), sharing.size()); ++i)
    sharing[i] = static_cast<std::uint8_t>(
        std::count_if(loop.operands.begin(), loop.operands.end(), [&one = loop.operands[i]](const auto& other) {
          return other.base == one.base && other.index == one.index && other.scale == one.scale;
        }));
  return sharing;
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

std::int64_t stride_of(const native::Operand& operand, const hal_registers& registers) {
  if (operand.motion != native::Operand::Motion::strided) return 0;
  constexpr std::uint8_t last_register = 15;
  std::int64_t stride = operand.step;
  if (operand.step_register <= last_register)
    stride += static_cast<std::int64_t>(registers.general[operand.step_register]) * operand.step_scale;
  return stride;
}

Time MemoryChannel::transfer(Time asked, Time now, std::size_t bytes) {
  if (taken_bytes_ != 0) bytes += taken_meanwhile(asked, now);
  free_ = std::max(free_, asked) + time_of(bytes, Bps_);
  return free_;
}

/// What bus masters moved while memory had nothing else to do has delayed no CPU. The rest counts as spread evenly over
/// the time since the last transfer of a CPU.
std::size_t MemoryChannel::taken_meanwhile(Time asked, Time now) {
  const std::size_t taken = std::exchange(taken_bytes_, 0);
  const Time idle = asked - std::max(free_, taken_since_);
  if (idle <= Time{0}) return taken;
  const double share = static_cast<double>(idle.count()) / static_cast<double>((now - taken_since_).count());
  return static_cast<std::size_t>(static_cast<double>(taken) * (1 - share));
}

MemoryTraffic::MemoryTraffic(MemoryChannel& channel, cpu::CachesSettings caches, double Bps, Time load)
    : channel_(channel),
      settings_(sampled(caches)),
      followed_(followed_lines(settings_)),
      missing_of_a_miss_(settings_.last().line_bytes * static_cast<std::size_t>(settings_.sample().stands_for())),
      Bps_(Bps),
      load_(std::max(load, Time{1})) {}

void MemoryTraffic::adopt_times(cpu::CachesSettings caches, Time load) {
  settings_ = sampled(caches);
  load_ = std::max(load, Time{1});
  if (caches_) caches_->adopt_times(settings_);
}

MemoryTraffic::Looked MemoryTraffic::look(const native::Loop& loop, const OperandAddresses& operands, Time now,
                                          Time span, const OperandStrides& strides) {
  computed_ += span;
  if (loop.operands.empty()) return {};
  bool first = false;
  Visit& visit = visit_of(loop.returns_to, first);
  const Time between = computed_ - visit.computed;
  const bool goes_on = !first && between <= most_spans_between * span;
  if (first) visit.sharing = sharing_of(loop);
  // Each iteration accesses all operands. Those with the same registers divide a stride among them, as in loops that a
  // compiler has unrolled.
  const auto most_turns =
      static_cast<std::uintptr_t>((goes_on ? between : span) / (load_ * static_cast<Time::rep>(loop.operands.size())));
  const auto bytes_of_turn = [&](std::size_t i) {
    return std::max<std::int64_t>(loop.operands[i].bytes, word_bytes) * visit.sharing[i];
  };
  const auto skips_lines = [&](std::size_t i) {
    const cpu::CacheShape& first = settings_.data.bytes != 0 ? settings_.data : settings_.second;
    const std::int64_t stride = std::abs(strides[i]);
    return first.bytes != 0 && stride > bytes_of_turn(i) &&
           stride >= static_cast<std::int64_t>(first.line_bytes) * visit.sharing[i];
  };
  // What it has computed outside of this loop has looks of its own.
  const auto turns = loop.turn_ps > 0 ? static_cast<std::uintptr_t>(span / Time{loop.turn_ps}) : most_turns;
  // A distance that its loads could not cover is a jump: to another array, or to the next element of a list. A loop
  // that has been left has covered what its iterations at the looks have, on average: chance leaves 2 % of the
  // distances, 9 % of their sum, beyond four times that.
  const auto reach_of = [&](std::size_t i) {
    const std::int64_t stride = skips_lines(i) ? 0 : std::abs(strides[i]);
    const auto bytes = static_cast<std::uintptr_t>(std::max(bytes_of_turn(i), stride));
    constexpr std::uintptr_t most_times_average = 4;
    return first ? 0 : goes_on ? most_turns * bytes : most_times_average * turns * bytes;
  };
  Walk walked, moved_on;
  Looked looked;
  for (std::size_t i = 0; i < std::min(loop.operands.size(), operands.size()); ++i) {
    const std::uintptr_t at = operands[i];
    if (at == 0) continue;
    if (settings_.last().bytes == 0) {  // each access goes to memory
      walked.missing += turns * loop.operands[i].bytes;
      continue;
    }
    const std::uintptr_t before = visit.at[i], reach = reach_of(i);
    const auto [low, high] = std::minmax(at, before);
    Range& range = visit.ranges[i];
    const bool is_loaded = loop.operands[i].motion == native::Operand::Motion::loaded;
    const bool skips = skips_lines(i), is_same_walk = skips && before != 0 && strides[i] == visit.strides[i];
    const bool is_known = before != 0 && goes_on && (skips || is_loaded || range.is_near(at, reach));
    if (is_known || is_same_walk)
      range.note(at, before);
    else
      range = {.low = at, .high = at};
    const bool stores = loop.operands[i].stores;
    if (is_same_walk && (straight_turns(strides[i], before, at, turns) > 0 || range.is_random()))
      walked += walk_by(strides[i], before, at, turns, range, stores);
    else if (goes_on && is_loaded && range.is_random())
      walked += gather(turns, range, stores);
    else if (is_known && !skips && begins_again(strides[i], before, at))
      walked += walk_again(before, at, turns * static_cast<std::uintptr_t>(std::abs(strides[i])), range, stores);
    else if (high - low <= reach)
      (goes_on ? moved_on : walked) += walk(before, at, stores);
    else {
      looked.has_jumped = true;
      if (settings_.sample().has(at)) access(at, stores);
    }
    visit.at[i] = at;
    visit.strides[i] = strides[i];
  }
  visit.computed = computed_;
  looked.guessed = longest(walked);
  walked += moved_on;
  looked.waits = longest(walked);
  fetch(walked.missing, now - span);
  second_free_ = std::max(second_free_, now - span) + walked.ahead;
  looked_ += walked;
  looked_span_ += span;
  return looked;
}

Time MemoryTraffic::stall(Time now) {
  const Walk walked = std::exchange(looked_, {});
  const Time span = std::exchange(looked_span_, Time{0});
  const Time stall = std::max(walked.stall, second_free_ - now);
  return walked.missing == 0 ? stall : std::max(stall, arrival(walked.missing, now - span, now) - now);
}

/// What may take longest: it is not added up.
Time MemoryTraffic::longest(const Walk& walked) const {
  return std::max({walked.stall, walked.ahead, time_of(walked.missing, Bps_)});
}

cpu::Caches& MemoryTraffic::caches() {
  if (caches_ == nullptr) {
    caches_ = std::make_unique<cpu::Caches>(settings_);
    recent_frames_.resize(recent_frames);
  }
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

Time MemoryTraffic::stall(const void* memory, std::size_t bytes, Time now, Time price, bool writes) {
  const auto from = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t missing = walk(from, from + bytes - 1, writes).missing;
  if (missing == 0) return Time{0};
  fetch(missing, now);
  return std::max(Time{0}, arrival(missing, now, now) - (now + price));
}

Time MemoryTraffic::share(std::size_t bytes, Time asked, Time now) {
  if (bytes == 0) return Time{0};
  return std::max(Time{0}, channel_.transfer(asked, now, bytes) - time_of(prefetched_bytes, Bps_) - now);
}

/// Memory moves `missing` bytes at the CPU's own bandwidth, which the CPU asks for from then on.
void MemoryTraffic::fetch(std::size_t missing, Time asked) {
  if (missing != 0) supplied_ = std::max(supplied_, asked - time_of(prefetched_bytes, Bps_)) + time_of(missing, Bps_);
}

/// When `missing` bytes, which have been fetched and were requested from memory at `asked`, have arrived.
Time MemoryTraffic::arrival(std::size_t missing, Time asked, Time now) {
  return std::max(supplied_, channel_.transfer(asked, now, missing) - time_of(prefetched_bytes, Bps_));
}

/// The lines that are followed and begin in a range, with both ends, in their order upwards or downwards: a cache that
/// holds a part of them keeps those that were last.
MemoryTraffic::Walk MemoryTraffic::walk(std::uintptr_t from, std::uintptr_t to, bool writes) {
  const bool ascends = from <= to;
  const std::uintptr_t low = std::min(from, to), high = std::max(from, to);
  if (!caches().last().exists()) return {.missing = high - low + 1};  // of a call
  const auto each = [&](auto access) {
    // By number, since the last page of all ends where addresses begin again: small negative numbers are addresses.
    const std::uintptr_t first = low >> cpu::page_bits, last = high >> cpu::page_bits;
    for (std::uintptr_t i = 0; i <= last - first; ++i) {
      const std::uintptr_t page = (ascends ? first + i : last - i) << cpu::page_bits;
      for (std::size_t j = 0; j < followed_.size(); ++j) {
        const std::uintptr_t address = page + followed_[ascends ? j : followed_.size() - 1 - j];
        if (address >= low && address <= high) access(address);
      }
    }
  };
  return each_of(each, writes);
}

/// An operand has come to the end of its range and has begun again, by so many bytes in all. The part of the range that
/// fell between looks is charged like the rest.
MemoryTraffic::Walk MemoryTraffic::walk_again(std::uintptr_t from, std::uintptr_t to, std::uintptr_t bytes,
                                              const Range& range, bool writes) {
  const bool ascends = to < from;
  const std::uintptr_t to_end = std::min(ascends ? range.high - from : from - range.low, bytes);
  const std::uintptr_t again = std::min(ascends ? to - range.low : range.high - to, bytes - to_end);
  Walk walked = walk(from, ascends ? from + to_end : from - to_end, writes);
  walked += walk(ascends ? to - again : to + again, to, writes);
  constexpr double most = 2;
  const double unseen = std::min(most, static_cast<double>(bytes) / static_cast<double>(to_end + again + 1));
  return walked.times(unseen);
}

MemoryTraffic::Walk MemoryTraffic::Walk::times(double factor) const {
  const auto scaled = [factor](Time time) { return Time{std::llround(static_cast<double>(time.count()) * factor)}; };
  return {scaled(stall), scaled(ahead), static_cast<std::size_t>(std::llround(static_cast<double>(missing) * factor)),
          accesses};
}

/// Accesses that `each` makes by calling what it is given.
template <class Each>
MemoryTraffic::Walk MemoryTraffic::each_of(Each each, bool writes) {
  if (!caches().last().exists()) return {};
  const std::uint64_t moved = caches_->moved_lines();
  const std::int64_t ahead_ps = caches_->ahead_ps();
  Walk walked;
  each([&](std::uintptr_t address) {
    walked.stall += Time{access(address, writes)};
    ++walked.accesses;
  });
  walked.ahead = Time{caches_->ahead_ps() - ahead_ps};
  walked.missing = (caches_->moved_lines() - moved) * missing_of_a_miss_;
  return walked;
}

/// What accesses by a fixed stride cost by those to lines that are followed. A stride of a part of a page, or of pages,
/// meets these more often, or more seldom, than others.
MemoryTraffic::Walk MemoryTraffic::of_all(const Walk& followed, std::int64_t accesses, Range& range) const {
  if (followed.accesses > 0) {
    const double stands_for = static_cast<double>(followed.accesses) * settings_.sample().stands_for();
    range.stall_ps = static_cast<double>(followed.stall.count()) / stands_for;
    range.ahead_ps = static_cast<double>(followed.ahead.count()) / stands_for;
    range.missing = static_cast<double>(followed.missing) / stands_for;
  }
  const auto number = static_cast<double>(accesses);
  return {Time{std::llround(range.stall_ps * number)}, Time{std::llround(range.ahead_ps * number)},
          static_cast<std::size_t>(std::llround(range.missing * number)), 0};
}

/// An operand that has gone by `stride` in each of so many iterations. If they lead elsewhere than to where it is, it
/// has walked its range several times, as down the columns of a matrix, and has moved on a little each time: by what
/// the distance leaves of whole strides. The samples of such walks turn often. Those of short walks that progress
/// through memory do not: they are not followed here.
MemoryTraffic::Walk MemoryTraffic::walk_by(std::int64_t stride, std::uintptr_t from, std::uintptr_t to,
                                           std::uintptr_t turns, Range& range, bool writes) {
  constexpr std::uintptr_t most_turns = 1 << 18;
  turns = std::min(turns, most_turns);
  const auto distance = static_cast<std::int64_t>(to - from);
  const auto expected = static_cast<std::int64_t>(turns);
  StridedWalk strided(settings_.sample(), stride);
  if (const std::int64_t straight = straight_turns(stride, from, to, turns); straight > 0)
    return of_all(each_of([&](auto access) { strided.visit(from, straight, access); }, writes), straight, range);
  const auto step = static_cast<std::uintptr_t>(std::abs(stride));
  const auto rows = static_cast<std::int64_t>((range.high - range.low) / step + 1);
  std::int64_t row = std::min(static_cast<std::int64_t>((from - range.low) / step), rows - 1);
  const std::uintptr_t column = from - static_cast<std::uintptr_t>(row) * step;  // in the first row
  std::int64_t drift = distance % stride;
  if (2 * std::abs(drift) > std::abs(stride)) drift += drift < 0 ? std::abs(stride) : -std::abs(stride);
  const double drift_of_turn = static_cast<double>(drift) / static_cast<double>(expected);
  const auto walk = [&](auto access) {
    for (std::int64_t i = 0; i < expected;) {
      std::int64_t left = stride > 0 ? rows - 1 - row : row;
      if (left == 0) {  // at the end of a column: on to the next one, a stride before its first row
        row = stride > 0 ? -1 : rows;
        left = rows;
      }
      left = std::min(left, expected - i);
      const auto drifted = static_cast<std::int64_t>(drift_of_turn * static_cast<double>(i));
      strided.visit(column + static_cast<std::uintptr_t>(row) * step + static_cast<std::uintptr_t>(drifted), left,
                    access);
      row += stride > 0 ? left : -left;
      i += left;
    }
  };
  return of_all(each_of(walk, writes), expected, range);
}

/// So many random accesses to a range: those that the lines of the sample get.
MemoryTraffic::Walk MemoryTraffic::gather(std::uintptr_t turns, const Range& range, bool writes) {
  const auto followed = static_cast<std::uintptr_t>(static_cast<double>(turns) / settings_.sample().stands_for());
  const std::uintptr_t first = range.low >> cpu::page_bits, pages = (range.high >> cpu::page_bits) - first + 1;
  return each_of(
      [&](auto access) {
        for (std::uintptr_t i = 0; i < followed; ++i) {
          constexpr std::uint64_t factor = 6364136223846793005, term = 1442695040888963407;  // Knuth's generator
          constexpr int high_bits = 33;
          random_ = random_ * factor + term;
          const std::uint64_t drawn = random_ >> high_bits;
          const std::uintptr_t page = first + drawn / followed_.size() % pages;
          access((page << cpu::page_bits) + followed_[drawn % followed_.size()]);
        }
      },
      writes);
}

/// The range is that of the latest looks: an operand continues with other columns, or was in another array once.
void MemoryTraffic::Range::note(std::uintptr_t at, std::uintptr_t before) {
  constexpr int enough = 16;  // some 16 to 32 see 95 % of a column
  low = std::min(low, at);
  high = std::max(high, at);
  next_low = samples == 0 ? at : std::min(next_low, at);
  next_high = samples == 0 ? at : std::max(next_high, at);
  if (++samples == enough) {
    samples = 0;
    low = next_low;
    high = next_high;
  }
  constexpr double kept = 0.7;
  const bool ascends = at > before;
  turns = kept * turns + (ascends != was_ascending ? 1 - kept : 0);
  was_ascending = ascends;
}

bool MemoryTraffic::Range::is_near(std::uintptr_t at, std::uintptr_t reach) const {
  return at >= low ? at <= high || at - high <= reach : low - at <= reach;
}

/// An operand that walks through memory turns seldom; one that jumps in it at two of three samples.
bool MemoryTraffic::Range::is_random() const {
  constexpr double least = 0.25;
  return turns > least;
}

/// Pages get frames of memory in the order in which they are touched: their addresses in the simulating computer differ
/// in each run.
/// @returns the stall
std::int64_t MemoryTraffic::access(std::uintptr_t address, bool writes) {
  cpu::Caches& caches = this->caches();
  const std::uintptr_t frame = frame_of(address >> cpu::page_bits);
  return caches.access(frame << cpu::page_bits | (address & (cpu::page_bytes - 1)), 1, writes);
}

std::uintptr_t MemoryTraffic::frame_of(std::uintptr_t page) {
  Frame& recent = recent_frames_[page % recent_frames];
  if (recent.page != page) recent = {page, frames_.try_emplace(page, frames_.size()).first->second};
  return recent.number;
}

}  // namespace sanvp::host
