/// Translated blocks against the interpreter: random programs that branch, loop, fault, change their own code and stop
/// have the same registers, memory, times, counters and stops.
#include <memory>
#include <optional>
#include <vector>

#include <catch2/catch.hpp>

#include "models/cpu/caches/caches.hpp"
#include "models/cpu/riscv/floating/host_fpu.hpp"
#include "models/cpu/riscv/watchpoints.hpp"
#include "platform/core/random.hpp"
#include "tests/riscv/bare_program.hpp"
#include "tests/riscv/random_words.hpp"

namespace {

using namespace sanvp::riscv;
using sanvp::cpu::CachesSettings;
using Program = BareProgram<std::uint64_t>;

constexpr std::uint64_t code_words = 256;

/// Two programs with the same memory and registers, of which the second is translated after so many runs of a block.
class Pair {
 public:
  /// @param counts_pages  at their first store; there are too few of them
  Pair(std::uint64_t seed, const TranslationSettings& settings, bool counts_pages, const CachesSettings& caches)
      : random_(seed, "translation"),
        counts_pages_(counts_pages),
        caches_{sanvp::cpu::Caches(caches), sanvp::cpu::Caches(caches)},
        interpreted_({}, stalls_for(caches)),
        translated_({}, stalls_for(caches)) {
    for (std::size_t i = 0; i < both_.size(); ++i) {
      both_[i]->hart.caches = &caches_[i];
      both_[i]->hart.sample = caches.sample();
    }
    translated_.interpreter.translate(settings);
    for (std::uint64_t i = 0; i < code_words; ++i) {
      const std::uint32_t word = random_word(random_);
      for (Program* program : both_) store_to(program->memory.window(), code_at + 4 * i, word);
    }
    for (std::uint64_t at = data_at; at < data_at + page_bytes; at += 8) {
      const std::uint64_t value = random_number(random_);
      for (Program* program : both_) store_to(program->memory.window(), at, value);
    }
    for (Program* program : both_) program->memory.protect(code_at, page_bytes, readable | writable | executable);
    for (Program* program : both_) program->memory.protect(constants_at, page_bytes, readable);
    for (Program* program : both_) program->memory.limit_count(counts_pages ? 1 : 8);
  }

  /// Some turns, with a new rounding mode.
  void run_some_turns() {
    const auto rounding = static_cast<std::uint8_t>(random_.below(4) == 0 ? random_.below(8) : 0);
    for (Program* program : both_) program->hart.rounding = rounding;
    if (counts_pages_) forget_stores();
    begin_again();
    for (int turn = 0; turn < 20; ++turn) run_turn();
  }

  /// From now on other turns than those of another pair with the same program.
  void go_own_way(std::uint64_t seed) { random_ = sanvp::Random(seed, "turns"); }

  /// Loads cost another time in both.
  void reprice() {
    sanvp::cpu::InstructionCosts costs = plain_costs();
    costs.cycles[HAL_LOAD] = 7;
    for (Program* program : both_) program->interpreter.blocks().reprice(costs, costs, 0);
  }

  const Program& interpreted() const { return interpreted_; }

 private:
  /// Fetches go through the caches, too, unless they are sampled.
  static Stalls stalls_for(const CachesSettings& caches) {
    return {.has_caches = caches.has_any(), .fetches = caches.has_any() && !caches.samples};
  }

  /// The pages of code and data are as if nothing had been written to them. The first of them that is takes the other's
  /// place.
  void forget_stores() {
    for (Program* program : both_) {
      program->memory.protect(code_at, 2 * page_bytes, readable);
      program->memory.protect_untouched(code_at, page_bytes, readable | writable | executable);
      program->memory.protect_untouched(data_at, page_bytes, readable | writable);
    }
  }

