/// The Tofu controller, step by step: every time follows from the parameters of its units.
#include <catch2/catch.hpp>

#include "tests/models/tofu_bench.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

// Defaults of nic.*
constexpr Time order = 260ns, receive = 260ns, gate = 50ns, arithmetic = 20ns, turn = 100ns;
/// A transfer on the stub's bus, and a read by the card.
constexpr Time bus(int bytes) { return CardHost::bus_latency + bytes * CardHost::bus_byte; }
constexpr Time read(int bytes) { return bus(bytes) + 235ns; }
/// Tag and page of a steering address that the card has not cached.
constexpr Time walk = read(sizeof(tofu_steering)) + read(sizeof(std::uint64_t));
constexpr Time start = 10us;  // of programs: all have booted

/// From host 0 to its neighbour: two switches of three stages, the last cable, and the flits behind the first
/// (tests/system/test_zero_load.py).
Time flight(int data_bytes) { return 3ns * 2 + 1ns + (96 + data_bytes + 4) / 5 * 1ns - 1ns; }

tofu_order an_order(tofu_operation operation, std::uint32_t length, std::uint32_t to = 1) {
  tofu_order order{};
  order.operation = static_cast<std::uint8_t>(operation);
  order.length = length;
  order.node = to;
  order.notices = TOFU_NOTICES;
  order.remote = TOFU_STADD(TofuHost::tag, 0x100);
  if (operation != TOFU_PUT_INLINE) order.local = TOFU_STADD(TofuHost::tag, 0x200);
  return order;
}

void at_start(TofuBench& bench, std::function<void(TofuHost&)> then) {
  bench[0].program = [then = std::move(then)](TofuHost& host) {
    TofuHost::wait_until(start);
    then(host);
  };
}

}  // namespace

TEST_CASE("a put with its data in the order, from the store to both notices") {
  TofuBench bench;
  tofu_order put = an_order(TOFU_PUT_INLINE, 8);
  put.remark = 77;
  std::memcpy(put.data, "sixbytes", 8);
  at_start(bench, [&](TofuHost& host) {
    host.give(put);
    TofuHost::wait_until(start + 10us);
    host.give(put);  // now the far card has cached the steering address
  });
  bench.run();
  TofuHost& far = bench[1];
  CHECK(std::memcmp(far.memory.data() + TofuHost::data + 0x100, "sixbytes", 8) == 0);
  const Time come = start + order + flight(8) + receive;
  CHECK(far.written(TofuHost::data + 0x100) == come + walk);
  CHECK(far.written(TofuHost::mrq) == come + walk + bus(8));
  CHECK(far.written(TofuHost::data + 0x100, 1) == come + 10us);
  const tofu_mrq_entry notice = far.arrived(0);
  CHECK(notice.number == 1);
  CHECK(notice.type == TOFU_REMOTE_PUT);
  CHECK(notice.remark == 77);
  CHECK(notice.node == 0);
  CHECK(notice.length == 8);
  // The order's TCQ entry is written when the packet has left; the acknowledgement is 20 flits.
  CHECK(bench[0].written(TofuHost::tcq) == start + order);
  CHECK(bench[0].written(TofuHost::mrq) == come + walk + bus(8) + flight(0) + receive);
  CHECK(bench[0].arrived(0).type == TOFU_LOCAL_PUT);
}

TEST_CASE("a put from memory reads it first, and an order in memory is fetched") {
  TofuBench bench;
  at_start(bench, [&](TofuHost& host) {
    host.store(TofuHost::data + 0x200, std::uint64_t{0x1122334455667788});
    host.store(TofuHost::orders, an_order(TOFU_PUT, 8));
    host.write32(TOFU_BAR_QUEUES, TOFU_PAGE_ORDERS, 1);
  });
  bench.run();
  CHECK(bench[1].load<std::uint64_t>(TofuHost::data + 0x100) == 0x1122334455667788);
  const Time sent = start + read(sizeof(tofu_order)) + order + walk + read(8);
  CHECK(bench[0].written(TofuHost::tcq) == sent);
  CHECK(bench[1].written(TofuHost::data + 0x100) == sent + flight(8) + receive + walk);
}

