/// The virtual channel processor and its link: actions and their times.
#include <catch2/catch.hpp>

#include "tests/models/ds_link_bench.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

// Of the rules' defaults, FACTS 7.2, 7.3 and the stub.
constexpr Time output = 300ns, acknowledge = 100ns, receive = 300ns;
constexpr Time stub_bus(int bytes) { return CardHost::bus_latency + bytes * CardHost::bus_byte; }
/// Time on the wire of a packet with `bytes` of header and data: 1 us per switch with 5 ns of cable; 100 ns per token,
/// and 40 ns for the EOP, with the last cable (tests/system/test_zero_load.py).
constexpr Time wire(int switches, int bytes) { return switches * 1005ns + bytes * 100ns + 45ns; }
constexpr int header = 2;
/// The words of a control block that the card writes.
constexpr int block_bytes = offsetof(ds_control_block, spare);

Time time_of(const DsLinkHost& host, std::uint64_t address, bool write, int which = 0) {
  for (const auto& transfer : host.transfers)
    if (transfer.address == address && transfer.write == write && which-- == 0) return transfer.at;
  return never;
}

void fill(DsLinkHost& host, std::uint64_t address, std::size_t bytes, unsigned seed) {
  for (std::size_t i = 0; i < bytes; ++i) host.memory[address + i] = static_cast<std::byte>(i * 37 + seed);
}
bool is_filled(const DsLinkHost& host, std::uint64_t address, std::size_t bytes, unsigned seed) {
  for (std::size_t i = 0; i < bytes; ++i)
    if (host.memory[address + i] != static_cast<std::byte>(i * 37 + seed)) return false;
  return true;
}

/// Host 0 sends one message to host `partner`, which has posted its input long before.
/// @return when the command was given
Time one_message(DsLinkBench& bench, int partner, std::uint32_t bytes) {
  static constexpr Time begin = 100us;
  fill(bench[0], place::data(0), bytes, 1);
  bench[0].program = [partner, bytes](DsLinkHost& host) {
    host.connect(0, partner);
    DsLinkHost::wait_until(begin);
    host.output(0, place::data(0), bytes);
  };
  bench[partner].program = [bytes](DsLinkHost& host) {
    host.connect(0, 0);
    host.input(0, place::data(0), bytes);
  };
  bench.run();
  CHECK(bench[partner].block(0).inputs == 1);
  CHECK(bench[partner].block(0).bytes == bytes);
  CHECK(bench[0].block(0).outputs == 1);
  CHECK(is_filled(bench[partner], place::data(0), bytes, 1));
  return begin;
}

}  // namespace

TEST_CASE("a message of one packet takes the times of its units and of its path") {
  DsLinkBench bench;
  const Time begin = one_message(bench, 1, 32);
  const Time sent = begin + output + stub_bus(32);
  CHECK(time_of(bench[0], place::data(0), false) == begin + output);
  const Time looked_at = sent + wire(1, header + 32) + receive;
  CHECK(time_of(bench[1], place::data(0), true) == looked_at);
  CHECK(time_of(bench[1], place::block(0), true) == looked_at + stub_bus(32));
  const Time told = looked_at + stub_bus(32) + stub_bus(block_bytes);
  CHECK(time_of(bench[1], place::queue + offsetof(ds_run_queue, entries), true) == told);
  CHECK(time_of(bench[1], place::queue, true) == told + stub_bus(4));
  // The acknowledgement leaves as soon as the message is being consumed.
  CHECK(time_of(bench[0], place::block(0), true) == looked_at + acknowledge + wire(1, header) + receive);
}

TEST_CASE("a message is divided into packets of 32 bytes, each of which waits for the previous acknowledgement") {
  DsLinkBench bench;
  const Time begin = one_message(bench, 1, 100);
  const Time period = output + stub_bus(32) + wire(1, header + 32) + receive + acknowledge + wire(1, header) + receive;
  for (int packet = 0; packet < 4; ++packet)
    CHECK(time_of(bench[0], place::data(0) + packet * 32U, false) == begin + packet * period + output);
  CHECK(bench.counter(0, "packets_out") == 4);
  CHECK(bench.counter(1, "acknowledgements") == 4);
}

TEST_CASE("with a window packets follow each other without a pause on the wire") {
  // Few enough links for one header to contain them and their sequence bits.
  DsLinkBench bench(2, {"nic.vcp.window=8", "nic.virtual_links=8"});
  constexpr int packets = 3;  // before an acknowledgement returns, whose flow control would use time of the link
  const Time begin = one_message(bench, 1, 32 * packets);
  const Time first = begin + output + stub_bus(32);
  constexpr Time on_the_wire = (header + 32) * 100ns + 40ns;
  for (int packet = 0; packet < packets; ++packet)
    CHECK(time_of(bench[1], place::data(0) + packet * 32U, true) ==
          first + packet * on_the_wire + wire(1, header + 32) + receive);
}