  void run_turn() {
    if (random_.below(8) == 0) move_breakpoint();
    if (random_.below(16) == 0) move_watchpoint();
    const bool steps = random_.below(8) == 0;
    const std::uint64_t budget = 1 + random_.below(random_.below(4) == 0 ? 2000 : 40);
    const auto turn = [&](Program& program, Watchpoints& watchpoints) {
      return steps ? watchpoints.step(program.interpreter, program.hart)
                   : watchpoints.run(program.interpreter, program.hart, budget);
    };
    const Stop expected = turn(interpreted_, watchpoints_[0]), found = turn(translated_, watchpoints_[1]);
    REQUIRE(found == expected);
    require_equal();
    if (expected == Stop::fault || expected == Stop::breakpoint || random_.below(8) == 0) begin_again();
  }

  /// At a random place, with new registers.
  void begin_again() {
    const std::uint64_t pc = code_at + 4 * random_.below(code_words);
    for (unsigned number = 1; number < 32; ++number) {
      const bool is_address = number >= 8 && number < 12 && random_.below(16) != 0;
      const std::uint64_t integer = is_address ? data_at + 8 * random_.below(400) : random_address_or_number(random_);
      const std::uint64_t floating = random_float(random_);
      for (Program* program : both_) {
        program->hart.x[number] = integer;
        program->hart.f[number] = floating;
      }
    }
    for (Program* program : both_) {
      program->interpreter.leave(program->hart);
      program->hart.pc = pc;
    }
  }

  /// While there is one, nothing that is translated runs.
  void move_breakpoint() {
    const std::uint64_t pc = code_at + 4 * random_.below(code_words);
    for (Program* program : both_) {
      Blocks<std::uint64_t>& blocks = program->interpreter.blocks();
      if (breakpoint_) blocks.clear_breakpoint(*breakpoint_);
      if (!breakpoint_) blocks.set_breakpoint(pc);
    }
    breakpoint_ = breakpoint_ ? std::nullopt : std::optional(pc);
  }

  /// There is one for half of the time.
  void move_watchpoint() {
    const Watchpoint watchpoint{Watchpoint::Of::accesses, data_at + 8 * random_.below(400), 8};
    const bool is_wanted = random_.below(2) == 0;
    for (Watchpoints& watchpoints : watchpoints_) {
      watchpoints.clear();
      if (is_wanted) watchpoints.add(watchpoint);
    }
  }

  void require_equal() {
    const Hart64 &a = interpreted_.hart, &b = translated_.hart;
    REQUIRE(b.pc == a.pc);
    REQUIRE((b.left.block == nullptr) == (a.left.block == nullptr));
    REQUIRE(b.left.operation == a.left.operation);
    REQUIRE(b.retired == a.retired);
    REQUIRE(b.time_ps == a.time_ps);
    for (unsigned number = 0; number < 32; ++number) {
      INFO("register " << number);
      REQUIRE(b.x[number] == a.x[number]);
      REQUIRE(b.f[number] == a.f[number]);
    }
    REQUIRE(b.flags == a.flags);
    REQUIRE(b.rounding == a.rounding);
    REQUIRE(b.reserved == a.reserved);
    REQUIRE(b.fault.cause == a.fault.cause);
    REQUIRE(b.fault.address == a.fault.address);
    REQUIRE(translated_.memory.count().pages == interpreted_.memory.count().pages);
    REQUIRE(translated_.memory.count().is_exceeded == interpreted_.memory.count().is_exceeded);
    REQUIRE(translated_.interpreter.blocks().executed() == interpreted_.interpreter.blocks().executed());
    const auto require_same = [](const char* level, const sanvp::cpu::Cache& found, const sanvp::cpu::Cache& expected) {
      INFO("cache: " << level);
      REQUIRE(found.accesses() == expected.accesses());
      REQUIRE(found.misses() == expected.misses());
    };
    require_same("instructions", caches_[1].instructions(), caches_[0].instructions());
    require_same("data", caches_[1].data(), caches_[0].data());
    require_same("second", caches_[1].second(), caches_[0].second());
    REQUIRE(caches_[1].moved_lines() == caches_[0].moved_lines());
    REQUIRE(std::memcmp(translated_.memory.window().base + code_at, interpreted_.memory.window().base + code_at,
                        2 * page_bytes) == 0);
  }