TEST_CASE("a put of two packets: the second is read while the first leaves, and the notice waits for both") {
  TofuBench bench;
  at_start(bench, [&](TofuHost& host) {
    for (std::uint32_t i = 0; i < 2000; ++i) host.store(TofuHost::data + 0x200 + i, static_cast<std::uint8_t>(i * 7));
    host.give(an_order(TOFU_PUT, 2000));
  });
  bench.run();
  CHECK(std::memcmp(bench[0].memory.data() + TofuHost::data + 0x200, bench[1].memory.data() + TofuHost::data + 0x100,
                    2000) == 0);
  // Both slots are free, so both requests are made at once; the second, of 80 bytes, waits for the bus at both ends.
  const Time asked = start + order + walk;
  const Time second = asked + bus(1920) + read(80) + flight(80) + receive;
  CHECK(bench[1].written(TofuHost::data + 0x100 + 1920) == second);
  const Time first = asked + read(1920) + flight(1920) + receive + walk;
  CHECK(bench[1].written(TofuHost::data + 0x100) == first);
  CHECK(bench[1].written(TofuHost::mrq) == first + bus(1920) + bus(80));
}

TEST_CASE("a get sends a request, and its data comes back") {
  TofuBench bench;
  bench[1].store(TofuHost::data + 0x100, std::uint64_t{42});
  at_start(bench, [&](TofuHost& host) { host.give(an_order(TOFU_GET, 8)); });
  bench.run();
  CHECK(bench[0].load<std::uint64_t>(TofuHost::data + 0x200) == 42);
  const Time asked = start + order + flight(0) + receive;
  CHECK(bench[0].written(TofuHost::data + 0x200) == asked + walk + read(8) + flight(8) + receive + walk);
  CHECK(bench[1].arrived(0).type == TOFU_REMOTE_GET);
  CHECK(bench[0].arrived(0).type == TOFU_LOCAL_GET);
}

TEST_CASE("an atomic operation returns the old value of the word") {
  TofuBench bench;
  bench[1].store(TofuHost::data + 0x100, std::uint64_t{40});
  tofu_order add = an_order(TOFU_ATOMIC, 8);
  add.arithmetic = TOFU_ADD;
  add.operand = 2;
  at_start(bench, [&](TofuHost& host) { host.give(add); });
  bench.run();
  CHECK(bench[1].load<std::uint64_t>(TofuHost::data + 0x100) == 42);
  CHECK(bench[0].arrived(0).value == 40);
  const Time asked = start + order + flight(0) + receive;
  CHECK(bench[1].written(TofuHost::data + 0x100) == asked + walk + read(8) + arithmetic);
  CHECK(bench[0].written(TofuHost::mrq) == asked + walk + read(8) + arithmetic + bus(8) + flight(0) + receive);
}

TEST_CASE("atomic operations of each kind and width") {
  TofuBench bench;
  const auto operation = [](std::uint8_t arithmetic, std::uint32_t width, std::uint64_t operand,
                            std::uint64_t comparand) {
    tofu_order order = an_order(TOFU_ATOMIC, width);
    order.arithmetic = arithmetic;
    order.operand = operand;
    order.comparand = comparand;
    return order;
  };
  const std::uint64_t before = 0xaaaaaaaa0000000c;
  const std::vector<std::pair<tofu_order, std::uint64_t>> cases{
      {operation(TOFU_SWAP, 8, 7, 0), 7},
      {operation(TOFU_SWAP, 4, 7, 0), 0xaaaaaaaa00000007},
      {operation(TOFU_ADD, 4, 0xfffffffffffffff4, 0), 0xaaaaaaaa00000000},
      {operation(TOFU_XOR, 8, 0xc, 0), 0xaaaaaaaa00000000},
      {operation(TOFU_AND, 8, 0x8, 0), 0x8},
      {operation(TOFU_OR, 8, 0x3, 0), 0xaaaaaaaa0000000f},
      {operation(TOFU_COMPARE_AND_SWAP, 8, 1, before), 1},
      {operation(TOFU_COMPARE_AND_SWAP, 8, 1, 0xc), before},
      {operation(TOFU_COMPARE_AND_SWAP, 4, 1, 0xc), 0xaaaaaaaa00000001}};
  std::vector<std::uint64_t> after;
  at_start(bench, [&](TofuHost& host) {
    for (const auto& [order, expected] : cases) {
      bench[1].store(TofuHost::data + 0x100, before);
      host.give(order);
      TofuHost::wait_until(net::kernel_now() + 10us);
      after.push_back(bench[1].load<std::uint64_t>(TofuHost::data + 0x100));
      host.write32(TOFU_BAR_QUEUES, TOFU_PAGE_MRQ, static_cast<std::uint32_t>(after.size()));
      host.write32(TOFU_BAR_QUEUES, TOFU_PAGE_TCQ, static_cast<std::uint32_t>(after.size()));
    }
  });
  bench.run();
  for (std::size_t i = 0; i < cases.size(); ++i) CHECK(after[i] == cases[i].second);
}

