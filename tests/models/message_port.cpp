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

TEST_CASE("a probe sees a message and leaves it, and a waiting receive can be cancelled") {
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

TEST_CASE("what a process does wrong is reported to it and stops no other") {
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

TEST_CASE("with a CRC a packet is four bytes longer, and made and checked by both cards") {
  MessageBench bench(2, "moc-2-1", {"nic.protection=crc", "nic.crc.packet=5us"});
  bench[0].program = [](MessageHost& host) {
    host.fill(buffer, 128);
    MessageHost::wait_until(1us);
    host.command(send(1, 128));
  };
  bench[1].program = [](MessageHost& host) { host.command(receive(0, 128)); };
  bench.run();
  CHECK(bench[1].is_filled(buffer, 128));
  CHECK(bench[1].written[receive_status] == 1us + setup + 5us + over(134) + 5us + setup);
  CHECK(bench[0].written[send_status] == bench[1].written[receive_status] + over(6));
  CHECK(bench.network.network().delivered() == 4);  // message and acknowledgement, each confirmed
}

TEST_CASE("with a CRC every message is received once and whole, whatever is damaged on the way") {
  // 130 bytes and more over two channels at 5e-5: one packet in ten is hit, also of acknowledgements and confirmations.
  MessageBench bench(2, "moc-2-1", {"nic.protection=crc", "link.bit_error_rate=5e-5"});
  constexpr std::uint32_t messages = 40, bytes = 1000;
  bench[0].program = [](MessageHost& host) {
    host.fill(buffer, bytes);
    for (std::uint64_t i = 0; i < messages; ++i) host.command(send(1, bytes, send_status + 32 * i, 7));
  };
  bench[1].program = [](MessageHost& host) {
    for (std::uint64_t i = 0; i < messages; ++i) {
      message_command command = receive(0, bytes, 0x4000 + 32 * i, 7);
      command.buffer = buffer + 0x1000 * i;
      host.command(command);
    }
  };
  bench.run();
  for (std::uint64_t i = 0; i < messages; ++i) {
    CHECK(bench[0].status(send_status + 32 * i).state == MESSAGE_DONE);
    CHECK(bench[1].status(0x4000 + 32 * i).state == MESSAGE_DONE);
    CHECK(bench[1].is_filled(buffer + 0x1000 * i, bytes));
  }
  CHECK(bench.network.network().corrupt() > 10);
}

TEST_CASE("a packet that is never confirmed is given up after its attempts, and its sender is told") {
  // The last of three attempts begins after 1 + 2 ms; 4 ms later nothing has come.
  MessageBench bench(2, "moc-2-1",
                     {"nic.protection=crc", "link.bit_error_rate=0.5", "nic.crc.timeout=1ms", "nic.crc.attempts=3",
                      "nic.crc.packet=0ns"});
  bench[0].program = [](MessageHost& host) { host.command(send(1, 8)); };
  bench.run();
  CHECK(bench[0].status(send_status).state == MESSAGE_UNREACHABLE);
  CHECK(bench[0].written[send_status] == setup + 7ms);
}

TEST_CASE("a message that does not arrive takes those behind it with it, and the process's word counts them") {
  constexpr std::uint64_t count = 0x300;
  MessageBench bench(2);
  bench.cut(0, 1us, 1us + setup + full / 2);  // it is found to be lost where its end would have come
  bench[0].program = [](MessageHost& host) {
    message_command counting = receive(MESSAGE_ANY, 0, count);
    counting.kind = MESSAGE_COUNT_UNREACHABLE;
    host.command(counting);
    MessageHost::wait_until(1us);
    for (const std::uint64_t i : {0, 1, 2}) host.command(send(1, 128, send_status + 32 * i));
    MessageHost::wait_until(100us);
    host.command(send(1, 128, send_status + 96));
  };
  bench[1].program = [](MessageHost& host) {
    for (const std::uint64_t i : {0, 1}) host.command(receive(0, 128, receive_status + 32 * i));
  };
  bench.run();
  for (const std::uint64_t i : {0, 1, 2}) CHECK(bench[0].status(send_status + 32 * i).state == MESSAGE_UNREACHABLE);
  CHECK(bench[0].written[send_status + 64] == bench[0].written[send_status]);
  CHECK(bench[0].status(count).state == 3);
  CHECK(bench[0].status(count).node == 1);
  CHECK(bench[0].status(send_status + 96).state == MESSAGE_DONE);
  CHECK(bench[1].status(receive_status).state == MESSAGE_DONE);
  CHECK(bench[1].status(receive_status + 32).state == MESSAGE_PENDING);
}

message_complaint complaint_of(MessageHost& host) {
  message_complaint complaint{};
  CHECK(host.read(MESSAGE_BAR_COMPLAINT, 0, &complaint, sizeof complaint));
  return complaint;
}

TEST_CASE("a parity error loses the packet, and the card says whose it was") {
  MessageBench bench(2, "moc-2-1", {"link.bit_error_rate=0.5"});
  bench[0].program = [](MessageHost& host) { host.command(send(1, 128)); };
  bench[1].program = [](MessageHost& host) {
    CHECK(complaint_of(host).cause == 0);
    host.command(receive(0, 128));
    MessageHost::wait_until(1ms);
    CHECK(complaint_of(host).cause == MESSAGE_PARITY);
    CHECK(complaint_of(host).node == 0);
  };
  bench.run();
  CHECK(bench[1].status(receive_status).state == MESSAGE_PENDING);
  CHECK(bench.card(1).damaged() == 0);
}

TEST_CASE(
    "where nothing looks for errors a wrong bit is in the data that the process gets, or its header makes no sense") {
  // Each packet has one wrong bit: of 384 in its header as modelled, or of 960 in its data.
  int wrong = 0, senseless = 0;
  MessageBench bench(20, "gcel-64", {"link.bit_error_rate=0.5"});
  for (int host = 0; host < 20; host += 2) {
    bench[host].program = [host](MessageHost& self) {
      self.fill(buffer, 120);
      self.command(send(static_cast<std::uint32_t>(host) + 1, 120));
    };
    bench[host + 1].program = [](MessageHost& self) { self.command(receive(MESSAGE_ANY, 120)); };
  }
  bench.run();
  for (int host = 1; host < 20; host += 2) {
    wrong += bench[host].status(receive_status).state == MESSAGE_DONE && !bench[host].is_filled(buffer, 120) ? 1 : 0;
    senseless += complaint_of(bench[host]).cause == MESSAGE_SENSELESS ? 1 : 0;
    CHECK(bench.card(host).damaged() == 1);
  }
  // By seed; of ten packets seven are to be expected, and three of which some fields are not looked at.
  CHECK(wrong >= 5);
  CHECK(senseless >= 1);
  CHECK(wrong + senseless <= 10);
}

}  // namespace
}  // namespace sanvp::test
