/// Every way to do wrong, one after the other on one card: each traps where it must, with the right record; nothing of
/// the target's memory is touched; what another context and another node do in between is done.
#include <catch2/catch.hpp>

#include "tests/models/elan3_bench_dma.hpp"
#include "tests/models/elan3_bench_thread.hpp"
#include "tests/models/elan3_memory_image.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

// What all hosts map in a way of its own, beyond what `boot` does; elsewhere all is permitted.
constexpr e3_addr hole = dest + 0x3000, read_only = dest + 0x4000, own_only = dest + 0x5000, no_event = dest + 0x6000,
                  null_page = dest + 0x7000, queue = dest + 0x8000;
constexpr int offender = 0, target = 1, partner = 2, no_process = 40;
constexpr e3_addr good_source = place::elan + 0x30000, good_dest = place::elan + 0x40000;
constexpr std::uint32_t good_bytes = 64;
constexpr std::byte canary{0xc5};

struct Seen {
  int host, unit;
  e3_trap trap;
};

struct Row {
  const char* what;
  std::function<void(Elan3Host&)> offend;
  int host, unit;  ///< that traps first
  std::uint32_t cause;
  e3_addr address;
  std::uint32_t missing = E3_PERM_NULL;  ///< the permission
  bool refused = false;                  ///< then the offender's card traps as well
};

int by_unit(std::uint32_t pending) {
  constexpr std::array<std::uint32_t, E3_TRAP_RECORDS> bits{E3_INT_COMMAND_TRAP, E3_INT_DMA_TRAP, E3_INT_THREAD_TRAP,
                                                            E3_INT_INPUT_CH0_USER, E3_INT_INPUT_CH1_USER};
  for (int unit = 0; unit < E3_TRAP_RECORDS; ++unit)
    if ((pending & bits[unit]) != 0) return unit;
  return -1;
}

/// Drivers that note what traps and drop it.
void note_traps(Elan3Bench& bench, int host, std::vector<Seen>& seen) {
  bench[host].on_interrupt = [&seen, host](Elan3Host& at) {
    const std::uint32_t pending = at.read32(E3_BAR_REGISTERS, E3_REG_INTERRUPT);
    at.write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT, pending);
    const int unit = by_unit(pending);
    REQUIRE(unit >= 0);
    seen.push_back({host, unit, at.trap(unit)});
    at.resume(static_cast<std::uint32_t>(unit) | E3_RESUME_DROP);
  };
}

void map_pages(Elan3Host& host) {
  const auto set = [&](e3_addr page, std::uint32_t permission) {
    host.map(0, page, place::data + (page - place::elan), true, permission);
  };
  host.unmap(0, hole);
  set(read_only, E3_PERM_READ);
  set(own_only, E3_PERM_NO_REMOTE);
  set(no_event, E3_PERM_REMOTE_WRITE);
  set(null_page, E3_PERM_NULL);
}

