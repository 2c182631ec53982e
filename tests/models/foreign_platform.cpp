/// Elan3 cards in a platform that is not ours: it steps, acts between its steps and from a thread of the computer,
/// notifies delta cycles in its memory, has initiators that run ahead of the kernel, and memory that waits. The results
/// are the same in all of them.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <functional>
#include <iostream>
#include <thread>

#include "tests/models/elan3_bench_dma.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr std::uint32_t bytes = 256;
constexpr Time go = 1000us;  // booting takes less

/// What the two programs have seen.
struct Seen {
  Time started{0};          ///< the sender's own time after its doorbell
  Time told{0};             ///< the receiver's own time when a register has shown the event
  std::uint32_t reads = 0;  ///< of that register until then
  std::uint32_t cookie = 0;
  std::uint32_t right = 0;    ///< bytes in the far memory
  std::uint32_t pending = 0;  ///< interrupts after it has acknowledged them
  bool operator==(const Seen&) const = default;
};

struct Ways {
  Time access{0}, quantum{0};
  bool memory_waits = false;
  net::Lead lead = net::Lead::none;
};

using Drive = std::function<void(Elan3Bench&)>;
void run(Elan3Bench& bench) { bench.run(); }

/// Looks at a card as a debugger or a console would, at the kernel's time.
std::uint32_t look(Elan3Host& host) {
  std::uint32_t value = 0;
  tlm::tlm_generic_payload payload;
  payload.set_read();
  payload.set_address(std::uint64_t{E3_BAR_REGISTERS} << 32 | E3_REG_INTERRUPT_MASK);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
  payload.set_data_length(sizeof value);
  payload.set_streaming_width(sizeof value);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  host.card->b_transport(payload, delay);
  return value;
}
/// Node 0 sends 256 bytes from memory to memory; node 1 polls its interrupt register until they are there.
Seen send(const Ways& ways, const Drive& drive) {
  Elan3Bench bench(2, {}, 1, ways.memory_waits, ways.lead);
  Seen seen;
  for (int i = 0; i < 2; ++i) {
    bench[i].access_time = ways.access;
    bench[i].quantum = ways.quantum;
  }
  bench.program(0, [&](Elan3Host& host) {
    for (std::uint32_t i = 0; i < bytes; ++i) host.memory[0x1000 + i] = std::byte{pattern(i)};
    host.synchronise();
    host.wait_until(go);
    e3_dma dma = write_dma(bytes, 1);
    dma.source = place::main + 0x1000;
    dma.dest = place::main + 0x2000;
    host.store(Elan3Host::sdram(dma_at), dma);
    host.command(0, E3_CP_PUT_DMA, dma_at);
    seen.started = host.now();
  });
  bench.program(1, [&](Elan3Host& host) {
    host.store(Elan3Host::sdram(dest_event), e3_event{.count = 1, .type = E3_EVENT_INTERRUPT(9)});
    host.synchronise();
    host.wait_until(go);
    do ++seen.reads;
    while ((host.read32(E3_BAR_REGISTERS, E3_REG_INTERRUPT) & E3_INT_EVENT) == 0);
    seen.told = host.now();
    seen.cookie = host.read32(E3_BAR_REGISTERS, E3_REG_EVENT_COOKIE);
    while (seen.right < bytes && host.memory[0x2000 + seen.right] == std::byte{pattern(seen.right)}) ++seen.right;
    host.write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT, E3_INT_EVENT);
    seen.pending = host.read32(E3_BAR_REGISTERS, E3_REG_INTERRUPT);
  });
  drive(bench);
  return seen;
}

/// The same in a process of its own: SystemC elaborates once in each.
Seen seen_by(const Ways& ways, const Drive& drive = run) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    try {
      const Seen seen = send(ways, drive);
      _exit(write(ends[1], &seen, sizeof seen) == sizeof seen ? 0 : 1);
    } catch (const std::exception& exception) {
      std::cerr << exception.what() << "\n";
      _exit(1);
    }
  }
  close(ends[1]);
  Seen seen;
  CHECK(read(ends[0], &seen, sizeof seen) == sizeof seen);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  return seen;
}

constexpr Time access_time = 130ns;
constexpr Time step = 50ns;

