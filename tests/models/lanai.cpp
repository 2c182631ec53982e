/// The LANai card's engines, each at its exact time, and in-transit packets.
#include <catch2/catch.hpp>

#include "tests/models/lanai_bench.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr Time cycle = LanaiBench::cycle;
constexpr Time flit = 6250_ps;    // Myrinet paper 4.1
constexpr Time dma_start = 60ns;  // nic.dma.start
constexpr std::uint32_t buffer = 0x20000, other = 0x30000, route_at = 0x40000;
constexpr std::uint32_t packet_bytes = 100;

/// Of a transfer of whole bursts of 512 bytes (nic.dma.burst).
constexpr Time over_bus(int bytes) { return (bytes / 512) * LanaiHost::bus_latency + bytes * LanaiHost::bus_byte; }

/// A packet of `packet_bytes` after a route; reports 0 when it is handed to SEND and 1 when its tail has left.
std::vector<Step> send_packet(LanaiHost& host, std::initializer_list<std::uint8_t> bytes) {
  lanai_route route{};
  for (const std::uint8_t byte : bytes) route.bytes[route.length++] = byte;
  host.write_sram(route_at, &route, sizeof route);
  std::vector<std::byte> packet(packet_bytes);
  for (std::size_t i = 0; i < packet.size(); ++i) packet[i] = std::byte(i * 7);
  host.write_sram(buffer, packet.data(), packet.size());
  return {
      {STEP_TELL, 0}, {STEP_SEND, route_at, buffer, packet_bytes}, {STEP_WAIT, LANAI_EVENT_SEND}, {STEP_TELL, 1}, {}};
}

/// Reports 2 when a packet has arrived.
std::vector<Step> receive_packet() {
  return {{STEP_ARM, other, 4096}, {STEP_WAIT, LANAI_EVENT_RECV}, {STEP_TELL, 2}, {STEP_TAKE}, {STEP_TELL, 3}, {}};
}

}  // namespace

TEST_CASE("SDMA moves bytes from the host in bursts, and then notifies the processor") {
  LanaiBench bench;
  LanaiHost& host = bench[0];
  for (std::size_t i = 0; i < 1024; ++i) host.memory[0x1000 + i] = std::byte(i * 3);
  host.steps = {{STEP_TELL, 0}, {STEP_SDMA, 0x1000, buffer, 1024}, {STEP_WAIT, LANAI_EVENT_SDMA}, {STEP_TELL, 1}, {}};
  bench.run();
  const Time asked = host.told.at(0) + cycle + dma_start;  // the register's cycle, then the engine
  CHECK(host.bursts() == std::vector<Time>{asked, asked + over_bus(512)});
  CHECK(host.told.at(1) == asked + over_bus(1024) + cycle);
  CHECK(host.read_sram<std::uint8_t>(buffer + 1023) == static_cast<std::uint8_t>(1023 * 3));
}

TEST_CASE("RDMA moves bytes to the host, while SDMA takes turns at the bus") {
  LanaiBench bench;
  LanaiHost& host = bench[0];
  const std::uint32_t word = 0x12345678;
  host.write_sram(buffer, &word, sizeof word);
  host.steps = {{STEP_TELL, 0},
                {STEP_RDMA, 0x2000, buffer, 1024},
                {STEP_SDMA, 0x1000, other, 512},
                {STEP_WAIT, LANAI_EVENT_SDMA},
                {STEP_TELL, 1},
                {STEP_WAIT, LANAI_EVENT_RDMA},
                {STEP_TELL, 2},
                {}};
  bench.run();
  const Time asked = host.told.at(0) + cycle + dma_start;
  // RDMA's first burst, SDMA's one, RDMA's second.
  CHECK(host.bursts() == std::vector<Time>{asked, asked + cycle, asked + over_bus(512)});
  CHECK(host.told.at(1) == asked + 2 * over_bus(512) + cycle);
  CHECK(host.told.at(2) == asked + 3 * over_bus(512) + cycle);
  CHECK(std::memcmp(host.memory.data() + 0x2000, &word, sizeof word) == 0);
}

TEST_CASE("the timer wakes the processor, and cycles are time") {
  LanaiBench bench;
  bench[0].steps = {{STEP_TELL, 0},
                    {STEP_TIMER, 3},
                    {STEP_WAIT, LANAI_EVENT_TIMER},
                    {STEP_TELL, 1},
                    {STEP_CYCLES, 7},
                    {STEP_TELL, 2},
                    {}};
  bench.run();
  const auto& told = bench[0].told;
  CHECK(told.at(1) == told.at(0) + cycle + 3 * 500ns + cycle);
  CHECK(told.at(2) == told.at(1) + 8 * cycle);
}

