/// The thread processor: what firmware does, when, and what it may not do. Times of the bus are elan3_bench.hpp's,
/// those of the card the defaults that its parts declare.
#include <array>
#include <catch2/catch.hpp>

#include "sw/elanlib/firmware/echo_records.h"
#include "tests/models/elan3_bench_thread.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

// Defaults of nic.command.process, nic.thread.dispatch, nic.sdram.access and nic.thread.cycle.
constexpr Time command = 250ns, dispatch = 200ns, sdram = 75ns, cycle = 10ns, set = 200ns;
constexpr Time walk = 4 * sdram;                                         // of a new page: the context and three tables
constexpr Time word = Elan3Host::bus_latency + 4 * Elan3Host::bus_byte;  // to main memory
constexpr std::uint32_t extra = 4, cached = 2, block = 10;               // cycles
constexpr Time begin = 1us;
constexpr Time first = begin + command + dispatch + walk;  // a thread's first word goes on the bus

/// When words went to main memory, and the words.
std::vector<Time> marks(const Elan3Host& host) {
  std::vector<Time> times;
  for (const auto& transfer : host.transfers)
    if (transfer.write) times.push_back(transfer.at);
  return times;
}

/// One thread on host 0 that runs to its end.
std::vector<Time> run_alone(Elan3Bench& bench, std::initializer_list<std::uint32_t> arguments) {
  const std::uint32_t program = load_tests(bench);
  bench.program(0, [=](Elan3Host& host) {
    host.store(Elan3Host::sdram(event_at), e3_event{.count = 1, .type = 0});
    host.wait_until(begin);
    start(host, program, arguments);
  });
  bench.run();
  return marks(bench[0]);
}

}  // namespace

TEST_CASE("elan3 thread: each instruction takes its cycles, and words to main memory wait for the bus") {
  Elan3Bench bench(1);
  std::vector<Time> expected{first};
  const auto then = [&](Time span) { expected.push_back(expected.back() + word + span); };
  then(100 * cycle);                   // elan3_cycles(100)
  then(cached * cycle);                // a load of 8 bytes
  then(2 * cached * cycle);            // a store of 16
  then(extra * cycle + set);           // set-event
  then((extra + 2 * cached) * cycle);  // wait-event that need not wait: a word loaded and stored
  then(extra * cycle);                 // break with no other thread
  CHECK(run_alone(bench, {costs, place::main, data_at, event_at}) == expected);
  CHECK(bench[0].load<e3_event>(Elan3Host::sdram(event_at)).count == 1);
  CHECK(bench.card(0).busy().empty());
}

TEST_CASE(
    "elan3 thread: a packet is built, answered and its reply comes back at the time that all its parts add up to") {
  Elan3Bench bench(2);
  const std::uint32_t program = load_tests(bench);
  bench.program(0, [=](Elan3Host& host) {
    host.wait_until(begin);
    start(host, program, {packets, place::main, 1, data_at});
  });
  bench.program(1, [](Elan3Host& host) { host.store(Elan3Host::sdram(data_at + 8), std::uint32_t{37}); });
  bench.run();
  CHECK(bench[1].load<std::uint64_t>(Elan3Host::sdram(data_at)) == 0x1122334455667788u);
  CHECK(bench[1].load<std::uint32_t>(Elan3Host::sdram(data_at + 8)) == 37 + 5);
  CHECK(bench[0].main_word<std::uint32_t>(place::main) == 37);  // the last mark is the reply

  // open and its route; two transactions of 8 bytes; close.
  const Time build = extra * cycle + sdram + (2 * (extra + 1) + extra) * cycle;
  // One route flit and its CRC, 2 x 18 bytes of transactions: 20 flits over two cables and an Elite.
  constexpr Time flit = 5ns, wire = 10ns, elite = 35ns, input = 260ns;
  const Time there = 2 * (flit + wire) + elite + 19 * flit;
  // The last transaction is in work since its address came, 8 bytes before. The word is loaded and stored; where it is
  // was looked up when the packet was judged.
  const Time work = input - 4 * flit + walk + 2 * sdram;
  const Time back = 2 * (flit + wire) + elite;
  CHECK(marks(bench[0]) == std::vector<Time>{first, first + word + build + there + work + back,
                                             first + word + build + there + work + back + word});
}