  sanvp::Random random_;
  bool counts_pages_;
  std::optional<std::uint64_t> breakpoint_;
  std::array<sanvp::cpu::Caches, 2> caches_;
  Program interpreted_, translated_;
  std::array<Program*, 2> both_{&interpreted_, &translated_};
  std::array<Watchpoints, 2> watchpoints_{Watchpoints(interpreted_.memory), Watchpoints(translated_.memory)};
};

bool is_available() { return Translation::unavailable() == nullptr; }

void compare(std::uint64_t seed, std::uint64_t after_runs, int rounds, std::size_t most_code_bytes = 1 << 20,
             const CachesSettings& caches = {}) {
  INFO("seed " << seed << ", translated after " << after_runs);
  const bool as_another_host = seed % 3 == 0;
  const TranslationSettings settings{.after_runs = after_runs,
                                     .most_code_bytes = most_code_bytes,
                                     .caches = caches,
                                     .uses_bmi2 = !as_another_host,
                                     .uses_fma = !as_another_host};
  Pair pair(seed, settings, seed % 2 == 0, caches);
  for (int round = 0; round < rounds; ++round) pair.run_some_turns();
  CHECK(pair.interpreted().hart.retired > 0);
}

TEST_CASE("random programs do the same when their blocks are translated at once") {
  if (!is_available()) return;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) compare(seed, 0, 20);
}

TEST_CASE("random programs do the same when blocks are translated after some runs") {
  if (!is_available()) return;
  for (std::uint64_t seed = 101; seed <= 130; ++seed) compare(seed, 3, 30);
}

TEST_CASE("random programs stall for caches as long, and miss as often, when their blocks are translated") {
  if (!is_available()) return;
  using sanvp::cpu::CacheShape;
  const CacheShape none{0, 64, 1}, direct{1024, 64, 1}, two_ways{512, 32, 2}, three_ways{192, 8, 3};
  const CacheShape four_ways_at_random{512, 16, 4, true}, sixteen_ways{1024, 64, 16}, second{4096, 64, 1};
  const std::vector<std::pair<CacheShape, CacheShape>> first_levels{
      {none, direct},         {direct, two_ways},     {two_ways, three_ways},     {three_ways, four_ways_at_random},
      {direct, sixteen_ways}, {sixteen_ways, direct}, {four_ways_at_random, none}};
  for (const bool samples : {false, true})
    for (std::uint64_t seed = 301; seed <= 321; ++seed) {
      const auto& [instructions, data] = first_levels[seed % first_levels.size()];
      compare(seed, 0, 20, 1 << 20,
              {.instructions = instructions,
               .data = data,
               .second = second,
               .second_ps = 1000,
               .second_line_ps = 300,
               .memory_ps = 7000,
               .memory_line_ps = 5000,
               .prefetch_streams = seed % 3,
               .samples = samples});
    }
}

TEST_CASE("random programs do the same when the translated code is forgotten often") {
  if (!is_available()) return;
  for (std::uint64_t seed = 201; seed <= 220; ++seed) compare(seed, 0, 20, 4096);
}

TEST_CASE("random programs do the same when processes share their code") {
  if (!is_available()) return;
  for (std::uint64_t seed = 401; seed <= 420; ++seed) {
    INFO("seed " << seed);
    CachesSettings caches;
    if (seed % 2 == 0)
      caches = {.instructions = {1024, 64, 1},
                .data = {512, 32, 2},
                .memory_ps = 7000,
                .memory_line_ps = 5000,
                .samples = seed % 4 == 0};
    const TranslationSettings settings{.after_runs = seed % 3,
                                       .most_code_bytes = seed % 5 == 0 ? std::size_t{4096} : std::size_t{1} << 20,
                                       .caches = caches,
                                       .shared = SharedCode::make()};
    // The first three have one program, and the third of them other prices; the fourth has another one.
    Pair first(seed, settings, false, caches), second(seed, settings, false, caches);
    Pair third(seed, settings, false, caches), fourth(seed + 1000, settings, false, caches);
    const std::array pairs{&first, &second, &third, &fourth};
    second.go_own_way(seed);
    third.reprice();
    for (int round = 0; round < 15; ++round)
      for (Pair* pair : pairs) pair->run_some_turns();
  }
}