TEST_CASE("SEND puts route, packet and CRC on the wire, and RECV has them without the route") {
  LanaiBench bench;
  bench[0].steps = send_packet(bench[0], {bench.to(1)});
  bench[1].steps = receive_packet();
  bench.run();
  const Time handed = bench[0].told.at(0) + cycle;
  // 102 flits leave. The switch removes the first one, which reaches it 8 flit times after its start, and forwards the
  // second one 24 flit times later. The last of 101 flits arrives 8 flit times after it has left.
  CHECK(bench[0].told.at(1) == handed + 102 * flit + cycle);
  CHECK(bench[1].told.at(2) == handed + (8 + 24 + 100 + 8) * flit + cycle);
  const auto taken = bench[1].read_sram<lanai_taken>(LANAI_TAKEN);
  CHECK(taken.buffer == other);
  CHECK(taken.bytes == packet_bytes);
  CHECK(taken.intact == 1);
  CHECK(bench[1].read_sram<std::uint8_t>(other + 99) == static_cast<std::uint8_t>(99 * 7));
}

TEST_CASE("if headers do not count, a packet takes the paper's time") {
  LanaiBench bench({"nic.uncounted=24B"});
  bench[0].steps = send_packet(bench[0], {bench.to(1)});
  bench[1].steps = receive_packet();
  bench.run();
  // TIMING.md, by hand: 24 n + 8 (n + 1) + L - 1 flit times; a switch, and 76 of the 100 bytes.
  CHECK(bench[1].told.at(2) == bench[0].told.at(0) + cycle + (24 + 16 + 75) * flit + cycle);
  CHECK(bench[1].read_sram<lanai_taken>(LANAI_TAKEN).bytes == packet_bytes);
}

TEST_CASE("an in-transit packet is detected, waits for the processor, and leaves while it arrives") {
  LanaiBench bench;
  bench[0].steps = send_packet(bench[0], {bench.to(1), LANAI_ROUTE_IN_TRANSIT, bench.to(2)});
  bench[1].steps = {{STEP_WAIT, LANAI_EVENT_IN_TRANSIT}, {STEP_SEND_ON}, {STEP_TELL, 0}, {}};
  bench[2].steps = receive_packet();
  bench.run();
  const Time handed = bench[0].told.at(0) + cycle;
  const Time head = handed + (8 + 24 + 8) * flit;  // at the in-transit host
  // 44 and 32 flit times (Myrinet paper 4.1); the program waits in its next register access.
  CHECK(bench[1].told.at(0) == head + 275ns + 200ns + cycle);
  // The switch removes the in-transit header and the next route byte, 6 flits; 101 remain.
  CHECK(bench[2].told.at(2) == head + 275ns + 200ns + (8 + 24 + 100 + 8) * flit + cycle);
  CHECK(bench[2].read_sram<lanai_taken>(LANAI_TAKEN).intact == 1);
}

TEST_CASE("a busy processor keeps an in-transit packet waiting") {
  LanaiBench bench;
  bench[0].steps = send_packet(bench[0], {bench.to(1), LANAI_ROUTE_IN_TRANSIT, bench.to(2)});
  bench[1].steps = {{STEP_TELL, 0},
                    {STEP_CYCLES, 1000},
                    {STEP_TELL, 1},
                    {STEP_WAIT, LANAI_EVENT_IN_TRANSIT},
                    {STEP_SEND_ON},
                    {STEP_TELL, 2},
                    {}};
  bench[2].steps = receive_packet();
  bench.run();
  const auto& told = bench[1].told;
  CHECK(told.at(2) == told.at(1) + cycle + 200ns + cycle);  // it was detected long before
  CHECK(bench[2].told.at(2) == told.at(2) - cycle + (8 + 24 + 100 + 8) * flit + cycle);
}

TEST_CASE("the CRC detects a packet with a wrong bit") {
  LanaiBench bench({"link.bit_error_rate=0.5"});
  bench[0].steps = send_packet(bench[0], {bench.to(1)});
  bench[1].steps = receive_packet();
  bench.run();
  CHECK(bench[1].read_sram<lanai_taken>(LANAI_TAKEN).intact == 0);
}

TEST_CASE("a packet whose route leads to no host leaves in its time while the processor goes on") {
  LanaiBench bench;
  bench[0].steps = send_packet(bench[0], {LANAI_ROUTE_PORT | 15});
  bench[0].steps.insert(bench[0].steps.begin() + 2, {STEP_TELL, 2});
  bench.run();
  const Time handed = bench[0].told.at(0) + cycle;
  CHECK(bench[0].told.at(2) == handed + cycle);
  CHECK(bench[0].told.at(1) == handed + 102 * flit + cycle);
}

TEST_CASE("a packet whose route leads to no host, or for which there is no buffer, is discarded") {
  LanaiBench bench;
  bench[0].steps = send_packet(bench[0], {LANAI_ROUTE_PORT | 15});
  bench[1].steps = send_packet(bench[1], {bench.to(2)});
  bench.run();
  CHECK(bench[0].told.contains(1));
  StatisticsTable table;
  bench.card(0).report(table);
  bench.card(2).report(table);
  CHECK_THAT(table.table().csv(), Catch::Contains("card_0,packets_misrouted,1,1"));
  CHECK_THAT(table.table().csv(), Catch::Contains("card_2,packets_without_buffer,1,1"));
}
