/// Flow-control tokens that take turns with data, by hand: which goes first, and when its credits count.

#include "tests/support/hand_network.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr std::int64_t T = 10, D = 20, token = 4;

/// Two hosts at a switch. Channels in their order: 0 and 1 to and from host 0, with tokens of each other, 2 and 3 of
/// host 1.
Case pair(int buffer, int batch) {
  return star(2, link_rules(T, D, net::Credits{.buffer = buffer, .batch = batch, .token_time = Time{token}}));
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
