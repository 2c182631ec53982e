/// Flow-control tokens that take turns with data, by hand: which goes first, and when its credits count.

#include "tests/support/hand_network.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr std::int64_t T = 10, D = 20, token = 4;
constexpr int to_host_1 = 3;  // channel

/// Two hosts at a switch. Channels in their order: 0 and 1 to and from host 0, with tokens of each other, 2 and 3 of
/// host 1.
Case pair(int buffer, int batch) {
  return star(2, link_rules(T, D, net::Credits{.buffer = buffer, .batch = batch, .token_time = Time{token}}));
}

/// Hosts at a switch. Host 0 sends on two virtual channels, with tokens and a buffer of so many flits each; the other
/// cables have one, and more credits than are needed.
Case two_ways_in(int hosts, int buffer, std::int64_t token_ps, const net::SwitchRules& rules = {}) {
  Case one = star(hosts, link_rules(T, D), rules, {.slots = 2});
  for (const std::size_t channel : {0, 1}) {
    net::ChannelRules& cable = one.wiring.channels[channel].rules;
    cable.flow = net::Credits{.buffer = buffer, .batch = 1, .token_time = Time{token_ps}};
    cable.virtual_channels = 2;
  }
  return one;
}

}  // namespace

TEST_CASE(
    "a token goes before a flit, also before one that is ready in the same instant if its channel is asked later") {
  Case one = pair(4, 2);
  const auto a = ship_in_star(one, 0, 0, 1, 4);
  const auto b = ship_in_star(one, 0, 1, 0, 4);
  in_both(one, [&](const Result& result) {
    // Both first flits leave the switch at 20. At 30, channel 1 sends B's second flit. That completes a batch, whose
    // token channel 3 sends at 30, and A's second flit at 34. The token of that batch waits for B's flit until 40.
    // B: 20, 30, 44, 54; its last flit completes a batch again. A: 20, 34, 44, and after the token 58.
    CHECK(result.outcomes[a].delivered_ps == 58 + D);
    CHECK(result.outcomes[b].delivered_ps == 54 + D);
  });
}

TEST_CASE("credits count from the end of their token") {
  Case one = pair(2, 1);
  const auto a = ship_in_star(one, 0, 0, 1, 4);
  in_both(one, [&](const Result& result) {
    // Two flits start at 0 and 10 and leave the switch at 20 and 30: the others start at 24 and 34.
    CHECK(result.outcomes[a].sent_ps == 34 + T);
    CHECK(result.outcomes[a].delivered_ps == 34 + D + D);
  });
}

TEST_CASE("a token waits for the flit that its channel sends, and the credits with it") {
  Case one = pair(2, 1);
  const auto b = ship_in_star(one, 0, 1, 0, 1);
  const auto a = ship_in_star(one, 1, 0, 1, 3);
  in_both(one, [&](const Result& result) {
    // B's flit is on channel 1 from 20 to 30, its token on channel 3 from 20 to 24. So A's first flit leaves the switch
    // at 24, but its token at 30, and the third flit starts at 34.
    CHECK(result.outcomes[b].delivered_ps == 20 + D);
    CHECK(result.outcomes[a].sent_ps == 34 + T);
    CHECK(result.outcomes[a].delivered_ps == 34 + D + D);
  });
}

TEST_CASE("a token for flits that turn back on their own cable goes between them") {
  // One host, and a packet to itself: channel 1 takes its flits out of the buffer whose tokens it sends.
  Case one = pair(4, 1);
  const auto a = ship(one, 0, 0, 0, 3, by_ports({0}));
  in_both(one, [&](const Result& result) {
    // Flits leave the switch at 20, 34 and 48, with a token behind each.
    CHECK(result.outcomes[a].delivered_ps == 20 + 2 * (T + token) + D);
  });
}