std::vector<Row> commands() {
  const auto dma = [](auto change) {
    return [change](Elan3Host& host) {
      e3_dma one = write_dma(100, target);
      change(one);
      put(host, one);
    };
  };
  const auto command = [](std::uint32_t port, e3_addr argument, std::uint32_t context = 0) {
    return [=](Elan3Host& host) { host.command(context, port, argument); };
  };
  constexpr int unit = E3_TRAP_COMMAND;
  constexpr std::uint32_t no_context = 5;
  return {
      {"a DMA of 2 GiB", dma([](e3_dma& one) { one.size = 0x80000000; }), offender, unit, E3_CAUSE_DESCRIPTOR,
       place::elan + 0x1000},
      {"a direction that is none", dma([](e3_dma& one) { one.type |= 2U << 2; }), offender, unit, E3_CAUSE_DESCRIPTOR,
       place::elan + 0x1000},
      {"a queued DMA of more than a slot",
       dma([](e3_dma& one) { one.type |= E3_DMA_QUEUED, one.size = E3_QUEUE_MOST_BYTES + 1; }), offender, unit,
       E3_CAUSE_DESCRIPTOR, place::elan + 0x1000},
      {"a queued DMA that reads", dma([](e3_dma& one) { one.type |= E3_DMA_QUEUED | E3_DMA_READ; }), offender, unit,
       E3_CAUSE_DESCRIPTOR, place::elan + 0x1000},
      {"a destination beyond the last address", dma([](e3_dma& one) { one.dest = 0xffffffc0; }), offender, unit,
       E3_CAUSE_DESCRIPTOR, place::elan + 0x1000},
      {"a descriptor that is not aligned", command(E3_CP_PUT_DMA, dma_at + 8), offender, unit, E3_CAUSE_ALIGNMENT,
       dma_at + 8},
      {"a descriptor that is not mapped", command(E3_CP_PUT_DMA, hole), offender, unit, E3_CAUSE_PAGE, hole,
       E3_PERM_LOCAL_READ},
      {"a context that is none", command(E3_CP_PUT_DMA, dma_at, no_context), offender, unit, E3_CAUSE_PAGE, dma_at,
       E3_PERM_LOCAL_READ},
      {"GetDma of a write",
       [](Elan3Host& host) {
         host.store(Elan3Host::sdram(dma_at), write_dma(8, target));
         host.command(0, E3_CP_GET_DMA, dma_at);
       },
       offender, unit, E3_CAUSE_DESCRIPTOR, dma_at},
      {"an event that is not aligned", command(E3_CP_SET_EVENT, src_event + 4), offender, unit, E3_CAUSE_ALIGNMENT,
       src_event + 4, E3_PERM_REMOTE_EVENT},
      {"an event that is not mapped", command(E3_CP_SET_EVENT, hole), offender, unit, E3_CAUSE_PAGE, hole,
       E3_PERM_NO_REMOTE},
      {"an event in main memory", command(E3_CP_SET_EVENT, place::main), offender, unit, E3_CAUSE_PERMISSION,
       place::main, E3_PERM_REMOTE_EVENT},
      {"an event on a page that is read only", command(E3_CP_SET_EVENT, read_only), offender, unit, E3_CAUSE_PERMISSION,
       read_only, E3_PERM_NO_REMOTE},
      {"a wait record that is not mapped", command(E3_CP_WAIT_EVENT0, hole + 8), offender, unit, E3_CAUSE_PAGE,
       hole + 8, E3_PERM_LOCAL_READ},
      {"an event that copies from nowhere",
       [](Elan3Host& host) {
         host.store(Elan3Host::sdram(src_event),
                    e3_block_event{.count = 1, .type = E3_EVENT_COPY, .source = hole, .dest = src_done});
         host.command(0, E3_CP_SET_EVENT, src_event);
       },
       offender, unit, E3_CAUSE_PAGE, hole, E3_PERM_LOCAL_READ},
      {"an event that starts a DMA without sense",
       [](Elan3Host& host) {
         e3_dma one = write_dma(8, target);
         one.size = 0xffffffff;
         host.store(Elan3Host::sdram(dma_at), one);
         host.store(Elan3Host::sdram(src_event), e3_event{.count = 1, .type = E3_EVENT_DMA(dma_at)});
         host.command(0, E3_CP_SET_EVENT, src_event);
       },
       offender, unit, E3_CAUSE_DESCRIPTOR, dma_at},
      {"a thread that is not mapped", command(E3_CP_RUN_THREAD, hole), offender, unit, E3_CAUSE_PAGE, hole,
       E3_PERM_LOCAL_READ},
      {"a thread that is not aligned", command(E3_CP_RUN_THREAD, thread_at + 8), offender, unit, E3_CAUSE_ALIGNMENT,
       thread_at + 8},
  };
}