TEST_CASE("a packet to its own node is turned around by the router") {
  TofuBench bench;
  tofu_order put = an_order(TOFU_PUT_INLINE, 8, 0);
  at_start(bench, [&](TofuHost& host) { host.give(put); });
  bench.run();
  CHECK(bench[0].written(TofuHost::data + 0x100) == start + order + 21ns + turn + receive + walk);
}

TEST_CASE("two gates per node are a barrier of two") {
  TofuBench bench;
  const auto wire = [](TofuHost& host, std::uint32_t other) {
    const std::uint32_t both = TOFU_GATE_IN_USE | TOFU_GATE_LOCAL_SOURCE | TOFU_GATE_LOCAL_DESTINATION;
    host.wire(0, {.flags = both | TOFU_GATE_REMOTE_DESTINATION,
                  .local_gate = 1,
                  .remote_node = other,
                  .remote_gate = 1,
                  .done = TofuHost::done,
                  .path = 0,
                  .reserved = 0});
    host.wire(1, {.flags = both | TOFU_GATE_REMOTE_SOURCE,
                  .local_gate = 0,
                  .remote_node = 0,
                  .remote_gate = 0,
                  .done = 0,
                  .path = 0,
                  .reserved = 0});
  };
  const Time late = 3us;
  for (int i = 0; i < 2; ++i)
    bench[i].program = [&, i](TofuHost& host) {
      // The signals of host 0 arrive before the gates of host 1 are wired.
      if (i == 0) wire(host, 1);
      TofuHost::wait_until(start + i * late);
      if (i == 1) wire(host, 0);
      host.write32(TOFU_BAR_BARRIER, 0, 1);
    };
  bench.run();
  // At host 1: its start, from gate 0 to gate 1 (the signal of host 0 arrived long before), and back to gate 0.
  CHECK(bench[1].written(TofuHost::done) == start + late + 3 * gate);
  // At host 0: the other host's signal is under way instead of its own.
  CHECK(bench[0].written(TofuHost::done) == start + late + gate + flight(0) + gate + gate);
  CHECK(bench[0].load<std::uint32_t>(TofuHost::done) == 1);
}