TEST_CASE("tokens of packets that a failure discards in one instant go in the order in which they had asked for it") {
  Case one = two_ways_in(3, 2, token);
  ship_in_star(one, 0, 2, 1, 40);
  ship_in_star(one, 5, 0, 2, 1);
  const auto a = ship_in_star(one, 5, 0, 1, 1);
  const auto b = ship_in_star(one, 40, 0, 1, 3);
  one.failures.push_back({Time{200}, to_host_1});
  in_both(one, [&](const Result& result) {
    // A waits for the output on virtual channel 1, and behind it B on virtual channel 0. At 200, A's token goes first,
    // and B's third flit starts when the second one is there.
    CHECK(result.outcomes[a].lost);
    CHECK(result.outcomes[b].lost);
    CHECK(result.outcomes[b].sent_ps == 200 + 2 * token + T);
  });
}

TEST_CASE("a token of a flit that arrives goes before one of a packet that is discarded in the same instant") {
  Case one = two_ways_in(3, 2, token, {.routing = Time{T}});
  ship_in_star(one, 0, 0, 2, 1);
  const auto a = ship_in_star(one, 0, 0, 1, 4);
  const auto b = ship_in_star(one, 11, 0, 1, 1);
  one.failures.push_back({Time{0}, to_host_1});
  in_both(one, [&](const Result& result) {
    // A's header starts at 10 on virtual channel 1 and is discarded at 40. B's, at 20 on virtual channel 0, is
    // discarded at 50, when A's second flit arrives, which started at 30. A's third flit starts with the token of 40,
    // the fourth with that of 50, which goes first.
    CHECK(result.outcomes[a].lost);
    CHECK(result.outcomes[b].lost);
    CHECK(result.outcomes[a].sent_ps == 50 + token + T);
  });
}

TEST_CASE("tokens that became ready in one instant keep their order for as long as they wait") {
  constexpr int buffer = 32, blocked = 100, more = 30;  // flits
  Case one = two_ways_in(5, buffer, T);
  ship_in_star(one, 0, 3, 1, blocked);
  ship_in_star(one, 0, 4, 2, blocked);
  const auto a = ship_in_star(one, 5, 0, 1, buffer + more);
  ship_in_star(one, 5, 0, 2, buffer);
  constexpr std::int64_t start = D + blocked * T;
  ship_in_star(one, start - 5 * T, 1, 0, 200);
  in_both(one, [&](const Result& result) {
    // Both packets of host 0 wait for their outputs until `start`; then they leave their buffers side by side, a pair
    // of flits every T, and so a pair of tokens, which take 2 T after a flit that channel 1 sends at `start`. The
    // second packet is through when half of its tokens are not sent. The token of the first packet goes first in each
    // pair, since its output was created first, and each gives one of its last `more` flits a credit.
    CHECK(result.outcomes[a].sent_ps == start + T + (more - 1) * 2 * T + T + T);
  });
}

TEST_CASE("a software router that takes no time discards packets in a row before channels have their turn") {
  constexpr int buffer = 3, blocked = 30;  // flits
  Case one = two_ways_in(3, buffer, token, {.software_router = true});
  ship_in_star(one, 0, 1, 2, blocked);
  ship_in_star(one, 5, 0, 2, 1);
  const auto c = ship_in_star(one, 5, 0, 2, buffer + 1);
  const auto a = ship_in_star(one, 30, 0, 1, 1);
  const auto b = ship_in_star(one, 50, 0, 1, 1);
  one.failures.push_back({Time{0}, to_host_1});
  constexpr std::int64_t start = D + blocked * T;
  in_both(one, [&](const Result& result) {
    // At `start` the first packet of host 0 leaves virtual channel 0. T later, A and B, which are behind it, are
    // discarded, and C's header leaves virtual channel 1. Its token comes after those of A and B, with the credit for
    // C's last flit.
    CHECK(result.outcomes[a].lost);
    CHECK(result.outcomes[b].lost);
    CHECK(result.outcomes[c].sent_ps == start + T + 3 * token + T);
  });
}