TEST_CASE("elan3 thread: two that give way take turns, in the order in which they were started") {
  Elan3Bench bench(1);
  const std::uint32_t program = load_tests(bench);
  bench.program(0, [=](Elan3Host& host) {
    host.wait_until(begin);
    start(host, program, {breaks, place::main, 10, 3});
    start(host, program, {breaks, place::main + 8, 20, 2}, thread_at + 32);
  });
  bench.run();
  std::vector<std::uint64_t> addresses;
  for (const auto& transfer : bench[0].transfers) addresses.push_back(transfer.address);
  CHECK(addresses == std::vector<std::uint64_t>{0, 8, 0, 8, 0});
  CHECK(bench[0].main_word<std::uint32_t>(place::main) == 12);
  CHECK(bench[0].main_word<std::uint32_t>(place::main + 8) == 21);
}

TEST_CASE("elan3 thread: RunThread wakes one that sleeps, and is not lost on one that is awake") {
  Elan3Bench bench(1);
  const std::uint32_t program = load_tests(bench);
  bench.program(0, [=](Elan3Host& host) {
    host.wait_until(begin);
    start(host, program, {suspends, place::main, 3});
    host.wait_until(10us);
    host.command(0, E3_CP_RUN_THREAD, thread_at);
    host.wait_until(10us + command + dispatch + 1ns);  // it is awake, about to mark
    host.command(0, E3_CP_RUN_THREAD, thread_at);
    host.wait_until(20us);
    host.command(0, E3_CP_RUN_THREAD, thread_at);
  });
  bench.run();
  const Time woken = 10us + command + dispatch + walk;
  // The second RunThread is obeyed while the thread is in the first mark: the next suspend returns at once.
  CHECK(marks(bench[0]) == std::vector<Time>{woken, woken + word + extra * cycle, 20us + command + dispatch});
}

TEST_CASE("elan3 thread: it wakes for each set of the event that it waits for, those while it was awake included") {
  Elan3Bench bench(1);
  const std::uint32_t program = load_tests(bench);
  bench.program(0, [=](Elan3Host& host) {
    host.store(Elan3Host::sdram(event_at), e3_event{.count = 1, .type = 0});
    host.wait_until(begin);
    start(host, program, {waits, place::main, event_at, 5});
    host.wait_until(10us);
    for (int i = 0; i < 4; ++i) host.command(0, E3_CP_SET_EVENT, event_at);
    host.wait_until(50us);
    host.command(0, E3_CP_SET_EVENT, event_at);
  });
  bench.run();
  const auto at = marks(bench[0]);
  REQUIRE(at.size() == 5);
  // Woken; the event's count is taken by a second look.
  const Time look = 2 * cached * cycle;
  CHECK(at[0] == 10us + command + set + dispatch + look + walk);
  CHECK(at[4] == 50us + command + set + dispatch + look);
  CHECK(bench[0].load<e3_event>(Elan3Host::sdram(event_at)).count == 1);
  CHECK(bench.card(0).busy().empty());
}

TEST_CASE("elan3 thread: one that waits costs no events, for as long as it waits") {
  Elan3Bench bench(1);
  const std::uint32_t program = load_tests(bench);
  std::uint64_t before = 0, after = 0;
  bench.program(0, [&, program](Elan3Host& host) {
    host.store(Elan3Host::sdram(event_at), e3_event{.count = 1, .type = 0});
    start(host, program, {waits, place::main, event_at, 1});
    host.wait_until(1ms);
    before = bench.timeline.queue().processed();
    host.wait_until(5'000ms);
    after = bench.timeline.queue().processed();
    host.command(0, E3_CP_SET_EVENT, event_at);
  });
  bench.run();
  CHECK(after == before);
  CHECK(marks(bench[0]).size() == 1);
}

/// Host `host` starts one thread and answers the thread processor's traps with `verdict`.
struct Trapped {
  int interrupts = 0;
  e3_trap trap{};
};
void expect_traps(Elan3Bench& bench, int host, std::uint32_t verdict, Trapped& trapped) {
  bench[host].on_interrupt = [verdict, &trapped](Elan3Host& at) {
    ++trapped.interrupts;
    trapped.trap = at.trap(E3_TRAP_THREAD);
    at.write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT, E3_INT_THREAD_TRAP);
    at.resume(E3_TRAP_THREAD | verdict);
  };
}

