/// Patterns of the stress tests of the Mesh of Clos paper (section 4) in which a node has one partner: endless for
/// studies under a load, or a number of messages, each sent when the one before has been delivered.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "platform/traffic/pattern.hpp"

namespace sanvp::traffic {

class Exchange final : public Pattern {
 public:
  /// @param messages  of each node; 0: endless, at the pace of the load
  Exchange(std::vector<int> partner, std::int64_t messages, Time setup)
      : partner_(std::move(partner)), left_(partner_.size(), messages), endless_(messages == 0), setup_(setup) {}

  std::optional<Descriptor> next(int node, Random&) override {
    if (!sends(node)) return {};
    if (endless_) return Descriptor{.destination = partner_[node]};
    if (left_[node] == 0) return {};
    --left_[node];
    return Descriptor{.destination = partner_[node], .delay = setup_};
  }
  bool sends(int node) const override { return partner_[node] != node; }
  Pace pace() const override { return endless_ ? Pace::load : Pace::closed; }
  Extent extent() const override { return endless_ ? Extent::steady : Extent::finite; }

 private:
  std::vector<int> partner_;
  std::vector<std::int64_t> left_;
  bool endless_;
  Time setup_;
};

/// Reads what both patterns have in common.
template <class Partner>
std::unique_ptr<Pattern> make_exchange(const PatternContext& context, const std::string& name, Partner&& partner_of) {
  constexpr const char* source = "Mesh of Clos paper, section 4: 4096 messages in all, 64 for each of 64 nodes";
  require_nodes(context, name, 2);
  const auto messages =
      context.parameters.count("messages", 0, "Messages of each node; 0: endless, at the pace of the load.", source);
  const Time setup = context.parameters.time("setup", Time{0}, "From a delivery to the node's next message.",
                                             "0: raw communication, section 4.1.1");
  std::vector<int> partner;
  for (int node = 0; node < context.nodes(); ++node) partner.push_back(partner_of(node, context.nodes()));
  return std::make_unique<Exchange>(std::move(partner), messages, setup);
}

}  // namespace sanvp::traffic
