/// Events of the Elan3 by themselves: when they fire, what they do, and what it costs.
#include <catch2/catch.hpp>

#include "tests/models/elan3_board.hpp"

using namespace sanvp;
using namespace sanvp::test;
using namespace sanvp::nic::elan3;

namespace {

constexpr Subject own{.context = Elan3Board::context}, other{.context = Elan3Board::context, .remote = true};
constexpr e3_addr event = Elan3Board::base + 0x40, second = Elan3Board::base + 0x60, block = Elan3Board::base + 0x100,
                  target = Elan3Board::base + 0x200;
constexpr Time set_time = 100ns;  // Elan3Board

struct Bench : Elan3Board {
  void prime(e3_addr address, std::int32_t count, std::uint32_t type) {
    sdram.store(at(address), e3_event{.count = count, .type = type});
    mmu.translate(own, address, Intent::event);  // so that no table walk delays it
  }
  std::int32_t count(e3_addr address) { return sdram.load<std::int32_t>(at(address)); }
  Time set(e3_addr address) {
    const Time begin = clock.now();
    return run(events.set(own, address), fault) - begin;
  }
  Time wait(e3_addr address, std::int32_t more) {
    const Time begin = clock.now();
    return run(events.wait(own, address, more), fault) - begin;
  }
  Fault fault;
};

}  // namespace

TEST_CASE("elan3 decrements an event's count when it is set and fires it at zero") {
  Bench bench;
  bench.prime(event, 2, E3_EVENT_INTERRUPT(7));
  CHECK(bench.set(event) == set_time);
  CHECK(bench.count(event) == 1);
  CHECK_FALSE(bench.line);
  CHECK(bench.set(event) == set_time);
  CHECK(bench.count(event) == 0);
  CHECK(bench.line);
  CHECK(bench.interrupts.pending() == E3_INT_EVENT);
  CHECK(bench.interrupts.take_cookie() == 7);
  CHECK(bench.interrupts.take_cookie() == 0);
}

TEST_CASE("elan3 adds the count of a wait-event and fires at once if that has already been reached") {
  Bench bench;
  bench.prime(event, 0, E3_EVENT_INTERRUPT(1));
  bench.wait(event, 2);
  CHECK(bench.count(event) == 2);
  CHECK_FALSE(bench.line);
  bench.prime(event, -1, E3_EVENT_INTERRUPT(1));
  bench.wait(event, 1);
  CHECK(bench.count(event) == 0);
  CHECK(bench.line);
}

TEST_CASE("elan3 copies a word, or a block, when a copying event fires") {
  Bench bench;
  for (std::uint32_t i = 0; i < 16; ++i) bench.sdram.store(Elan3Board::at(block) + 4 * i, 100 + i);
  bench.prime(event, 1, E3_EVENT_COPY);
  bench.sdram.store(Elan3Board::at(event), e3_block_event{1, E3_EVENT_COPY, block | E3_EVENT_COPY_WORD, target});
  CHECK(bench.set(event) == set_time + 2 * Elan3Board::access);  // one read, one write
  CHECK(bench.sdram.load<std::uint32_t>(Elan3Board::at(target)) == 100);
  CHECK(bench.sdram.load<std::uint32_t>(Elan3Board::at(target) + 4) == 0);
  bench.sdram.store(Elan3Board::at(event), e3_block_event{1, E3_EVENT_COPY | E3_EVENT_INTERRUPT(3), block, target});
  bench.set(event);
  CHECK(bench.sdram.load<std::uint32_t>(Elan3Board::at(target) + 60) == 115);
  CHECK(bench.interrupts.take_cookie() == 3);  // the action after the copy
}

TEST_CASE("elan3 sets a chained event, one after the other") {
  Bench bench;
  bench.prime(second, 1, E3_EVENT_INTERRUPT(9));
  bench.prime(event, 1, E3_EVENT_CHAIN(second));
  CHECK(bench.set(event) == 2 * set_time);
  CHECK(bench.count(second) == 0);
  CHECK(bench.interrupts.take_cookie() == 9);
}

TEST_CASE("elan3 hands DMAs and threads of events to the units that run them") {
  Bench bench;
  bench.prime(event, 1, E3_EVENT_DMA(Elan3Board::base + 0x400));
  bench.set(event);
  bench.prime(event, 1, E3_EVENT_THREAD(Elan3Board::base + 0x420));
  bench.set(event);
  CHECK(bench.work.dmas == std::vector<std::pair<Time, e3_addr>>{{set_time, Elan3Board::base + 0x400}});
  CHECK(bench.work.threads == std::vector<std::pair<Time, e3_addr>>{{2 * set_time, Elan3Board::base + 0x420}});
}

TEST_CASE("elan3 refuses an event that is not aligned, not mapped, or not for others to set") {
  Bench bench;
  bench.set(event + 4);
  CHECK(bench.fault.cause == E3_CAUSE_ALIGNMENT);
  bench.set(0x1000);
  CHECK(bench.fault.cause == E3_CAUSE_PAGE);
  bench.map(0, E3_PERM_REMOTE_WRITE);
  bench.run(bench.events.set(other, event), bench.fault);
  CHECK(bench.fault.cause == E3_CAUSE_PERMISSION);
  CHECK(bench.fault.access == E3_PERM_REMOTE_EVENT);
  bench.prime(event, 1, 0);
  bench.run(bench.events.set(own, event), bench.fault);
  CHECK_FALSE(bench.fault);
  CHECK(bench.count(event) == 0);
}

TEST_CASE("elan3 reports a trap in its record and by an interrupt and waits for the driver's answer") {
  Bench bench;
  Verdict verdict = Verdict::retry;
  bench.sdram.store(Elan3Board::contexts + sizeof(e3_context),
                    e3_context{.root = Elan3Board::root, .filter = E3_FILTER_SYSTEM, .vp_table = 0, .vp_mask = 0});
  Time ended = never;
  auto trapped = [](Bench& at, Verdict& word, Time& end) -> net::Task<> {
    word = co_await at.traps.raise(E3_TRAP_INPUT1, trap_record({E3_CAUSE_PAGE, Elan3Board::context, 0x77, 5}, 0x99));
    end = at.clock.now();
  }(bench, verdict, ended);
  trapped.start(bench.clock);
  bench.queue.run_until(1us);
  CHECK(ended == never);
  CHECK(bench.interrupts.pending() == E3_INT_INPUT_CH1_SYSTEM);
  const auto record = bench.sdram.load<e3_trap>(Elan3Board::traps_at + E3_TRAP_INPUT1 * sizeof(e3_trap));
  CHECK(record.cause == E3_CAUSE_PAGE);
  CHECK(record.address == 0x77);
  CHECK(record.object == 0x99);
  CHECK(record.access == 5);
  CHECK(bench.traps.busy() == "the input channel 1 has trapped (page, context 1, address 0x77)");
  bench.traps.resume(E3_TRAP_INPUT0);  // the word of another unit
  bench.traps.resume(E3_TRAP_INPUT1 | E3_RESUME_DROP);
  bench.queue.run_until(2us);
  CHECK(verdict == Verdict::drop);
  CHECK(ended == Elan3Board::access);
  CHECK(bench.traps.busy().empty());
}
