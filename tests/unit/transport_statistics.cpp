/// What a channel counts, against examples worked by hand.

#include <algorithm>
#include <catch2/catch.hpp>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/hand_network.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr std::int64_t T = 10, D = 25, R = 7, S = 4;

}  // namespace

TEST_CASE("waiting is counted from the request to the grant, on the channel that was waited for") {
  // Three hosts send 20 flits to host 3 at once. Each is granted when the one before it has passed: the first at D + R,
  // then 20 T and S later each.
  Case one = star(4, link_rules(T, D), {.routing = Time{R}, .setup = Time{S}});
  for (int h = 0; h < 3; ++h) ship_in_star(one, 0, h, 3, 20);
  constexpr std::int64_t turn = 20 * T + S;
  in_both(one, [](const Result& result) {
    const net::ChannelStatistics& out = result.statistics[7];
    CHECK(out.packets == 3);
    CHECK(out.flits == 60);
    CHECK(out.busy_ps == 60 * T);
    CHECK(out.wait_ps == turn + 2 * turn);
    CHECK(out.longest_wait_ps == 2 * turn);
    CHECK(out.head_blocking_ps == 3 * R + 3 * turn);  // from the arrival
    CHECK(out.held_ps == 3 * turn);
    for (const int up : {0, 2, 4}) {
      CHECK(result.statistics[up].busy_ps == 20 * T);
      CHECK(result.statistics[up].held_ps == 20 * T);
      CHECK(result.statistics[up].wait_ps == 0);
      CHECK(result.statistics[up].head_blocking_ps == 0);
    }
    for (const int unused : {1, 3, 5, 6}) CHECK(result.statistics[unused].packets == 0);
  });
}

TEST_CASE(
    "a header behind another packet in its FIFO blocks from its arrival, but waits only once it is at the front") {
  // Host 0's first packet waits for host 1's; its second, to the idle host 2, is behind it in the FIFO.
  Case one = star(4, link_rules(T, D));
  ship_in_star(one, 0, 1, 3, 100);
  ship_in_star(one, 10, 0, 3, 20);  // waits from 35 to 1025
  ship_in_star(one, 10, 0, 2, 20);  // there at 235, at the front at 1225
  in_both(one, [](const Result& result) {
    CHECK(result.statistics[7].wait_ps == 990);
    CHECK(result.statistics[5].wait_ps == 0);
    CHECK(result.statistics[5].head_blocking_ps == 1225 - 235);
    CHECK(result.outcomes[2].delivered_ps == 1225 + 19 * T + D);
  });
}

TEST_CASE("a channel held by a worm that stands is held, not busy") {
  // Buffers of 4: host 0's packet waits for host 1's at the second switch and stands on the channel between.
  Case one = row(3, link_rules(T, D, net::Credits{.buffer = 4}));
  ship(one, 0, 2, 1, 100, by_ports({1, 0}));
  ship(one, 10, 0, 1, 20, by_ports({2, 0}));
  in_both(one, [](const Result& result) {
    // Channels: three cables of hosts (0..5), then s0->s1 is 6, s1->s0 7, s1->s2 8, s2->s1 9.
    CHECK(result.statistics[6].busy_ps == 20 * T);
    // Granted at 35; the output is free at 50 + 1000. Flit 19 takes the place that flit 15 leaves at 1050 + 15 T.
    CHECK(result.statistics[6].held_ps == 1200 + T - 35);
    CHECK(result.statistics[3].wait_ps == 1050 - 60);
    CHECK(result.statistics[9].busy_ps == 100 * T);
  });
}

TEST_CASE("a short tail and a circuit's EOP count as the time they take") {
  net::ChannelRules cable = link_rules(T, D);
  cable.tail_time = Time{4};
  net::NicRules rules;
  rules.circuit = true;
  Case one = star(2, cable, {}, rules);
  ship_in_star(one, 0, 0, 1, 9);
  in_both(one, [](const Result& result) {
    CHECK(result.statistics[0].flits == 10);
    CHECK(result.statistics[0].busy_ps == 9 * T + 4);
    CHECK(result.statistics[3].busy_ps == 9 * T + 4);
  });
}