/// Turns of a loop of two instructions.
constexpr std::initializer_list<std::uint32_t> loop{addi(7, 7, -1), bne_back(7, 0, 1)};

TEST_CASE("a process takes the code that another one with the same program has, and none of another program") {
  if (!is_available()) return;
  const TranslationSettings settings{.after_runs = 1000, .shared = SharedCode::make()};
  Program first(loop), second(loop), other({addi(7, 7, -2), bne_back(7, 0, 1)});
  const auto has_code_after = [&](Program& program, std::uint64_t turns) {
    program.interpreter.translate(settings);
    program.hart.x[7] = 1 << 20;
    program.run(2 * turns);
    return program.interpreter.blocks().at(code_at)->code != nullptr;
  };
  CHECK(has_code_after(first, 2000));
  CHECK(has_code_after(second, 100));
  CHECK_FALSE(has_code_after(other, 100));
}

TEST_CASE("a loop is translated when all processes together have run it often") {
  if (!is_available()) return;
  // Each process tells of its first 63 turns, a 16th of 1000, and would tell again at 252. 16 of them are 1008.
  constexpr std::uint64_t turns = 100;
  constexpr std::size_t enough = 16;
  const TranslationSettings settings{.after_runs = 1000, .shared = SharedCode::make()};
  std::vector<std::unique_ptr<Program>> programs;
  while (programs.size() < enough + 5) {
    Program& program = *programs.emplace_back(std::make_unique<Program>(loop));
    program.interpreter.translate(settings);
    program.hart.x[7] = 1 << 20;
    program.run(2 * turns);
    INFO(programs.size() << " processes");
    CHECK((program.interpreter.blocks().at(code_at)->code != nullptr) == (programs.size() >= enough));
  }
}

/// Words of a loop of x7 turns, which translated code executes without the interpreter's blocks.
void require_that_code_goes_on(std::initializer_list<std::uint32_t> words) {
  Program program(words);
  Blocks<std::uint64_t>& blocks = program.interpreter.blocks();
  program.hart.x[7] = 1000;
  program.run(10 * words.size());
  const auto translation = Translation::make(program.memory, blocks, {.after_runs = 1});
  program.hart.pc = code_at;
  const FpuLease<std::uint64_t> lease(program.hart);
  Block<std::uint64_t>* const head = blocks.at(code_at);
  translation->translate(*head);
  REQUIRE(head->code != nullptr);
  const std::uint64_t limit = program.hart.retired + 100 * words.size();
  const Translation::Outcome outcome = translation->run(program.hart, *head, limit);
  CHECK(outcome.block == nullptr);
  CHECK(program.hart.retired >= limit);
}

TEST_CASE("translated code goes on behind fflags, frm and fcsr, and with a rounding mode of an instruction's own") {
  if (!is_available()) return;
  constexpr unsigned fflags = 1, frm = 2, fcsr = 3;
  constexpr std::uint32_t fadd_d_down = 0x0220A0D3;  // f1 = f1 + f2, rounded down
  constexpr std::uint32_t fscsr = 0x00301073;        // fcsr = x0
  const std::uint32_t turn = addi(7, 7, -1);
  require_that_code_goes_on({csrr(5, fflags), turn, bne_back(7, 0, 2)});
  require_that_code_goes_on({csrr(5, frm), turn, bne_back(7, 0, 2)});
  require_that_code_goes_on({csrr(5, fcsr), fscsr, turn, bne_back(7, 0, 3)});
  require_that_code_goes_on({fadd_d_down, turn, bne_back(7, 0, 2)});
}

TEST_CASE("random programs do the same for a long time", "[.long]") {
  if (!is_available()) return;
  for (std::uint64_t seed = 1000; seed < 4000; ++seed) compare(seed, seed % 4, 40, seed % 3 == 0 ? 8192 : 1 << 20);
}

}  // namespace