TEST_CASE("a full queue holds notices in the card until software has removed some, and loses none") {
  TofuBench bench;
  tofu_order put = an_order(TOFU_PUT_INLINE, 8);
  put.notices = TOFU_REMOTE_MRQ_NOTICE;
  at_start(bench, [&](TofuHost& host) {
    for (std::uint64_t i = 0; i < 6; ++i) {
      put.remark = i;
      host.give(put);
    }
  });
  std::vector<std::uint64_t> remarks;
  bench[1].program = [&](TofuHost& host) {
    TofuHost::wait_until(start + 50us);
    CHECK(host.arrived(0).number == 1);  // not overwritten
    for (std::uint32_t i = 0; i < 6; ++i) {
      const tofu_mrq_entry entry = host.arrived(i);
      REQUIRE(entry.number == i + 1);
      remarks.push_back(entry.remark);
      host.write32(TOFU_BAR_QUEUES, TOFU_PAGE_MRQ, i + 1);
      TofuHost::wait_until(net::kernel_now() + 1us);
    }
  };
  bench.run();
  CHECK(remarks == std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("a lost answer is retransmitted after 10, 20, 40 us, and its operation is done once") {
  constexpr Time again = 10us;
  TofuBench bench;
  bench[1].store(TofuHost::data + 0x100, std::uint64_t{40});
  tofu_order add = an_order(TOFU_ATOMIC, 8);
  add.arithmetic = TOFU_ADD;
  add.operand = 2;
  bench.cut(1, start, start + 35us);  // lost at some 11 us, 21 us, 41 us; and not at 81 us
  at_start(bench, [&](TofuHost& host) { host.give(add); });
  bench.run();
  CHECK(bench[1].load<std::uint64_t>(TofuHost::data + 0x100) == 42);
  CHECK(bench[0].arrived(0).status == TOFU_OK);
  CHECK(bench[0].arrived(0).value == 40);
  CHECK(bench[0].arrived(1).number == 0);
  const Time done = start + order + flight(0) + receive + walk + read(8) + arithmetic + bus(8) + flight(0) + receive;
  CHECK(bench[0].written(TofuHost::mrq) == done + again + 2 * again + 4 * again);
}

TEST_CASE("an order that loses packets is reported to its queue once, and the interface continues") {
  TofuBench bench;
  bench.cut(0, start, start + 20us);
  at_start(bench, [&](TofuHost& host) {
    host.give(an_order(TOFU_PUT, 5 * 1920));
    TofuHost::wait_until(start + 30us);
    host.give(an_order(TOFU_PUT, 5 * 1920));
  });
  bench.run();
  CHECK(bench[0].arrived(0).status == TOFU_UNREACHABLE);
  CHECK(bench[0].arrived(1).status == TOFU_OK);
  CHECK(bench[0].arrived(2).number == 0);
  CHECK(bench[1].arrived(0).length == 5 * 1920);
  CHECK(bench[1].arrived(1).number == 0);
}

TEST_CASE("errors are reported: orders, steering addresses, queues, nodes") {
  TofuBench bench(2, {"topology.failed_switches=2"});
  struct Case {
    tofu_order order;
    std::uint32_t status;
    bool here;  ///< in the TCQ, otherwise in the MRQ
  };
  std::vector<Case> cases;
  const auto add = [&](tofu_operation operation, std::uint32_t status, bool here, auto change) {
    tofu_order order = an_order(operation, 8);
    order.notices = 0;
    change(order);
    cases.push_back({order, status, here});
  };
  add(TOFU_NOP, TOFU_BAD_ORDER, true, [](tofu_order& order) { order.operation = 99; });
  add(TOFU_PUT, TOFU_BAD_ORDER, true, [](tofu_order& order) { order.node = 36; });
  add(TOFU_ATOMIC, TOFU_BAD_ORDER, true, [](tofu_order& order) { order.remote += 4; });
  add(TOFU_PUT, TOFU_BAD_LOCAL_STADD, true, [](tofu_order& order) { order.local = TOFU_STADD(6, 0); });
  add(TOFU_PUT, TOFU_BAD_LOCAL_STADD, true,
      [](tofu_order& order) { order.local = TOFU_STADD(TofuHost::tag, TofuHost::data_bytes - 7); });
  add(TOFU_PUT, TOFU_BAD_REMOTE_STADD, false, [](tofu_order& order) { order.remote = TOFU_STADD(6, 0); });
  add(TOFU_GET, TOFU_BAD_REMOTE_STADD, false, [](tofu_order& order) { order.remote = TOFU_STADD(6, 0); });
  add(TOFU_GET, TOFU_BAD_LOCAL_STADD, false, [](tofu_order& order) { order.local = TOFU_STADD(6, 0); });
  add(TOFU_ATOMIC, TOFU_BAD_REMOTE_STADD, false, [](tofu_order& order) { order.remote = TOFU_STADD(6, 0); });
  add(TOFU_PUT, TOFU_NO_QUEUE, false, [](tofu_order& order) { order.queue = 1; });
  add(TOFU_GET, TOFU_NO_QUEUE, false, [](tofu_order& order) { order.tni = 1; });
  add(TOFU_PUT, TOFU_UNREACHABLE, false, [](tofu_order& order) { order.node = 2; });
  add(TOFU_ATOMIC, TOFU_UNREACHABLE, false, [](tofu_order& order) { order.node = 2; });
  std::vector<std::uint32_t> statuses;
  at_start(bench, [&](TofuHost& host) {
    std::uint32_t left = 0, arrived = 0;
    for (const Case& one : cases) {
      host.give(one.order);
      TofuHost::wait_until(net::kernel_now() + 20us);
      statuses.push_back(one.here ? host.left(left++).status : host.arrived(arrived++).status);
      host.write32(TOFU_BAR_QUEUES, TOFU_PAGE_TCQ, left);
      host.write32(TOFU_BAR_QUEUES, TOFU_PAGE_MRQ, arrived);
    }
  });
  bench.run();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    INFO("case " << i);
    CHECK(statuses[i] == cases[i].status);
  }
}
