/// A random mix of operations between Elan3 cards, and what memory must look like after it: each operation has its own
/// source and destination, at any alignment, with bytes around it that must stay.
#pragma once

#include <random>

#include "tests/models/elan3_bench_thread.hpp"
#include "tests/models/elan3_memory_image.hpp"

namespace sanvp::test {

/// Where a host of the mix has what, in each mapping of 1 MiB.
namespace mix_place {
constexpr e3_addr descriptors = place::elan + 0x1000, events = place::elan + 0x4000, threads = place::elan + 0x8000;
constexpr e3_addr words = place::elan + 0x9000, queue = place::elan + 0xa000, slots = place::elan + 0x10000;
constexpr e3_addr sources = 0x20000, dests = 0x90000, end = 0x100000;  // from the beginning of either mapping
}  // namespace mix_place

struct MixOperation {
  enum class Kind : std::uint8_t { put, get, queued };
  Kind kind = Kind::put;
  int from = 0;  ///< whose command it is
  int with = 0;
  std::uint32_t bytes = 0;
  e3_addr source = 0, dest = 0;
  Time at{0};

  /// The host that has the data, and the host that gets them.
  int sender() const { return kind == Kind::get ? with : from; }
  int receiver() const { return kind == Kind::get ? from : with; }
};

class Mix {
 public:
  struct Rules {
    int hosts = 4;
    int operations = 8;         ///< of each host
    std::uint32_t atomics = 5;  ///< of each host: to both words of the next
    Time during = 100us;
  };

  Mix(const Rules& rules, unsigned seed) : rules_(rules), random_(seed) {
    for (int host = 0; host < rules.hosts; ++host)
      for (int i = 0; i < rules.operations; ++i) add(host);
  }

  const std::vector<MixOperation>& operations() const { return operations_; }

  /// Has the hosts do it all. @param skip  hosts that nothing is asked of
  void program(Elan3Bench& bench) {
    for (int host = 0; host < rules_.hosts; ++host) {
      const std::uint32_t firmware = load_tests(bench, host);
      bench.program(host, [this, host, firmware](Elan3Host& at) { run(at, host, firmware); });
    }
  }

  /// Event number `operation` of its sender (source event) or receiver.
  static e3_addr source_event(std::size_t operation) { return event(2 * operation); }
  static e3_addr dest_event(std::size_t operation) { return event(2 * operation + 1); }

  /// The bytes that an operation moves: never those of `canary` throughout.
  static Bytes data(std::size_t operation, std::uint32_t bytes) {
    Bytes all(bytes);
    std::minstd_rand random(static_cast<unsigned>(operation) + 1);
    for (std::byte& byte : all) byte = static_cast<std::byte>(random() >> 7);
    return all;
  }
  static constexpr std::byte canary{0xee};

  /// What a mapping's part for destinations must hold at a host, once `done` of the operations are.
  Bytes expected(int host, e3_addr mapping, const std::function<bool(const MixOperation&)>& done) const {
    Bytes image(mix_place::end - mix_place::dests, canary);
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      const MixOperation& one = operations_[i];
      if (one.kind == MixOperation::Kind::queued || one.receiver() != host || !done(one)) continue;
      if (one.dest < mapping || one.dest >= mapping + mix_place::end) continue;
      const Bytes bytes = data(i, one.bytes);
      std::copy(bytes.begin(), bytes.end(), image.begin() + (one.dest - mapping - mix_place::dests));
    }
    return image;
  }

 private:
  static e3_addr event(std::size_t number) {
    return mix_place::events + static_cast<e3_addr>(number * sizeof(e3_event));
  }
  std::uint32_t draw(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }

  /// As often a few bytes, a packet, a few packets, or up to 70,000 bytes.
  std::uint32_t size() {
    constexpr std::array<std::uint32_t, 4> most{65, 321, 5000, 70001};
    return draw(most[draw(most.size())]);
  }

  /// A piece of a host's memory, at any alignment; 0 where there is no more room.
  e3_addr piece(int host, bool source, std::uint32_t bytes) {
    const e3_addr mapping = draw(2) == 0 ? place::elan : place::main;
    const e3_addr begin = source ? mix_place::sources : mix_place::dests;
    const e3_addr end = source ? mix_place::dests : mix_place::end;
    auto& used = used_[{host, source, mapping}];
    constexpr std::uint32_t alignments = 64, guard = 64;
    const e3_addr at = begin + used + guard + draw(alignments);
    if (at + bytes + guard > end) return 0;
    used = at + bytes - begin;
    return mapping + at;
  }