namespace {

/// Hops as they are told of: channel, packet, release.
class HopNotes final : public net::Observer {
 public:
  explicit HopNotes(bool prompt) : prompt_(prompt) {}
  void hop_over(const net::Hop& hop, Time released) override {
    heard.emplace_back(hop.channel, hop.packet->id, released.count());
  }
  bool is_prompt() const override { return prompt_; }

  std::vector<std::tuple<int, std::uint64_t, std::int64_t>> heard;

 private:
  bool prompt_;
};

}  // namespace

TEST_CASE("an observer that is not prompt hears of the same hops with the same instants, in time for statistics") {
  // Hosts 0 and 1 send 20 flits to host 3, host 2 as many to host 1. In the middle the tails of hosts 0 and 2 have left
  // the switch and not yet arrived; host 1's packet waited for the one, none for the other.
  const Case one = star(4, link_rules(T, D), {.routing = Time{R}});
  constexpr std::int64_t released = D + R + 20 * T;
  static_assert(released < D + R + 19 * T + D);
  const auto watch = [&](bool prompt) {
    net::EventQueue queue{net::Elision::on};
    net::Network network{one.wiring, queue, net::Fidelity::worm, 1};
    HopNotes notes{prompt};
    network.observe(&notes);
    for (const auto& [source, destination] : {std::pair{0, 3}, std::pair{1, 3}, std::pair{2, 1}}) {
      net::Packet& packet = network.make_packet();
      packet.source = source;
      packet.destination = destination;
      packet.flits = 20;
      packet.route = by_ports({destination});
      network.send(packet);
    }
    queue.run_outside(Time{0});
    queue.run_until(Time{released});
    queue.run_outside(Time{released});
    CHECK(network.statistics(7).packets == 1);
    CHECK(network.statistics(7).held_ps == 20 * T);
    CHECK(network.statistics(3).packets == 1);
    CHECK(network.in_flight() == 3);
    while (queue.run_until(never)) {
    }
    CHECK(network.statistics(7).packets == 2);
    CHECK(network.in_flight() == 0);
    CHECK(network.find_deadlock().empty());
    std::sort(notes.heard.begin(), notes.heard.end());
    return std::pair{notes.heard, queue.processed()};
  };
  const auto [prompt, events_of_prompt] = watch(true);
  const auto [late, events] = watch(false);
  CHECK(prompt.size() == 6);
  CHECK(prompt == late);
  CHECK(events < events_of_prompt);
}

TEST_CASE("statistics asked for while nothing is due free no output before its time") {
  // Host 2 has not yet answered the packet of host 3, and host 0's waits for it at the switch before host 2: no event
  // is left, though its tail has still to leave the switch before. There host 1's packet comes in between.
  Case one = row(4, link_rules(T, D, net::Credits{.buffer = 64}));
  one.wiring.nics[3].rules.circuit = one.wiring.nics[2].rules.answers = true;
  struct Sink : net::Endpoint {
    void delivered(net::Packet& packet, int) override {
      if (++deliveries == 1) first = &packet;
    }
    net::Packet* first = nullptr;
    int deliveries = 0;
    bool hears_sent() const override { return false; }
  } sink;
  net::EventQueue queue;
  net::Network network{one.wiring, queue, net::Fidelity::worm, 1};
  for (int h = 0; h < 4; ++h) network.attach(h, sink);
  const auto run_empty = [&] {
    queue.run_outside(queue.now());
    while (queue.run_until(never)) {
    }
  };
  const auto send = [&](int source, std::initializer_list<int> ports) {
    net::Packet& packet = network.make_packet();
    packet.source = source;
    packet.destination = 2;
    packet.flits = 40;
    packet.route = by_ports(ports);
    network.send(packet);
    run_empty();
  };
  send(3, {1, 0});
  REQUIRE(sink.deliveries == 1);
  send(0, {2, 2, 0});
  network.statistics(0);
  send(1, {2, 0});
  network.acknowledge(*sink.first, 2, 0);
  run_empty();
  CHECK(sink.deliveries == 3);
  CHECK(network.in_flight() == 0);
}