TEST_CASE("elan3 thread: one that never gives way traps, and the driver may let it go on or end it") {
  Elan3Bench bench(2, {"nic.thread.most_cycles=1500"});
  std::array<Trapped, 2> trapped;
  expect_traps(bench, 0, 0, trapped[0]);
  expect_traps(bench, 1, E3_RESUME_DROP, trapped[1]);
  for (int host = 0; host < 2; ++host) {
    const std::uint32_t program = load_tests(bench, host);
    bench.program(host, [=](Elan3Host& at) { start(at, program, {runaway, place::main, 5}); });
  }
  bench.run();
  for (int host = 0; host < 2; ++host) {
    CHECK(trapped[host].trap.cause == E3_CAUSE_INSTRUCTION);
    CHECK(trapped[host].trap.object == thread_at);
    CHECK(bench.card(host).busy().empty());
  }
  CHECK(trapped[0].interrupts == 2);  // after 2000 and 4000 of 5000 cycles
  CHECK(trapped[1].interrupts == 1);
  CHECK(marks(bench[0]).size() == 1);
  CHECK(marks(bench[1]).empty());
}

TEST_CASE("elan3 thread: a bad access traps, and is tried again once the page is there, or ends that thread alone") {
  Elan3Bench bench(2);
  for (int host = 0; host < 2; ++host) {
    const std::uint32_t program = load_tests(bench, host);
    bench[host].on_interrupt = [host](Elan3Host& at) {
      const e3_trap trap = at.trap(E3_TRAP_THREAD);
      CHECK(trap.cause == E3_CAUSE_PAGE);
      CHECK(trap.address == unmapped);
      CHECK(trap.object == thread_at);
      if (host == 0) at.map(0, unmapped, place::data + 0x3000, true);
      at.write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT, E3_INT_THREAD_TRAP);
      at.resume(E3_TRAP_THREAD | (host == 0 ? 0 : E3_RESUME_DROP));
    };
    bench.program(host, [=](Elan3Host& at) {
      at.store(place::data + 0x3000, std::uint32_t{4711});
      start(at, program, {load_word, place::main, unmapped});
      start(at, program, {breaks, place::main + 8, 20, 2}, thread_at + 32);
    });
  }
  bench.run();
  for (int host = 0; host < 2; ++host) {
    CHECK(bench[host].main_word<std::uint32_t>(place::main) == (host == 0 ? 4711 : 0));
    CHECK(bench[host].main_word<std::uint32_t>(place::main + 8) == 21);
    CHECK(bench.card(host).busy().empty());
  }
}

TEST_CASE("elan3 thread: what no program may do with packets traps and reaches no card") {
  constexpr int ways = 7;
  Elan3Bench bench(ways, {}, 2);
  std::array<Trapped, ways> trapped;
  for (int host = 0; host < ways; ++host) {
    expect_traps(bench, host, E3_RESUME_DROP, trapped[host]);
    const std::uint32_t program = load_tests(bench, host);
    bench.program(host, [=, &bench](Elan3Host& at) {
      at.route(0, 1, nic::elan3::encode_unicast(bench.tree, host, host ^ 1));
      start(at, program, {misuse, place::main, static_cast<std::uint32_t>(host), event_at});
    });
  }
  bench.run();
  for (int host = 0; host < ways; ++host) {
    CAPTURE(host);
    CHECK(trapped[host].interrupts == 1);
    CHECK(trapped[host].trap.cause == E3_CAUSE_INSTRUCTION);
    CHECK(marks(bench[host]).empty());
    CHECK(bench.card(host).busy().empty());
  }
}

TEST_CASE("elan3 thread: a packet to a process without a route traps, and so does one that is refused for good") {
  Elan3Bench bench(3);
  constexpr std::uint32_t no_process = 40;
  std::array<Trapped, 2> trapped;
  for (int host = 0; host < 2; ++host) {
    expect_traps(bench, host, E3_RESUME_DROP, trapped[host]);
    const std::uint32_t program = load_tests(bench, host);
    const std::uint32_t process = host == 0 ? 2 : no_process;
    bench.program(host, [=](Elan3Host& at) { start(at, program, {packets, place::main, process, unmapped}); });
  }
  bench[2].on_interrupt = [](Elan3Host& host) {
    host.write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT, E3_INT_INPUT_CH0_USER | E3_INT_INPUT_CH1_USER);
    host.resume(E3_TRAP_INPUT0 | E3_RESUME_DROP);
    host.resume(E3_TRAP_INPUT1 | E3_RESUME_DROP);
  };
  bench.run();
  CHECK(trapped[0].trap.cause == E3_CAUSE_REFUSED);
  CHECK(trapped[0].trap.process == 2);
  CHECK(trapped[0].trap.address == unmapped);
  CHECK(trapped[1].trap.cause == E3_CAUSE_ROUTE);
  CHECK(trapped[1].trap.process == no_process);
  for (int host = 0; host < 2; ++host) {
    CHECK(marks(bench[host]).size() == 1);
    CHECK(bench.card(host).busy().empty());
  }
}