  void add(int host) {
    using Kind = MixOperation::Kind;
    MixOperation one{.kind = std::array{Kind::put, Kind::get, Kind::queued}[draw(3)], .from = host};
    one.with = static_cast<int>(draw(static_cast<std::uint32_t>(rules_.hosts - 1)));
    if (one.with >= host) ++one.with;
    one.bytes = one.kind == Kind::queued ? draw(E3_QUEUE_MOST_BYTES + 1) : size();
    one.at = Time{static_cast<std::int64_t>(draw(static_cast<std::uint32_t>(rules_.during.count())))};
    one.source = piece(one.sender(), true, one.bytes);
    one.dest = one.kind == Kind::queued ? mix_place::queue : piece(one.receiver(), false, one.bytes);
    if (one.source != 0 && one.dest != 0) operations_.push_back(one);
  }

  e3_dma descriptor(std::size_t number) const {
    using Kind = MixOperation::Kind;
    const MixOperation& one = operations_[number];
    return {.type = E3_DMA_TYPE(E3_DMA_BYTE, one.kind == Kind::get ? E3_DMA_READ : E3_DMA_WRITE,
                                one.kind == Kind::queued ? E3_DMA_QUEUED : 0, E3_DMA_RETRIES),
            .size = one.bytes,
            .source = one.source,
            .dest = one.dest,
            .dest_event = one.kind == Kind::queued ? 0 : dest_event(number),
            .dest_cookie_proc = E3_COOKIE_PROC(0, one.receiver()),
            .src_event = source_event(number),
            .src_cookie_proc = E3_COOKIE_PROC(0, one.sender())};
  }

  void run(Elan3Host& at, int host, std::uint32_t firmware) {
    const Bytes untouched(mix_place::end - mix_place::dests, canary);
    write_bytes(at, place::elan + mix_place::dests, untouched);
    write_bytes(at, place::main + mix_place::dests, untouched);
    // As many slots as messages may come, and one, as none is taken out.
    const auto slots = static_cast<std::uint32_t>(operations_.size()) + 1;
    at.store(Elan3Host::sdram(mix_place::queue),
             e3_input_queue{.state = 0,
                            .back = mix_place::slots,
                            .slot_bytes = E3_QUEUE_MOST_BYTES,
                            .top = mix_place::slots + (slots - 1) * E3_QUEUE_MOST_BYTES,
                            .base = mix_place::slots,
                            .front = mix_place::slots,
                            .event = {.count = static_cast<std::int32_t>(slots), .type = 0}});
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      const MixOperation& one = operations_[i];
      at.store(Elan3Host::sdram(source_event(i)), e3_event{.count = 1, .type = 0});
      at.store(Elan3Host::sdram(dest_event(i)), e3_event{.count = 1, .type = 0});
      if (one.sender() == host) write_bytes(at, one.source, data(i, one.bytes));
      if (one.from != host) continue;
      own.push_back(i);
      at.store(Elan3Host::sdram(descriptor_at(i)), descriptor(i));
    }
    std::sort(own.begin(), own.end(), [&](auto a, auto b) { return operations_[a].at < operations_[b].at; });
    constexpr Time prepared = 10us;  // all hosts are ready
    at.wait_until(prepared);
    if (rules_.atomics > 0)
      start(at, firmware,
            {atomics, place::main, static_cast<std::uint32_t>((host + 1) % rules_.hosts), mix_place::words,
             rules_.atomics},
            mix_place::threads);
    for (const std::size_t i : own) {
      at.wait_until(prepared + operations_[i].at);
      at.command(0, E3_CP_PUT_DMA, descriptor_at(i));
    }
  }
  static e3_addr descriptor_at(std::size_t number) {
    return mix_place::descriptors + static_cast<e3_addr>(number * sizeof(e3_dma));
  }

  Rules rules_;
  std::mt19937 random_;
  std::vector<MixOperation> operations_;
  std::map<std::tuple<int, bool, e3_addr>, std::uint32_t> used_;
};

}  // namespace sanvp::test