std::vector<Row> dmas() {
  const auto dma = [](std::uint32_t bytes, auto change) {
    return [bytes, change](Elan3Host& host) {
      e3_dma one = write_dma(bytes, target);
      one.dest_event = 0;
      change(one);
      put(host, one);
    };
  };
  const auto get = [](e3_addr from, e3_addr to) {
    return [from, to](Elan3Host& host) {
      e3_dma one = write_dma(100, offender);
      one.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_READ, 0, E3_DMA_RETRIES);
      one.src_cookie_proc = E3_COOKIE_PROC(0, target);
      one.source = from;
      one.dest = to;
      one.dest_event = 0;
      put(host, one);
    };
  };
  constexpr int own = E3_TRAP_DMA, input = E3_TRAP_INPUT0;
  return {
      {"a source that is not mapped", dma(100, [](e3_dma& one) { one.source = hole; }), offender, own, E3_CAUSE_PAGE,
       hole, E3_PERM_LOCAL_READ},
      {"a source without permission to read", dma(100, [](e3_dma& one) { one.source = null_page; }), offender, own,
       E3_CAUSE_PERMISSION, null_page, E3_PERM_LOCAL_READ},
      {"a process that is none", dma(100, [](e3_dma& one) { one.dest_cookie_proc = 99; }), offender, own,
       E3_CAUSE_ROUTE, 99},
      {"a process without a route", dma(100, [](e3_dma& one) { one.dest_cookie_proc = no_process; }), offender, own,
       E3_CAUSE_ROUTE, no_process},
      {"a source event that is not mapped", dma(0, [](e3_dma& one) { one.src_event = hole; }), offender, own,
       E3_CAUSE_PAGE, hole, E3_PERM_NO_REMOTE},
      {"a get into what is not mapped", get(source, hole), offender, own, E3_CAUSE_PAGE, hole, E3_PERM_REMOTE_WRITE},
      {"a get that ends in what is not mapped", get(source, hole - 8), offender, own, E3_CAUSE_PAGE, hole + 91,
       E3_PERM_REMOTE_WRITE},
      {"a get into what is read only", get(source, read_only), offender, own, E3_CAUSE_PERMISSION, read_only,
       E3_PERM_REMOTE_WRITE},
      {"a get from what is not mapped", get(hole, source), target, input, E3_CAUSE_PAGE, hole, E3_PERM_REMOTE_READ,
       true},
      {"a get from what others may not read", get(own_only, source), target, input, E3_CAUSE_PERMISSION, own_only,
       E3_PERM_REMOTE_READ, true},
      {"a put to what is not mapped", dma(100, [](e3_dma& one) { one.dest = hole; }), target, input, E3_CAUSE_PAGE,
       hole, E3_PERM_REMOTE_WRITE, true},
      {"a put that ends in what is not mapped", dma(300, [](e3_dma& one) { one.dest = hole - 64; }), target, input,
       E3_CAUSE_PAGE, hole, E3_PERM_REMOTE_WRITE, true},
      {"a put to what is read only", dma(100, [](e3_dma& one) { one.dest = read_only; }), target, input,
       E3_CAUSE_PERMISSION, read_only, E3_PERM_REMOTE_WRITE, true},
      {"a put to what others may not write", dma(100, [](e3_dma& one) { one.dest = own_only; }), target, input,
       E3_CAUSE_PERMISSION, own_only, E3_PERM_REMOTE_WRITE, true},
      {"an event where others may set none", dma(0, [](e3_dma& one) { one.dest_event = no_event; }), target, input,
       E3_CAUSE_PERMISSION, no_event, E3_PERM_REMOTE_EVENT, true},
      {"a far event that is not aligned", dma(0, [](e3_dma& one) { one.dest_event = dest_event + 4; }), target, input,
       E3_CAUSE_ALIGNMENT, dest_event + 4, E3_PERM_REMOTE_EVENT, true},
      {"a far event in main memory", dma(0, [](e3_dma& one) { one.dest_event = place::main; }), target, input,
       E3_CAUSE_PERMISSION, place::main, E3_PERM_REMOTE_EVENT, true},
      {"a queue that is not mapped",
       dma(64,
           [](e3_dma& one) {
             one.type |= E3_DMA_QUEUED;
             one.dest = hole;
           }),
       target, input, E3_CAUSE_PAGE, hole + static_cast<e3_addr>(offsetof(e3_input_queue, event)), E3_PERM_REMOTE_EVENT,
       true},
      {"a message longer than a slot",
       dma(100,
           [](e3_dma& one) {
             one.type |= E3_DMA_QUEUED;
             one.dest = queue;
           }),
       target, input, E3_CAUSE_DESCRIPTOR, queue + 0x100 + 64, E3_PERM_NULL, true},
  };
}

std::vector<Row> thread_rows(std::uint32_t program) {
  const auto thread = [program](std::initializer_list<std::uint32_t> arguments) {
    return [record = job(program, arguments)](Elan3Host& host) {
      host.store(Elan3Host::sdram(thread_at), record);
      host.command(0, E3_CP_RUN_THREAD, thread_at);
    };
  };
  constexpr int own = E3_TRAP_THREAD;
  return {
      {"a thread's load of what is not mapped", thread({load_word, place::main, hole}), offender, own, E3_CAUSE_PAGE,
       hole, E3_PERM_LOCAL_READ},
      {"a thread's copy to what is read only", thread({copy, place::main, read_only, source, 64, place::elan + 0x2000}),
       offender, own, E3_CAUSE_PERMISSION, read_only, E3_PERM_NO_REMOTE},
      {"a thread that waits for an event that is not aligned", thread({waits, place::main, src_event + 4, 1}), offender,
       own, E3_CAUSE_ALIGNMENT, src_event + 4, E3_PERM_REMOTE_EVENT},
      {"a thread's descriptor that is not aligned", thread({dma, place::main, dma_at + 4}), offender, own,
       E3_CAUSE_ALIGNMENT, dma_at + 4},
      {"a thread's packet to a process without a route", thread({packets, place::main, no_process, dest}), offender,
       own, E3_CAUSE_ROUTE, no_process},
      {"a thread that closes no packet", thread({misuse, place::main, 1, event_at}), offender, own,
       E3_CAUSE_INSTRUCTION, thread_at},
      {"a thread's packet to what is not mapped", thread({packets, place::main, target, hole}), target, E3_TRAP_INPUT0,
       E3_CAUSE_PAGE, hole, E3_PERM_REMOTE_WRITE, true},
      {"a thread's addition to what is not aligned", thread({packets, place::main, target, dest + 2}), target,
       E3_TRAP_INPUT0, E3_CAUSE_ALIGNMENT, dest + 10, E3_PERM_REMOTE_WRITE, true},
      {"a thread's program that is none",
       [](Elan3Host& host) {
         host.store(Elan3Host::sdram(thread_at), job(77, {}));
         host.command(0, E3_CP_RUN_THREAD, thread_at);
       },
       offender, E3_TRAP_COMMAND, E3_CAUSE_INSTRUCTION, thread_at},
  };
}

