/// Memory traffic of computing CPUs and of bus masters. Accesses are not simulated one by one: the addresses of a
/// loop's operands are looked at now and then, and the range from one look to the next counts as touched. A part of its
/// lines goes through the caches of the CPU, and stands for the others. What they miss comes from memory, and dirty
/// lines that they replace go back to it, limited by the bandwidth of one CPU and by that of the node, which its CPUs
/// and bus masters share.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/cpu/caches/caches.hpp"
#include "models/native/image.hpp"
#include "platform/core/time.hpp"
#include "sw/abi/hal/host.h"

namespace sanvp::host {

/// The address of an operand in a loop of `image`.
std::uintptr_t address_of(const native::Operand& operand, const hal_registers& registers, const native::Image& image);

/// The addresses of a loop's operands; 0 for an operand outside of the program's memory. Arguments, for example, are in
/// the simulator's memory, at a different address in each run.
using OperandAddresses = std::array<std::uintptr_t, 8>;
/// Bytes from one iteration to the next, for operands with a fixed stride; others 0.
using OperandStrides = std::array<std::int64_t, 8>;
/// That of an operand, by the registers of its loop.
std::int64_t stride_of(const native::Operand& operand, const hal_registers& registers);

/// The memory bandwidth of a node, shared by its CPUs and bus masters.
class MemoryChannel {
 public:
  explicit MemoryChannel(double Bps) : Bps_(Bps) {}
  /// When `bytes`, which a CPU has requested from `asked` until `now`, have been moved. Transfers are served one after
  /// the other; what bus masters have moved meanwhile goes first.
  Time transfer(Time asked, Time now, std::size_t bytes);
  /// A bus master moves so many bytes. It does not wait: memory is faster than the bus.
  void take(Time at, std::size_t bytes) {
    if (taken_bytes_ == 0) taken_since_ = at;
    taken_bytes_ += bytes;
  }

 private:
  std::size_t taken_meanwhile(Time asked, Time now);

  double Bps_;
  Time free_{0};
  std::size_t taken_bytes_ = 0;  ///< by bus masters, since the last transfer of a CPU
  Time taken_since_{0};          ///< the first of them
};

class MemoryTraffic {
 public:
  /// @param Bps   bandwidth of one CPU
  /// @param load  time of a load instruction, which bounds how far a loop can get
  MemoryTraffic(MemoryChannel& channel, cpu::CachesSettings caches, double Bps, Time load);

  /// From now on misses and loads take as long as on a CPU with another clock.
  void adopt_times(cpu::CachesSettings caches, Time load);

  /// What a look at a loop has found.
  struct Looked {
    Time waits{0};    ///< for memory
    Time guessed{0};  ///< the part for operands that have not only moved on, of which more looks would tell more
    bool has_jumped = false;  ///< an operand, so that it is not known what it has touched
  };
  /// Follows what a loop has touched that has computed for `span` until `now`, since the last look.
  Looked look(const native::Loop& loop, const OperandAddresses& operands, Time now, Time span,
              const OperandStrides& strides = {});
  /// How long a CPU stalls until `now` for what the looks since the last call have found, beyond its computing time.
  Time stall(Time now);
  /// The same in a call that begins `now`, streams through `bytes` from `memory` on, and computes for `price`.
  Time stall(const void* memory, std::size_t bytes, Time now, Time price, bool writes);
  /// How long a CPU waits whose caches have moved `bytes` from `asked` until `now`, because others use memory, too.
  Time share(std::size_t bytes, Time asked, Time now);

 private:
  /// What an operand has passed through at the latest looks.
  struct Range {
    std::uintptr_t low = 0, high = 0;
    std::uintptr_t next_low = 0, next_high = 0;  ///< of the latest samples, the range when there are enough of them
    int samples = 0;                             ///< these
    bool was_ascending = false;
    double turns = 0;  ///< share of the looks at which its direction has turned, the latest ones above all

    double stall_ps = 0, ahead_ps = 0, missing = 0;  ///< of an access, when lines of the sample were last among them

    void note(std::uintptr_t at, std::uintptr_t before);
    bool is_random() const;
    /// In the range, or so near that one look leads there.
    bool is_near(std::uintptr_t at, std::uintptr_t reach) const;
  };

  struct Visit {
    OperandAddresses at{};
    OperandStrides strides{};
    std::array<std::uint8_t, 8> sharing{};  ///< number of operands with the same registers
    std::array<Range, 8> ranges{};
    Time computed{0};  ///< total of the CPU at that time
  };

  struct Walk {
    Time stall{0};             ///< for caches
    Time ahead{0};             ///< of the port between both levels, for lines that are fetched ahead
    std::size_t missing = 0;   ///< bytes fetched from memory, and written back to it
    std::size_t accesses = 0;  ///< to lines that are followed, if they were made one by one

    Walk times(double factor) const;
    Walk& operator+=(const Walk& other) {
      stall += other.stall;
      ahead += other.ahead;
      missing += other.missing;
      return *this;
    }
  };

  Visit& visit_of(std::uint64_t loop, bool& first);
  Walk walk(std::uintptr_t from, std::uintptr_t to, bool writes);
  Walk walk_again(std::uintptr_t from, std::uintptr_t to, std::uintptr_t bytes, const Range& range, bool writes);
  Walk walk_by(std::int64_t stride, std::uintptr_t from, std::uintptr_t to, std::uintptr_t turns, Range& range,
               bool writes);
  Walk gather(std::uintptr_t turns, const Range& range, bool writes);
  template <class Each>
  Walk each_of(Each each, bool writes);
  Walk of_all(const Walk& followed, std::int64_t accesses, Range& range) const;
  std::int64_t access(std::uintptr_t address, bool writes);
  std::uintptr_t frame_of(std::uintptr_t page);
  Time arrival(std::size_t missing, Time asked, Time now);
  void fetch(std::size_t missing, Time asked);
  Time longest(const Walk& walked) const;
  cpu::Caches& caches();

  MemoryChannel& channel_;
  cpu::CachesSettings settings_;
  std::unique_ptr<cpu::Caches> caches_{};  ///< made when the CPU first computes: most CPUs of large machines never do
  std::vector<std::uintptr_t> followed_;   ///< lines of each page: where they begin
  std::size_t missing_of_a_miss_;  ///< bytes, including those of the lines that it stands for; of a write-back, too
  double Bps_;
  Time load_;
  struct Frame {
    std::uintptr_t page = ~std::uintptr_t{0};  ///< none: there are fewer pages
    std::uintptr_t number = 0;
  };
  std::unordered_map<std::uintptr_t, std::uintptr_t> frames_;  ///< of pages: see access()
  std::vector<Frame> recent_frames_;                           ///< of the same, by the last bits of the page
  std::unordered_map<std::uint64_t, Visit> visits_;            ///< by loop
  std::pair<const std::uint64_t, Visit>* last_visit_ = nullptr;
  std::uint64_t random_ = 1;
  Time computed_{0};
  Walk looked_{};        ///< since the last stall
  Time looked_span_{0};  ///< computing time of these looks
  Time supplied_{0};     ///< end of the last transfer at the CPU's own bandwidth
  Time second_free_{0};  ///< the port between both levels has moved what was fetched ahead
};

}  // namespace sanvp::host