TEST_CASE("elan3 thread: RunThread of a record that is none traps the command processor") {
  Elan3Bench bench(1);
  std::vector<std::uint32_t> causes;
  bench[0].on_interrupt = [&](Elan3Host& host) {
    causes.push_back(host.trap(E3_TRAP_COMMAND).cause);
    host.write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT, E3_INT_COMMAND_TRAP);
    host.resume(E3_TRAP_COMMAND | E3_RESUME_DROP);
  };
  const std::uint32_t program = load_tests(bench);
  bench.program(0, [=](Elan3Host& host) {
    start(host, program + 1, {ends, place::main});
    host.command(0, E3_CP_RUN_THREAD, thread_at + 8);
    host.command(0, E3_CP_RUN_THREAD, unmapped);
  });
  bench.run();
  CHECK(causes == std::vector<std::uint32_t>{E3_CAUSE_INSTRUCTION, E3_CAUSE_ALIGNMENT, E3_CAUSE_PAGE});
  CHECK(marks(bench[0]).empty());
  CHECK(bench.card(0).load_firmware("no such program") == -1);
  CHECK(bench.card(0).load_firmware("tests/threads") == static_cast<int>(program));
}

TEST_CASE("elan3 thread: one that has ended is started afresh by its name") {
  Elan3Bench bench(1);
  const std::uint32_t program = load_tests(bench);
  bench.program(0, [=](Elan3Host& host) {
    host.wait_until(begin);
    start(host, program, {ends, place::main});
    host.wait_until(10us);
    host.command(0, E3_CP_RUN_THREAD, thread_at);
  });
  bench.run();
  CHECK(marks(bench[0]) == std::vector<Time>{first, 10us + command + dispatch});
  CHECK(bench[0].main_word<std::uint32_t>(place::main) == thread_at);
}

TEST_CASE("elan3 thread: blocks are copied between the two memories, and only SDRAM within a page is seen in place") {
  Elan3Bench bench(1);
  const std::uint32_t program = load_tests(bench);
  constexpr std::uint32_t bytes = 150;  // two blocks and a part
  bench.program(0, [=](Elan3Host& host) {
    for (std::uint32_t i = 0; i < bytes; ++i)
      host.store(Elan3Host::sdram(data_at + i), static_cast<std::uint8_t>(i + 1));
    host.wait_until(begin);
    start(host, program, {copy, place::main, place::main + 0x1000, data_at, bytes, place::elan + 0x2000});
  });
  bench.run();
  for (std::uint32_t i = 0; i < bytes; ++i)
    REQUIRE(bench[0].main_word<std::uint8_t>(place::main + 0x1000 + i) == static_cast<std::uint8_t>(i + 1));
  CHECK(bench[0].main_word<std::uint8_t>(place::main + 0x1000 + bytes) == 0);
  const auto& transfers = bench[0].transfers;
  REQUIRE(transfers.size() == 3 + 4);
  // A block is loaded and handed to the bus; the bus takes 100 ns and 5 ns a byte, one block after the other.
  const Time start_of_copy = begin + command + dispatch;
  CHECK(transfers[0].at == start_of_copy + block * cycle + walk);
  CHECK(transfers[1].at == start_of_copy + 3 * block * cycle);
  CHECK(transfers[2].at == start_of_copy + 5 * block * cycle);
  CHECK(transfers[2].bytes == bytes - 128);
  const Time end = transfers[0].at + 3 * Elan3Host::bus_latency + bytes * Elan3Host::bus_byte;
  CHECK(transfers[3].at == end + walk);
  CHECK(bench[0].main_word<std::uint32_t>(place::main) == 0);  // main memory is not seen in place
}

