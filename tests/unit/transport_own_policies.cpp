/// Policies of a switch that this file adds to those of models/policies: it registers them, and nothing else names
/// them.

#include <catch2/catch.hpp>

#include "models/net/policy.hpp"
#include "platform/core/parameters.hpp"
#include "tests/support/hand_network.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr std::int64_t T = 10, D = 10;

class LongestFirst final : public net::ArbitrationPolicy {
 public:
  std::strong_ordering compare(const net::Request& a, const net::Request& b, const net::Contest&) const override {
    return b.packet().flits <=> a.packet().flits;
  }
};
const Registration<net::ArbitrationPart> longest_first{
    {"longest-first", "the packet with the most flits", net::without_parameters<LongestFirst>}};

/// Every `stride`th output of the list, if it is free.
class Strided final : public net::OutputSelectionPolicy {
 public:
  explicit Strided(int stride) : stride_(stride) {}
  net::Selection select(const net::PermittedOutputs& outputs, Random&) const override {
    for (int i = 0; i < outputs.count(); i += stride_)
      if (outputs.is_free(i)) return {i};
    return {};
  }

 private:
  int stride_;
};
const Registration<net::OutputSelectionPart> strided{
    {"strided", "every so many outputs of the list", [](const Parameters& parameters) {
       return std::make_shared<const Strided>(static_cast<int>(parameters.count("stride", 2, "of what", "a test", 1)));
     }}};

}  // namespace

TEST_CASE("an arbitration policy is used by the name that its own file registers") {
  // Host 3 holds the output from 10 to 110; the others ask meanwhile, the longest last.
  Case one = star(5, link_rules(T, D), {.arbitration = net::arbitration_policy("longest-first")});
  ship_in_star(one, 0, 3, 4, 10);
  ship_in_star(one, 20, 0, 4, 5);
  ship_in_star(one, 30, 1, 4, 7);
  ship_in_star(one, 40, 2, 4, 9);
  in_both(one, [&](const Result& result) {
    CHECK(std::vector<int>(result.delivery_order.begin(), result.delivery_order.end()) == std::vector<int>{0, 3, 2, 1});
  });
}

TEST_CASE("an output-selection policy reads parameters of its own") {
  ParameterSet given;
  given.set("switch.stride=3");
  for (const bool with_parameter : {false, true}) {
    const net::SwitchRules rules{
        .selection = with_parameter
                         ? Registry<net::OutputSelectionPart>::get("strided", "test").build({given, "switch"})
                         : net::output_selection_policy("strided")};
    // Four hosts of the first switch send at once over four cables: with stride 2 the first two go over cables 0 and 2,
    // with stride 3 over 0 and 3; the others wait for these.
    Case one;
    for (int s = 0; s < 2; ++s) one.wiring.add_switch("s" + std::to_string(s), 8, rules);
    for (int h = 0; h < 8; ++h) {
      one.wiring.add_nic("h" + std::to_string(h), {});
      one.wiring.connect(nic(h), port(h / 4, h % 4), link_rules(T, D), link_rules(T, D));
    }
    std::vector<int> cables;
    for (int c = 0; c < 4; ++c)
      cables.push_back(one.wiring.connect(port(0, 4 + c), port(1, 4 + c), link_rules(T, D), link_rules(T, D)));
    for (int h = 0; h < 4; ++h) {
      topologies::Route route = by_ports({4, h});
      route.steps[0].ports = 4;
      ship(one, 0, h, 4 + h, 10, route);
    }
    in_both(one, [&](const Result& result) {
      std::vector<std::uint64_t> packets;
      for (const int c : cables) packets.push_back(result.statistics[static_cast<std::size_t>(c)].packets);
      CHECK(packets ==
            (with_parameter ? std::vector<std::uint64_t>{2, 0, 0, 2} : std::vector<std::uint64_t>{2, 0, 2, 0}));
    });
  }
}

TEST_CASE("a policy that no file registers is an error that names the nearest") {
  CHECK_THROWS_WITH(net::arbitration_policy("fivo"), Catch::Matchers::Contains("did you mean 'fifo'"));
  CHECK_THROWS_WITH(net::output_selection_policy("rundom"), Catch::Matchers::Contains("did you mean 'random'"));
}
