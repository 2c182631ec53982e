/// Cards that carry messages, at their exact times. A Mesh of Clos' link has 100 ns a byte, its router 200 ns a header
/// and one flit of buffer (FACTS 4.1): a packet of n flits is over the links of one router in (n + 1) * 100 + 200 ns,
/// and the next one may start (n + 2) * 100 ns after it (the header waits 200 ns, and the flit behind it with it).
#include "tests/models/message_port_bench.hpp"

namespace sanvp::test {
namespace {

constexpr Time flit = 100ns, routing = 200ns, setup = 10us;  // the VCP's own, at each end
constexpr Time over(int flits) { return (flits + 1) * flit + routing; }
constexpr Time again(int flits) { return (flits + 2) * flit; }
constexpr Time full = over(130), acknowledgement = over(2);  // 128 bytes and a header of 2 (paper 4)

constexpr std::uint64_t buffer = 0x10000, send_status = 0x100, receive_status = 0x200;

message_command send(std::uint32_t node, std::uint32_t bytes, std::uint64_t status = send_status,
                     std::uint32_t tag = 0) {
  return {.kind = MESSAGE_SEND,
          .node = node,
          .process = 0,
          .tag = tag,
          .mask = 0,
          .bytes = bytes,
          .buffer = buffer,
          .status = status};
}
message_command receive(std::uint32_t node, std::uint32_t room, std::uint64_t status = receive_status,
                        std::uint32_t tag = 0, std::uint32_t mask = UINT32_MAX) {
  return {.kind = MESSAGE_RECEIVE,
          .node = node,
          .process = node == MESSAGE_ANY ? MESSAGE_ANY : 0,
          .tag = tag,
          .mask = mask,
          .bytes = room,
          .buffer = buffer,
          .status = status};
}

TEST_CASE("a message of one packet takes both VCPs' set-ups and its way, its sender an answer's way more") {
  MessageBench bench(2);
  bench[0].program = [](MessageHost& host) {
    host.fill(buffer, 128);
    MessageHost::wait_until(1us);
    host.command(send(1, 128));
  };
  bench[1].program = [](MessageHost& host) { host.command(receive(0, 128)); };
  bench.run();
  CHECK(bench[1].is_filled(buffer, 128));
  CHECK(bench[1].status(receive_status).state == MESSAGE_DONE);
  CHECK(bench[1].written[receive_status] == 1us + setup + full + setup);
  CHECK(bench[0].written[send_status] == 1us + setup + full + setup + acknowledgement);
}

TEST_CASE("packets of a message follow each other on the wire") {
  // FACTS 7.6 has 16 packets of 13.0 us, 209 us; here each is 0.2 us longer, which a header waits in a router.
  MessageBench bench(2);
  bench[0].program = [](MessageHost& host) {
    host.fill(buffer, 2048);
    host.command(send(1, 2048));
  };
  bench[1].program = [](MessageHost& host) { host.command(receive(MESSAGE_ANY, 4096)); };
  bench.run();
  CHECK(bench[1].is_filled(buffer, 2048));
  CHECK(bench[1].status(receive_status).bytes == 2048);
  CHECK(bench[1].written[receive_status] == setup + 15 * again(130) + full + setup);
}

TEST_CASE("a message that comes before its receive waits in the card, and its sender with it") {
  MessageBench bench(2);
  bench[0].program = [](MessageHost& host) {
    host.fill(buffer, 300);
    host.command(send(1, 300));
  };
  bench[1].program = [](MessageHost& host) {
    MessageHost::wait_until(100us);
    host.command(receive(0, 300));
  };
  bench.run();
  CHECK(bench[1].is_filled(buffer, 300));
  CHECK(bench[1].written[receive_status] == 100us + setup);
  CHECK(bench[0].written[send_status] == 100us + setup + acknowledgement);
}

TEST_CASE("a message to the same process waits for the answer to the one before") {
  MessageBench bench(2);
  bench[0].program = [](MessageHost& host) {
    host.command(send(1, 128, send_status));
    host.command(send(1, 128, send_status + 32));
  };
  bench[1].program = [](MessageHost& host) {
    for (const std::uint64_t i : {0, 1}) host.command(receive(0, 128, receive_status + 32 * i));
  };
  bench.run();
  const Time one = setup + full + setup + acknowledgement;
  CHECK(bench[0].written[send_status] == one);
  CHECK(bench[0].written[send_status + 32] == 2 * one);
}

TEST_CASE("a message to another process is set up while the one before is on the wire") {
  MessageBench bench(3);
  bench[0].program = [](MessageHost& host) {
    host.command(send(1, 128, send_status));
    host.command(send(2, 128, send_status + 32));
  };
  for (const int node : {1, 2}) bench[node].program = [](MessageHost& host) { host.command(receive(0, 128)); };
  bench.run();
  CHECK(bench[1].written[receive_status] == setup + full + setup);
  // Its set-up, 10 us, is over before the link is free.
  CHECK(bench[2].written[receive_status] == setup + again(130) + full + setup);
}

TEST_CASE("a receive takes the first message of its sender and tag") {
  MessageBench bench(3);
  bench[0].program = [](MessageHost& host) {
    host.command(send(2, 10, send_status, 0x17));
    host.command(send(2, 20, send_status + 32, 0x25));
  };
  bench[1].program = [](MessageHost& host) { host.command(send(2, 30, send_status, 0x25)); };
  bench[2].program = [](MessageHost& host) {
    MessageHost::wait_until(1ms);
    host.command(receive(1, 100, receive_status, 0x20, 0xf0));
    host.command(receive(MESSAGE_ANY, 100, receive_status + 32, 0x17));
    host.command(receive(MESSAGE_ANY, 100, receive_status + 64, 0, 0));
  };
  bench.run();
  CHECK(bench[2].status(receive_status).bytes == 30);
  CHECK(bench[2].status(receive_status + 32).bytes == 10);
  CHECK(bench[2].status(receive_status + 64).bytes == 20);
  CHECK(bench[2].status(receive_status + 64).tag == 0x25);
}

TEST_CASE("a probe sees a message and leaves it, and what waits in vain can be cancelled") {
  MessageBench bench(2);
  bench[0].program = [](MessageHost& host) { host.command(send(1, 40, send_status, 7)); };
  bench[1].program = [](MessageHost& host) {
    message_command probe = receive(MESSAGE_ANY, 0, receive_status, 7);
    probe.kind = MESSAGE_PROBE;
    host.command(probe);
    probe.tag = 8;
    probe.status = receive_status + 32;
    host.command(probe);
    MessageHost::wait_until(1ms);
    CHECK(host.status(receive_status).bytes == 40);
    CHECK(host.status(receive_status + 32).state == MESSAGE_PENDING);
    probe.kind = MESSAGE_CANCEL;
    host.command(probe);
    host.command(receive(0, 40, receive_status + 64, 7));
  };
  bench.run();
  CHECK(bench[1].status(receive_status + 32).state == MESSAGE_CANCELLED);
  CHECK(bench[1].status(receive_status + 64).state == MESSAGE_DONE);
}

TEST_CASE("what a process does wrong is told to it and stops nobody else") {
  MessageBench bench(2);
  bench[0].program = [](MessageHost& host) {
    message_command wild = send(1, 64, send_status);
    wild.buffer = MessageHost::memory_bytes;
    host.command(wild);
    host.command(send(99, 64, send_status + 32));
    host.command(send(1, MESSAGE_MOST_BYTES + 1, send_status + 64));
    message_command unknown = send(1, 64, send_status + 96);
    unknown.kind = 77;
    host.command(unknown);
    CHECK_FALSE(host.write(MESSAGE_BAR_PORTS, 4, &unknown, sizeof unknown));
    CHECK_FALSE(host.write(MESSAGE_BAR_PORTS, 0, &unknown, 4));
    CHECK_FALSE(host.write(MESSAGE_BAR_ROM, 0, &unknown, 4));
    MessageHost::wait_until(1ms);
    host.fill(buffer, 64);
    host.command(send(1, 64, send_status + 128));
  };
  bench[1].program = [](MessageHost& host) {
    host.command(receive(0, 64, receive_status));       // of zeros
    host.command(receive(0, 16, receive_status + 32));  // too little room
  };
  bench.run();
  CHECK(bench[0].status(send_status).state == MESSAGE_BAD_ADDRESS);
  CHECK(bench[0].status(send_status + 32).state == MESSAGE_UNREACHABLE);
  CHECK(bench[0].status(send_status + 64).state == MESSAGE_REFUSED);
  CHECK(bench[0].status(send_status + 96).state == MESSAGE_REFUSED);
  CHECK(bench[0].status(send_status + 128).state == MESSAGE_DONE);
  CHECK(bench[1].status(receive_status + 32).state == MESSAGE_TRUNCATED);
  CHECK(bench[1].status(receive_status + 32).bytes == 64);
  CHECK(bench[1].is_filled(buffer, 16));
  CHECK(bench[1].memory[buffer + 16] == std::byte{0});
}

TEST_CASE("a process sends to another of its node without the network") {
  MessageBench bench(1);
  bench[0].program = [](MessageHost& host) {
    host.fill(buffer, 500);
    message_command command = send(0, 500);
    command.process = 3;
    host.command(command);
    command = receive(0, 500);
    command.buffer = 2 * buffer;
    host.command(command, 3);
  };
  bench.run();
  CHECK(bench[0].is_filled(2 * buffer, 500));
  CHECK(bench[0].status(send_status).state == MESSAGE_DONE);
  CHECK(bench.network.network().delivered() == 0);
}

TEST_CASE("without set-ups a message takes its way alone") {
  MessageBench bench(2, "moc-2-1", {"nic.raw=yes"});
  bench[0].program = [](MessageHost& host) { host.command(send(1, 0)); };
  bench[1].program = [](MessageHost& host) { host.command(receive(0, 0)); };
  bench.run();
  CHECK(bench[1].written[receive_status] == over(2));
  CHECK(bench[0].written[send_status] == 2 * over(2));
  message_position position{};
  CHECK(bench[0].read(MESSAGE_BAR_ROM, 0, &position, sizeof position));
  CHECK(position.send_setup_ps == 0);
}

TEST_CASE("where routers choose, each message is put in order again for 5 us") {
  MessageBench bench(5, "moc-3-1", {"routing.layer=adaptive"});
  for (const int to : {1, 4}) {
    bench[to].program = [](MessageHost& host) { host.command(receive(0, 128)); };
  }
  bench[0].program = [](MessageHost& host) { host.command(send(4, 128)); };
  bench.run();
  // Up to a mesh router and down again: three routers, a hop of 100 ns and 200 ns of routing more for each.
  CHECK(bench[4].written[receive_status] == setup + full + 2 * (flit + routing) + setup + 5us);
}

TEST_CASE("a transputer's neighbour gets a byte after two routers' times and three links'") {
  // FACTS 5: 30 us in each router; 11.5 bits of 20 Mbit/s on the link, 1 us for 20 bytes between processor and router.
  MessageBench bench(2, "gcel-64");
  bench[0].program = [](MessageHost& host) { host.command(send(1, 1)); };
  bench[1].program = [](MessageHost& host) { host.command(receive(0, 1)); };
  bench.run();
  const Time link{574713};  // 1 s / 1.74 M
  CHECK(bench[1].written[receive_status] == 50ns + 30us + link + 30us + 50ns);
}

}  // namespace
}  // namespace sanvp::test