TEST_CASE("elan3 thread: a DMA that it puts moves its bytes") {
  Elan3Bench bench(2);
  const std::uint32_t program = load_tests(bench);
  bench.program(0, [=](Elan3Host& host) {
    host.store(Elan3Host::sdram(data_at), std::uint32_t{4711});
    host.store(Elan3Host::sdram(data_at + 0x20),
               e3_dma{.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, 0, E3_DMA_RETRIES),
                      .size = 4,
                      .source = data_at,
                      .dest = data_at,
                      .dest_event = 0,
                      .dest_cookie_proc = E3_COOKIE_PROC(E3_COOKIE_THREAD, 1),
                      .src_event = 0,
                      .src_cookie_proc = 0});
    start(host, program, {dma, 0, data_at + 0x20});
  });
  bench.run();
  CHECK(bench[1].load<std::uint32_t>(Elan3Host::sdram(data_at)) == 4711);
}

TEST_CASE("elan3 thread: the echo firmware sends every message of a queue back, byte for byte") {
  Elan3Bench bench(2);
  constexpr e3_addr queue = place::elan + 0x800, slots = place::elan + 0x1000, message = place::elan + 0x3000,
                    answers = place::elan + 0x5000, descriptors = place::elan + 0x7000, all_back = place::elan + 0x100;
  constexpr std::uint32_t slot_bytes = E3_QUEUE_MOST_BYTES, slot_count = 3, messages = 8;
  const std::uint32_t program = load(bench, 1, "firmware/echo");
  const auto size = [](std::uint32_t i) { return (i * 37 + 1) % (ECHO_MOST_BYTES + 1); };
  const auto byte = [](std::uint32_t i, std::uint32_t at) { return static_cast<std::uint8_t>(i * 31 + at); };
  bench.program(1, [=](Elan3Host& host) {
    host.store(Elan3Host::sdram(queue), e3_input_queue{.state = 0,
                                                       .back = slots,
                                                       .slot_bytes = slot_bytes,
                                                       .top = slots + (slot_count - 1) * slot_bytes,
                                                       .base = slots,
                                                       .front = slots,
                                                       .event = {.count = 1, .type = 0}});
    start(host, program, {queue});
  });
  bench.program(0, [=](Elan3Host& host) {
    host.store(Elan3Host::sdram(all_back), e3_event{.count = messages, .type = E3_EVENT_INTERRUPT(7)});
    host.wait_until(begin);
    for (std::uint32_t i = 0; i < messages; ++i) {
      const std::uint32_t at = Elan3Host::sdram(message + i * 0x200);
      host.store(at, echo_message{.process = 0, .to = answers + i * 0x200, .event = all_back, .bytes = size(i)});
      for (std::uint32_t b = 0; b < size(i); ++b)
        host.store(at + static_cast<std::uint32_t>(sizeof(echo_message)) + b, byte(i, b));
      host.store(Elan3Host::sdram(descriptors + i * 32),
                 e3_dma{.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, E3_DMA_QUEUED, 63),
                        .size = static_cast<std::uint32_t>(sizeof(echo_message)) + size(i),
                        .source = message + i * 0x200,
                        .dest = queue,
                        .dest_event = 0,
                        .dest_cookie_proc = E3_COOKIE_PROC(0, 1),
                        .src_event = 0,
                        .src_cookie_proc = 0});
      host.command(0, E3_CP_PUT_DMA, descriptors + i * 32);
    }
  });
  int interrupts = 0;
  bench[0].on_interrupt = [&](Elan3Host& host) {
    ++interrupts;
    CHECK(host.read32(E3_BAR_REGISTERS, E3_REG_EVENT_COOKIE) == 7);
    host.write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT, E3_INT_EVENT);
  };
  bench.run();
  CHECK(interrupts == 1);
  int wrong = 0;
  for (std::uint32_t i = 0; i < messages; ++i)
    for (std::uint32_t b = 0; b < size(i); ++b)
      wrong += bench[0].load<std::uint8_t>(Elan3Host::sdram(answers + i * 0x200 + b)) != byte(i, b);
  CHECK(wrong == 0);
  const auto left = bench[1].load<e3_input_queue>(Elan3Host::sdram(queue));
  CHECK(left.front == left.back);
  CHECK(left.state == 0);
  CHECK(left.event.count == 1);
  CHECK(bench.card(0).busy().empty());
  CHECK(bench.card(1).busy().empty());
}