TEST_CASE("a deleted header takes time on the first cable, but not on the last") {
  DsLinkBench bench(2, {"nic.header_deletion=always", "nic.vcp.window=2"});
  const Time begin = one_message(bench, 1, 64);
  const Time sent = begin + output + stub_bus(32);
  // The last cable waits as long as the switch delays the second header after the first.
  constexpr Time routing = 160ns;  // of the STC104 (models/switches)
  const Time first = sent + wire(1, header + 32) + (header * 100ns - routing) + receive;
  CHECK(time_of(bench[1], place::data(0), true) == first);
  CHECK(time_of(bench[1], place::data(0) + 32, true) == first + (2 * header + 32) * 100ns + 40ns);
}

TEST_CASE("a message of no bytes is an empty packet with EOM, and is not mistaken for an acknowledgement") {
  DsLinkBench bench;
  one_message(bench, 1, 0);
  CHECK(bench.counter(1, "messages_in") == 1);
}

TEST_CASE("an output ends only when an input takes it") {
  DsLinkBench bench;
  fill(bench[0], place::data(0), 20, 3);
  bench[0].program = [](DsLinkHost& host) {
    host.connect(0, 1);
    host.output(0, place::data(0), 20);
  };
  static constexpr Time taken = 500us;
  bench[1].program = [](DsLinkHost& host) {
    host.connect(0, 0);
    DsLinkHost::wait_until(taken);
    CHECK(host.block(0).waiting == 1);
    host.input(0, place::data(0), 20);
  };
  bench.run();
  CHECK(time_of(bench[1], place::data(0), true) == taken);
  CHECK(time_of(bench[0], place::block(0), true) == taken + acknowledge + wire(1, header) + receive);
  CHECK(bench[1].block(0).waiting == 0);
  CHECK(bench.counter(0, "resent") == 0);
}

TEST_CASE("a packet that arrives before its link is connected waits for the connection") {
  DsLinkBench bench;
  fill(bench[0], place::data(5), 70, 4);
  bench[0].program = [](DsLinkHost& host) {
    host.connect(5, 1);
    host.output(5, place::data(5), 70);
  };
  bench[1].program = [](DsLinkHost& host) {
    DsLinkHost::wait_until(300us);
    host.connect(5, 0);
    host.input(5, place::data(5), 70);
  };
  bench.run();
  CHECK(is_filled(bench[1], place::data(5), 70, 4));
}

TEST_CASE("the owner of a link that is not connected is told once that a packet waits, and when") {
  static constexpr Time begin = 100us;
  constexpr std::uint32_t link = 3;
  DsLinkBench bench;
  fill(bench[0], place::data(link), 32, 5);
  bench[0].program = [](DsLinkHost& host) {
    host.connect(link, 1);
    DsLinkHost::wait_until(begin);
    host.output(link, place::data(link), 32);
  };
  std::vector<std::uint32_t> told_before;
  bench[1].program = [&](DsLinkHost& host) {
    host.own(2, 2);
    DsLinkHost::wait_until(25ms);  // the packet is sent again, for want of an acknowledgement
    told_before = host.told();
    host.connect(link, 0);
    host.input(link, place::data(link), 32);
  };
  bench.run();
  CHECK(bench.counter(1, "duplicates") > 0);
  CHECK(told_before == std::vector{link});
  const Time looked_at = begin + output + stub_bus(32) + wire(1, header + 32) + receive;
  CHECK(time_of(bench[1], place::queue + offsetof(ds_run_queue, entries), true) == looked_at);
  CHECK(time_of(bench[1], place::queue, true) == looked_at + stub_bus(4));
  CHECK(bench[1].block(link).inputs == 1);
  CHECK(is_filled(bench[1], place::data(link), 32, 5));
}

TEST_CASE("an owner that comes late is told of its own links, and one that has gone of none") {
  DsLinkBench bench;
  bench[0].program = [](DsLinkHost& host) {
    const auto send = [&](std::uint32_t link) {
      host.connect(link, 1);
      host.output(link, place::data(link), 32);
    };
    for (const std::uint32_t link : {1U, 2U, 5U}) send(link);
    DsLinkHost::wait_until(400us);
    send(0);
  };
  bench[1].program = [](DsLinkHost& host) {
    DsLinkHost::wait_until(200us);
    host.own(0, 3);
    DsLinkHost::wait_until(300us);
    host.own(0, 3, 0);
    host.own(4, 2);
  };
  bench.run(1ms);
  CHECK(bench[1].told() == std::vector<std::uint32_t>{1, 2, 5});
}