/// Steps, and does something between two steps.
Drive stepping(std::function<void(Elan3Bench&)> between) {
  return [between = std::move(between)](Elan3Bench& bench) {
    while (net::kernel_now() < go + 30us) {
      sc_core::sc_start(net::to_sc_time(step));
      between(bench);
    }
  };
}

/// A thread of the computer that makes the kernel call a process, which touches a card.
struct Console : sc_core::sc_prim_channel {
  Console() : sc_prim_channel("console") {}
  void update() override { asked.notify(sc_core::SC_ZERO_TIME); }
  sc_core::sc_event asked{"asked"};
};

void with_console(Elan3Bench& bench) {
  Console console;
  int touched = 0;
  sc_core::sc_spawn([&] {
    for (;;) {
      sc_core::wait(console.asked);
      look(bench[1]);
      ++touched;
    }
  });
  std::atomic<bool> has_ended = false;
  std::atomic<int> asked = 0;
  std::thread outside([&] {
    while (!has_ended) {
      console.async_request_update();
      ++asked;
      std::this_thread::yield();
    }
  });
  while (net::kernel_now() < go + 30us) {
    for (const int before = asked; asked == before;) std::this_thread::yield();  // at least once in each step
    sc_core::sc_start(sc_core::sc_time(50, sc_core::SC_US));
  }
  has_ended = true;
  outside.join();
  if (touched == 0) _exit(2);
}

/// A memory that notifies a delta cycle with each transfer of the card, in which a process touches the card.
void with_deltas(Elan3Bench& bench) {
  int touched = 0;
  bench[1].tells_writes = true;
  sc_core::sc_spawn([&] {
    for (;;) {
      sc_core::wait(bench[1].written);
      look(bench[1]);
      ++touched;
    }
  });
  bench.run();
  if (touched == 0) _exit(2);
}

}  // namespace

TEST_CASE("a message in a foreign platform arrives with all its bytes, and is seen by the next access of a poll") {
  const Seen seen = seen_by({.access = access_time});
  CHECK(seen.right == bytes);
  CHECK(seen.cookie == 9);
  CHECK(seen.pending == 0);
  CHECK(seen.started == go + 2 * access_time);
  CHECK(seen.told == go + seen.reads * access_time);
  CHECK(seen.told > go + 3us);
  CHECK(seen.told < go + 10us);
}

TEST_CASE("initiators that run ahead of the kernel see the same for every quantum") {
  const Seen exact = seen_by({.access = access_time});
  for (const Time quantum : {100ns, 1000ns, 10000ns, 100000ns})
    CHECK(seen_by({.access = access_time, .quantum = quantum}) == exact);
}

TEST_CASE("a timeline that leads gives what one without a lead gives") {
  CHECK(seen_by({.access = access_time, .lead = net::Lead::to_next_event}) == seen_by({.access = access_time}));
  const Ways waits{.access = access_time, .memory_waits = true};
  CHECK(seen_by({.access = access_time, .memory_waits = true, .lead = net::Lead::to_next_event}) == seen_by(waits));
}

TEST_CASE("a program that steps and touches cards between its steps sees the same") {
  for (const bool waits : {false, true})
    for (const Time quantum : {0ns, 1000ns}) {
      const Ways ways{.access = access_time, .quantum = quantum, .memory_waits = waits};
      CHECK(seen_by(ways, stepping([](Elan3Bench& bench) {
                      for (int i = 0; i < 2; ++i) look(bench[i]);
                    })) == seen_by(ways));
    }
}

TEST_CASE("a thread of the computer that touches a card does not change what is seen") {
  CHECK(seen_by({.access = access_time}, with_console) == seen_by({.access = access_time}));
}

TEST_CASE("a memory that notifies delta cycles, in which the card is touched, does not change what is seen") {
  CHECK(seen_by({.access = access_time}, with_deltas) == seen_by({.access = access_time}));
}

TEST_CASE("where a step ends, nothing has happened that comes later") {
  Seen seen = seen_by({.access = access_time}, stepping([](Elan3Bench& bench) {
                        for (int i = 0; i < 2; ++i)
                          for (const auto& transfer : bench[i].transfers)
                            if (transfer.at > net::kernel_now() + 10us) _exit(3);
                        const bool has_come = bench[1].memory[0x2000] != std::byte{0};
                        if (has_come && net::kernel_now() < go + 2us) _exit(4);
                      }));
  CHECK(seen.right == bytes);
}
