/// Properties that hold for whatever mix of operations: every byte arrives once and right, what lies around it is
/// untouched, each event is set once, atomics add up, and in the end every queue is empty.
#include <catch2/catch.hpp>
#include <iterator>
#include <utility>

#include "tests/models/elan3_mix.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

using Kind = MixOperation::Kind;

bool all(const MixOperation&) { return true; }

/// Unexpected traps are counted, and dropped so that the run ends.
void count_traps(Elan3Bench& bench, int host, int& traps) {
  bench[host].on_interrupt = [&traps](Elan3Host& at) {
    const std::uint32_t pending = at.read32(E3_BAR_REGISTERS, E3_REG_INTERRUPT);
    at.write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT, pending);
    ++traps;
    for (std::uint32_t unit = 0; unit < E3_TRAP_RECORDS; ++unit) at.resume(unit | E3_RESUME_DROP);
  };
}

void check_memory(Elan3Bench& bench, const Mix& mix, int host, const std::function<bool(const MixOperation&)>& done) {
  for (const e3_addr mapping : {place::elan, place::main}) {
    const Bytes expected = mix.expected(host, mapping, done);
    const Bytes found = read_bytes(bench[host], mapping + mix_place::dests, expected.size());
    const auto [right, wrong] = std::mismatch(expected.begin(), expected.end(), found.begin());
    CAPTURE(host, mapping, right - expected.begin());
    CHECK(right == expected.end());
  }
}

/// The messages in a host's queue: each that was sent to it, once, in whatever order.
void check_queue(Elan3Bench& bench, const Mix& mix, int host, const std::function<bool(const MixOperation&)>& done) {
  const auto queue = bench[host].load<e3_input_queue>(Elan3Host::sdram(mix_place::queue));
  const std::uint32_t messages = (queue.back - queue.base) / queue.slot_bytes;
  std::vector<Bytes> found;
  for (std::uint32_t i = 0; i < messages; ++i)
    found.push_back(read_bytes(bench[host], queue.base + i * queue.slot_bytes, queue.slot_bytes));
  std::size_t sent = 0;
  for (std::size_t i = 0; i < mix.operations().size(); ++i) {
    const MixOperation& one = mix.operations()[i];
    if (one.kind != Kind::queued || one.with != host || !done(one)) continue;
    ++sent;
    const Bytes data = Mix::data(i, one.bytes);
    const auto same = std::find_if(found.begin(), found.end(), [&](const Bytes& slot) {
      return std::equal(data.begin(), data.end(), slot.begin());
    });
    CAPTURE(host, i, one.bytes);
    CHECK(same != found.end());
    if (same != found.end() && one.bytes > 0) found.erase(same);
  }
  CAPTURE(host);
  CHECK(sent == messages);
}

void check_events(Elan3Bench& bench, const Mix& mix, const std::function<bool(const MixOperation&)>& done) {
  for (std::size_t i = 0; i < mix.operations().size(); ++i) {
    const MixOperation& one = mix.operations()[i];
    if (!done(one)) continue;
    const auto count = [&](int host, e3_addr event) {
      return bench[host].load<e3_event>(Elan3Host::sdram(event)).count;
    };
    CAPTURE(i, static_cast<int>(one.kind), one.from, one.with, one.bytes);
    CHECK(count(one.sender(), Mix::source_event(i)) == 0);
    if (one.kind != Kind::queued) CHECK(count(one.receiver(), Mix::dest_event(i)) == 0);
  }
}

struct Case {
  Mix::Rules rules{};
  std::vector<std::string> settings{};
  int levels = 1;
};

void check_mix(const Case& one, unsigned seed) {
  Elan3Bench bench(one.rules.hosts, one.settings, one.levels);
  Mix mix(one.rules, seed);
  mix.program(bench);
  int traps = 0;
  for (int host = 0; host < one.rules.hosts; ++host) count_traps(bench, host, traps);
  bench.run();
  CHECK(traps == 0);
  for (int host = 0; host < one.rules.hosts; ++host) {
    check_memory(bench, mix, host, all);
    check_queue(bench, mix, host, all);
    for (const e3_addr word : {mix_place::words, mix_place::words + 4}) {
      CAPTURE(host, word);
      CHECK(bench[host].load<std::uint32_t>(Elan3Host::sdram(word)) == one.rules.atomics);
    }
    CHECK(bench[host].main_word<std::uint32_t>(place::main) == one.rules.atomics);
    CHECK(bench.card(host).busy().empty());
    CHECK(bench[host].read32(E3_BAR_REGISTERS, E3_REG_QUEUE_STATUS) == 0);
  }
  check_events(bench, mix, all);
}

// SystemC elaborates once per process, so each mix is a test case of its own; Catch2 makes none in a loop.
constexpr int seeds = 12;