TEST_CASE("the beginning of a message that is too long is kept and its length reported") {
  DsLinkBench bench;
  fill(bench[0], place::data(0), 100, 5);
  bench[0].program = [](DsLinkHost& host) {
    host.connect(0, 1);
    host.output(0, place::data(0), 100);
  };
  bench[1].program = [](DsLinkHost& host) {
    host.connect(0, 0);
    host.input(0, place::data(0), 40);
  };
  bench.run();
  CHECK(bench[1].block(0).bytes == 100);
  CHECK(is_filled(bench[1], place::data(0), 40, 5));
  CHECK(bench[1].memory[place::data(0) + 40] == std::byte{0});
}

TEST_CASE("an input is cancelled, and the next one gets the message") {
  DsLinkBench bench;
  fill(bench[0], place::data(0), 8, 6);
  bench[0].program = [](DsLinkHost& host) {
    host.connect(0, 1);
    DsLinkHost::wait_until(200us);
    host.output(0, place::data(0), 8);
  };
  bench[1].program = [](DsLinkHost& host) {
    host.connect(0, 0);
    host.input(0, place::data(0), 8);
    DsLinkHost::wait_for(50us);
    host.take_back(0);
    DsLinkHost::wait_until_so([&] { return host.block(0).inputs == 1; });
    CHECK(host.block(0).taken_back == 1);
    host.input(0, place::data(0) + 64, 8);
  };
  bench.run();
  CHECK(bench[1].block(0).inputs == 2);
  CHECK(bench[1].block(0).taken_back == 1);
  CHECK(is_filled(bench[1], place::data(0) + 64, 8, 6));
}

TEST_CASE("virtual links carry data both ways, share the link in turn, and may lead to their own host") {
  DsLinkBench bench;
  constexpr std::uint32_t links = 6, bytes = 500;
  const auto program = [](int partner) {
    return [partner](DsLinkHost& host) {
      for (std::uint32_t link = 0; link < links; ++link) {
        host.connect(link, partner);
        fill(host, place::data(link), bytes, link + static_cast<std::uint32_t>(partner));
        host.input(link, place::data(link) + 0x8000, bytes);
        host.output(link, place::data(link), bytes);
      }
      host.connect(20, 1 - partner, 20);
      fill(host, place::data(20), bytes, 99);
      host.input(20, place::data(20) + 0x8000, bytes);
      host.output(20, place::data(20), bytes);
    };
  };
  bench[0].program = program(1);
  bench[1].program = program(0);
  bench.run();
  for (int host = 0; host < 2; ++host) {
    for (std::uint32_t link = 0; link < links; ++link)
      CHECK(is_filled(bench[host], place::data(link) + 0x8000, bytes, link + static_cast<std::uint32_t>(host)));
    CHECK(is_filled(bench[host], place::data(20) + 0x8000, bytes, 99));
  }
}

TEST_CASE("forbidden uses raise a fault that names the link") {
  DsLinkBench bench;
  std::vector<std::uint32_t> faults;
  bench[0].program = [&](DsLinkHost& host) {
    host.connect(3, 1);
    host.output(7, place::data(0), 8);               // not connected
    host.output(3, CardHost::memory_bytes + 64, 8);  // no memory there
    DsLinkHost::wait_for(10us);
    host.output(3, place::data(0), 8);  // the other one has not finished
    DsLinkHost::wait_for(10us);
    for (std::uint32_t fault = 1; (fault = host.read32(DS_BAR_REGISTERS, DS_REG_FAULT)) != 0;) faults.push_back(fault);
  };
  bench.run();
  const auto word = [](ds_fault_cause cause, std::uint32_t link) {
    return static_cast<std::uint32_t>(cause) << 24 | link;
  };
  CHECK(faults == std::vector{word(DS_FAULT_NOT_CONNECTED, 7), word(DS_FAULT_ADDRESS, 3), word(DS_FAULT_BUSY, 3)});
}

TEST_CASE("a disconnected virtual link takes nothing in and writes nothing until it is connected again") {
  static constexpr Time again = 500us;
  DsLinkBench bench;
  fill(bench[0], place::data(0), 32, 1);
  bench[0].program = [](DsLinkHost& host) {
    host.connect(0, 1);
    DsLinkHost::wait_until(100us);
    host.output(0, place::data(0), 32);
  };
  bench[1].program = [](DsLinkHost& host) {
    host.connect(0, 0);
    host.input(0, place::data(0), 32);
    DsLinkHost::wait_until(50us);
    host.disconnect(0);
    DsLinkHost::wait_until(again);
    CHECK(host.transfers.empty());
    host.connect(0, 0);
  };
  bench.run();
  CHECK(time_of(bench[1], place::data(0), true) >= again);
  CHECK(bench[1].block(0).inputs == 1);
  CHECK(is_filled(bench[1], place::data(0), 32, 1));
  CHECK(bench[0].block(0).outputs == 1);
}
