/// Patterns of the stress tests of the Mesh of Clos paper (section 4), in which each node has one partner. They are
/// endless, for studies under a load, or a number of messages, each sent when the previous one has been delivered. In
/// the paper, processors send to and receive from their partner alternately: only one node of a pair sends at a time,
/// the lower node first.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "platform/core/parameters.hpp"
#include "platform/traffic/pattern.hpp"

namespace sanvp::traffic {

class Exchange final : public Pattern {
 public:
  struct Rule {
    std::int64_t messages = 0;  ///< of each node; 0: endless, at the pace of the load
    bool alternate = true;      ///< if false, a node does not wait for its partner's messages
    Time setup{0};
  };

  Exchange(std::vector<int> partner, const Rule& rule)
      : partner_(std::move(partner)), rule_(rule), sent_(partner_.size(), 0), received_(partner_.size(), 0) {}

  std::optional<Descriptor> next(int node, Random&) override {
    if (!sends(node)) return {};
    if (is_endless()) return Descriptor{.destination = partner_[node]};
    if (sent_[node] == rule_.messages || !is_its_turn(node)) return {};
    ++sent_[node];
    return Descriptor{.destination = partner_[node], .delay = rule_.setup};
  }
  void arrived(int source, int destination, Reactions& reactions) override {
    if (is_endless() || partner_[source] != destination) return;
    ++received_[destination];
    if (is_its_turn(destination)) reactions.wake(destination);
  }
  bool sends(int node) const override { return partner_[node] != node; }
  Pace pace() const override { return is_endless() ? Pace::load : Pace::closed; }
  bool is_repeatable() const override { return is_endless(); }
  Extent extent() const override { return is_endless() ? Extent::steady : Extent::finite; }

 private:
  bool is_endless() const { return rule_.messages == 0; }
  bool is_its_turn(int node) const {
    const bool begins = node < partner_[node];
    return !rule_.alternate || received_[node] >= sent_[node] + (begins ? 0 : 1);
  }

  std::vector<int> partner_;
  Rule rule_;
  std::vector<std::int64_t> sent_;      ///< messages of each node
  std::vector<std::int64_t> received_;  ///< messages that each node has received from its partner
};

/// Reads the parameters that both patterns share.
template <class Partner>
std::unique_ptr<Pattern> make_exchange(const PatternContext& context, const std::string& name, Partner&& partner_of) {
  constexpr const char* source = "Mesh of Clos paper, section 4: 4096 messages in all, 64 for each of 64 nodes";
  require_nodes(context, name, 2);
  const Parameters& given = context.parameters;
  Exchange::Rule rule;
  rule.messages = given.count("messages", 0, "Messages of each node; 0: endless, at the pace of the load.", source);
  rule.alternate = given.flag("alternate", true, "With --messages: only one of two partners sends at a time.",
                              "Mesh of Clos paper, section 4: alternately sending and receiving");
  rule.setup = given.time("setup", Time{0}, "Time from a delivery to the node's next message.",
                          "0: raw communication, section 4.1.1");
  if (rule.messages == 0) context.note_idle({"alternate", "setup"}, "does nothing without --messages");
  std::vector<int> partner;
  for (int node = 0; node < context.nodes(); ++node) partner.push_back(partner_of(node, context.nodes()));
  return std::make_unique<Exchange>(std::move(partner), rule);
}

}  // namespace sanvp::traffic
