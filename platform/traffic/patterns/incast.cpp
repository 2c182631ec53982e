#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/traffic/pattern.hpp"

namespace sanvp::traffic {
namespace {

constexpr const char* source = "Vasudevan et al., SIGCOMM 2009, section 2: barrier-synchronized workloads";

/// In each round all senders send a message to the target at the same time.
class Incast final : public Pattern {
 public:
  Incast(int nodes, int target, int fan_in, std::int64_t rounds, Time interval)
      : target_(target),
        fan_in_(fan_in),
        rounds_(rounds),
        interval_(interval),
        sent_(static_cast<std::size_t>(nodes)) {}

  std::optional<Descriptor> next(int node, Random&) override {
    std::int64_t& sent = sent_[static_cast<std::size_t>(node)];
    if (sent == rounds_) return {};
    return Descriptor{.destination = target_, .delay = sent++ == 0 ? Time{0} : interval_};
  }
  /// The nodes after the target, cyclically.
  bool sends(int node) const override {
    const int nodes = static_cast<int>(sent_.size());
    const int behind = (node - target_ + nodes) % nodes;
    return behind >= 1 && behind <= fan_in_;
  }
  Pace pace() const override { return Pace::listed; }
  Extent extent() const override { return Extent::finite; }

 private:
  int target_;
  int fan_in_;
  std::int64_t rounds_;
  Time interval_;
  std::vector<std::int64_t> sent_;  // messages of each node so far
};

const Registration<PatternPart> registration{
    {"incast", "many nodes send to one at the same time, round after round", [](const PatternContext& context) {
       require_nodes(context, "incast", 2);
       const Parameters& given = context.parameters;
       const int last = context.nodes() - 1;
       const auto target = static_cast<int>(given.count("target", 0, "The node that receives.", source, 0, last));
       const auto fan_in = static_cast<int>(
           given.count("fan-in", last, "Nodes that send, from the one after the target on.", source, 1, last));
       const auto rounds = given.count("rounds", 10, "Messages of each of them.", source, 1, 1'000'000'000);
       const Time interval = given.time("interval", 100us, "Time from one round to the next.", "a choice");
       return std::make_unique<Incast>(context.nodes(), target, fan_in, rounds, interval);
     }}};

}  // namespace
}  // namespace sanvp::traffic