e3_dma good_dma(std::uint32_t number, std::uint32_t lane) {
  e3_dma one = write_dma(good_bytes, target);
  one.source = good_source;
  one.dest = good_dest + (2 * number + lane) * good_bytes;
  one.dest_event = 0;
  return one;
}

/// The table's rows at intervals long enough for one to be over before the next.
void check_rows(const std::function<std::vector<Row>(std::uint32_t program)>& table) {
  constexpr Time first = 100us, interval = 100us, in_between = 50us;
  Elan3Bench bench(3);
  const std::vector<Row> rows = table(load_tests(bench, offender));
  std::vector<Seen> seen;
  std::vector<std::size_t> before;  // how many had been seen when a row began
  for (const int host : {offender, target}) note_traps(bench, host, seen);
  bench.program(
      offender,
      [&](Elan3Host& at) {
        map_pages(at);
        fill(at, source, 1000);
        fill(at, good_source, good_bytes);
        for (std::uint32_t i = 0; i < rows.size(); ++i) {
          at.wait_until(first + i * interval);
          before.push_back(seen.size());
          rows[i].offend(at);
          at.wait_until(first + i * interval + in_between);
          put(at, good_dma(i, 0), 1, 1);  // by its other context
        }
      },
      2);
  bench.program(target, [&](Elan3Host& at) {
    map_pages(at);
    write_bytes(at, dest - 0x1000, Bytes(0x9000, canary));
    at.store(Elan3Host::sdram(queue), e3_input_queue{.state = 0,
                                                     .back = queue + 0x100,
                                                     .slot_bytes = 64,
                                                     .top = queue + 0x140,
                                                     .base = queue + 0x100,
                                                     .front = queue + 0x100,
                                                     .event = {.count = 9, .type = 0}});
  });
  bench.program(partner, [&](Elan3Host& at) {
    fill(at, good_source, good_bytes);
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      at.wait_until(first + i * interval + 1us);  // while the offender's packet is refused
      put(at, good_dma(i, 1));
    }
  });
  bench.run();
  REQUIRE(before.size() == rows.size());
  before.push_back(seen.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    CAPTURE(row.what);
    CHECK(before[i + 1] - before[i] == (row.refused ? 2 : 1));
    if (before[i + 1] == before[i]) continue;
    const Seen& trap = seen[before[i]];
    CHECK(trap.host == row.host);
    const bool input = trap.unit == E3_TRAP_INPUT0 || trap.unit == E3_TRAP_INPUT1;
    CHECK((row.unit == E3_TRAP_INPUT0 ? input : trap.unit == row.unit));
    CHECK(trap.trap.cause == row.cause);
    CHECK(trap.trap.address == row.address);
    CHECK(trap.trap.access == row.missing);
    if (row.refused && before[i + 1] - before[i] == 2) {
      const Seen& refused = seen[before[i] + 1];
      CHECK(refused.host == offender);
      CHECK(refused.trap.cause == E3_CAUSE_REFUSED);
      CHECK(refused.trap.process == target);
    }
    for (std::uint32_t lane = 0; lane < 2; ++lane)
      CHECK(right_bytes(bench[target], good_dma(static_cast<std::uint32_t>(i), lane).dest, good_bytes) == good_bytes);
  }
  CHECK(read_bytes(bench[target], dest - 0x1000, 0x9000) == Bytes(0x9000, canary));
  CHECK(bench[target].load<e3_input_queue>(Elan3Host::sdram(queue)).back == queue + 0x100);
  for (const int host : {offender, target, partner}) CHECK(bench.card(host).busy().empty());
}

}  // namespace

TEST_CASE("elan3 traps every command without sense, and others go on") {
  check_rows([](std::uint32_t) { return commands(); });
}

TEST_CASE("elan3 traps every DMA that may not be, and others go on") {
  check_rows([](std::uint32_t) { return dmas(); });
}

TEST_CASE("elan3 traps every thread that does what it may not, and others go on") { check_rows(thread_rows); }