template <int seed>
void without_errors() {
  check_mix({.rules = {.hosts = 2 + seed % 3}}, seed);
}
template <int seed>
void few_errors() {
  check_mix({.rules = {.hosts = 2 + seed % 3}, .settings = {"link.bit_error_rate=1e-6"}}, 100 + seed);
}
template <int seed>
void many_errors() {
  check_mix({.rules = {.hosts = 2 + seed % 3}, .settings = {"link.bit_error_rate=1e-5"}}, 200 + seed);
}
/// Elites 4 to 7 are those of the upper of two levels.
template <int seed>
void failed_elite() {
  check_mix({.rules = {.hosts = 9 + seed % 8, .operations = 4},
             .settings = {"topology.failed_switches=" + std::to_string(4 + seed % 4)},
             .levels = 2},
            300 + seed);
}

enum class Death : std::uint8_t {
  silent,     ///< what comes in is never answered
  discarding  ///< the card answers that it takes nothing
};

/// The last host dies in the middle of it all: what others have to do with it fails with a trap, all else is done.
void check_death(const Case& one, unsigned seed, Death death) {
  const int dead = one.rules.hosts - 1;
  Elan3Bench bench(one.rules.hosts, one.settings, one.levels);
  Mix mix(one.rules, seed);
  mix.program(bench);
  int traps = 0, others = 0;
  for (int host = 0; host < dead; ++host) {
    bench[host].on_interrupt = [&](Elan3Host& at) {
      const std::uint32_t pending = at.read32(E3_BAR_REGISTERS, E3_REG_INTERRUPT);
      at.write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT, pending);
      const std::pair<std::uint32_t, int> units[] = {{E3_INT_DMA_TRAP, E3_TRAP_DMA},
                                                     {E3_INT_THREAD_TRAP, E3_TRAP_THREAD}};
      for (const auto& [bit, unit] : units) {
        if ((pending & bit) == 0) continue;
        const e3_trap trap = at.trap(unit);
        const std::uint32_t cause = death == Death::silent ? E3_CAUSE_NO_ANSWER : E3_CAUSE_FAIL_COUNT;
        const bool expected = trap.cause == cause && trap.process == static_cast<std::uint32_t>(dead);
        ++(expected ? traps : others);
        at.resume(static_cast<std::uint32_t>(unit) | E3_RESUME_DROP);
      }
    };
  }
  const auto live = bench[dead].program;
  bench[dead].program = [&](Elan3Host& at) {
    const auto die = sc_core::sc_spawn([&at, &one, death] {
      at.wait_until(one.rules.during / 2);
      if (death == Death::silent)
        at.unmap_all(0);  // and no driver answers the trap
      else
        at.write32(E3_BAR_REGISTERS, E3_REG_SCHEDULE, E3_SCHEDULE_DISCARD_USER);
      at.write32(E3_BAR_REGISTERS, E3_REG_FLUSH_TLB, 1);
    });
    live(at);
  };
  bench.run();
  const auto survives = [dead](const MixOperation& operation) {
    return operation.from != dead && operation.with != dead;
  };
  CHECK(traps > 0);
  CHECK(others == 0);
  check_events(bench, mix, survives);
  for (int host = 0; host < dead; ++host) {
    CHECK(bench.card(host).busy().empty());
    if (host > 0) CHECK(bench[host].load<std::uint32_t>(Elan3Host::sdram(mix_place::words)) == one.rules.atomics);
  }
  for (std::size_t i = 0; i < mix.operations().size(); ++i) {
    const MixOperation& operation = mix.operations()[i];
    if (!survives(operation) || operation.kind == Kind::queued) continue;
    CAPTURE(i);
    CHECK(read_bytes(bench[operation.receiver()], operation.dest, operation.bytes) == Mix::data(i, operation.bytes));
  }
}

template <int seed>
void silent_death() {
  check_death({.rules = {.hosts = 3 + seed % 2}, .settings = {"nic.link.timeout=2ms"}}, 400 + seed, Death::silent);
}
template <int seed>
void discarding_death() {
  check_death({.rules = {.hosts = 3 + seed % 2}}, 500 + seed, Death::discarding);
}

void add(void (*test)(), const std::string& name, int seed) {
  Catch::AutoReg(Catch::makeTestInvoker(test), CATCH_INTERNAL_LINEINFO, Catch::StringRef(),
                 Catch::NameAndTags(name + ", seed " + std::to_string(seed)));
}

template <int... seed>
bool add_all(std::integer_sequence<int, seed...>) {
  (add(&without_errors<seed>, "elan3 mixes of all operations do each exactly once", seed), ...);
  (add(&few_errors<seed>, "elan3 mixes do each operation exactly once at a bit error rate of 1e-6", seed), ...);
  (add(&many_errors<seed>, "elan3 mixes do each operation exactly once at a bit error rate of 1e-5", seed), ...);
  (add(&failed_elite<seed>, "elan3 mixes do each operation exactly once around a failed upper Elite", seed), ...);
  (add(&silent_death<seed>, "elan3 mixes go on where a node falls silent", seed), ...);
  (add(&discarding_death<seed>, "elan3 mixes go on where a node discards all", seed), ...);
  return true;
}

[[maybe_unused]] const bool added = add_all(std::make_integer_sequence<int, seeds>());

}  // namespace
