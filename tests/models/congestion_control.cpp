/// How far notifications slow a flow down, and how it recovers (models/nic/congestion).

#include <catch2/catch.hpp>

#include "models/nic/congestion_control.hpp"
#include "platform/core/parameters.hpp"

using namespace sanvp;

namespace {

constexpr Time span = 1us;  // of a packet on its channel
constexpr std::int64_t bytes = 1000;

std::unique_ptr<nic::RateControl> control(const std::string& name, const std::string& settings, double phase = 0) {
  ParameterSet set = ParameterSet::from_text("[nic]\n" + settings + "\n", "test");
  return Registry<nic::CongestionControlPart>::get(name, "test").build({set, "nic"}).make(phase);
}

}  // namespace

TEST_CASE("infiniband: each notification delays packets by one more packet time, each period by one less") {
  const auto flow = control("infiniband", "ccti_timer = 100us\nccti_limit = 3\ncct_step = 1");
  CHECK(flow->pause(0us, span, bytes) == 1 * span);
  flow->notified(10us);
  CHECK(flow->pause(10us, span, bytes) == 2 * span);
  flow->notified(20us);
  CHECK(flow->pause(99us, span, bytes) == 3 * span);
  CHECK(flow->pause(100us, span, bytes) == 2 * span);  // the timer runs through: it expires at multiples of its period
  flow->notified(150us);
  flow->notified(150us);
  flow->notified(150us);
  CHECK(flow->pause(199us, span, bytes) == 4 * span);  // the table has no more entries
  CHECK(flow->pause(250us, span, bytes) == 3 * span);
  CHECK(flow->pause(1ms, span, bytes) == span);
}

TEST_CASE("infiniband: increase, least entry and the table's step are parameters") {
  const auto flow = control("infiniband", "ccti_timer = 100us\nccti_increase = 2\nccti_min = 1\ncct_step = 0.5");
  CHECK(flow->pause(0us, span, bytes) == 1500ns);
  flow->notified(1us);
  CHECK(flow->pause(1us, span, bytes) == 2500ns);
  CHECK(flow->pause(100us, span, bytes) == 2us);
  CHECK(flow->pause(1ms, span, bytes) == 1500ns);
}

TEST_CASE("infiniband: timers of NICs are out of step unless they are told otherwise") {
  const auto expires_at_25us = [](const std::string& settings) {
    const auto flow = control("infiniband", "ccti_timer = 100us\ncct_step = 1" + settings, 0.75);
    flow->notified(10us);
    CHECK(flow->pause(24us, span, bytes) == 2 * span);
    return flow->pause(25us, span, bytes) == span;
  };
  CHECK(expires_at_25us(""));
  CHECK(!expires_at_25us("\nccti_phase = zero"));
}

TEST_CASE("dcqcn: a notification halves the rate at first, and recovery closes half of the gap with each step") {
  const auto flow = control("dcqcn", "dcqcn_gain = 0.5\ndcqcn_alpha_timer = 1ms\ndcqcn_rate_timer = 100us");
  CHECK(flow->pause(0us, span, bytes) == span);
  flow->notified(10us);  // alpha = 1: the rate is 1/2 of 1 GB/s
  CHECK(flow->pause(10us, span, bytes) == 2us);
  CHECK(flow->pause(109us, span, bytes) == 2us);
  CHECK(flow->pause(110us, span, bytes).count() == 1'333'333);  // (1/2 + 1) / 2
  CHECK(flow->pause(210us, span, bytes).count() == 1'142'857);  // 7/8
  flow->notified(250us);                                        // alpha is still 1: 7/16
  CHECK(flow->pause(250us, span, bytes).count() == 2'285'714);
  CHECK(flow->pause(350us, span, bytes).count() == 1'523'810);  // half way back to 7/8: 21/32
}

TEST_CASE("dcqcn: alpha falls with each interval without a notification, so that a late one cuts less") {
  const auto flow = control("dcqcn", "dcqcn_gain = 0.5\ndcqcn_alpha_timer = 100us\ndcqcn_rate_timer = 10us");
  flow->pause(0us, span, bytes);
  flow->notified(0us);  // alpha = 1/2 + 1/2
  CHECK(flow->pause(299us, span, bytes) == span);
  flow->notified(299us);  // 1 after two intervals: 1/4, so that 7/8 of the rate is left
  CHECK(flow->pause(299us, span, bytes).count() == 1'142'857);
}

TEST_CASE("dcqcn: after the fast steps the target itself rises, up to the link's rate") {
  const auto flow = control("dcqcn",
                            "dcqcn_gain = 0.5\ndcqcn_alpha_timer = 1s\ndcqcn_rate_timer = 100us\ndcqcn_fast_steps = 1\n"
                            "dcqcn_additive = 100MB/s");
  flow->pause(0us, span, bytes);
  flow->notified(0us);
  flow->notified(0us);  // 1/4 of 1 GB/s; the target is 1/2
  CHECK(flow->pause(0us, span, bytes) == 4us);
  CHECK(flow->pause(100us, span, bytes).count() == 2'666'667);  // (1/4 + 1/2) / 2 = 3/8
  CHECK(flow->pause(200us, span, bytes).count() == 2'051'282);  // (3/8 + 6/10) / 2
  CHECK(flow->pause(100ms, span, bytes) == span);
}

TEST_CASE("dcqcn: bytes are steps of recovery as well as time") {
  const auto flow = control("dcqcn", "dcqcn_rate_timer = 1s\ndcqcn_bytes = 2000B");
  flow->pause(0us, span, bytes);
  flow->notified(0us);
  CHECK(flow->pause(1us, span, bytes) == 2us);
  CHECK(flow->pause(2us, span, bytes).count() == 1'333'333);
}
