#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/traffic/pattern.hpp"

namespace sanvp::traffic {
namespace {

constexpr const char* source = "Mesh of Clos paper, section 4: 32 messages to every other node";

enum class Order : std::uint8_t {
  in_turn,    ///< a node begins when it has received all messages of the previous node for it
  ascending,  ///< all begin together, with destination 0
  rotating,   ///< all begin together, each with the next node
};

/// Every node sends a number of messages to each of the others, one at a time.
class AllToAll final : public Pattern {
 public:
  AllToAll(int nodes, std::int64_t messages, Order order, Time setup)
      : nodes_(nodes), messages_(messages), order_(order), setup_(setup), sent_(nodes), from_before_(nodes) {}

  std::optional<Descriptor> next(int node, Random&) override {
    if (!has_begun(node)) return {};
    const std::int64_t round = sent_[node] / messages_;
    if (round == nodes_ - 1) return {};
    ++sent_[node];
    const auto step = static_cast<int>(round);
    const int destination = order_ == Order::rotating ? (node + 1 + step) % nodes_ : step < node ? step : step + 1;
    return Descriptor{.destination = destination, .delay = setup_};
  }
  Pace pace() const override { return Pace::closed; }
  Extent extent() const override { return Extent::finite; }
  void arrived(int source, int destination, Reactions& reactions) override {
    if (order_ != Order::in_turn || source != destination - 1) return;
    if (++from_before_[destination] == messages_) reactions.wake(destination);
  }

 private:
  bool has_begun(int node) const { return order_ != Order::in_turn || node == 0 || from_before_[node] == messages_; }

  int nodes_;
  std::int64_t messages_;
  Order order_;
  Time setup_;
  std::vector<std::int64_t> sent_;
  std::vector<std::int64_t> from_before_;
};

const Registration<PatternPart> registration{
    {"all-to-all", "each node in turn sends to all others, then the run ends", [](const PatternContext& context) {
       require_nodes(context, "all-to-all", 2);
       const Parameters& given = context.parameters;
       const auto messages = given.count("messages", 32, "Messages to each of the others.", source, 1);
       const auto order =
           given.choice("order", "in-turn", {"in-turn", "ascending", "rotating"},
                        "in-turn: a node begins when it has all messages of the previous node; the others "
                        "begin together, with node 0 or each with the next node.",
                        "TIMING.md: in-turn gives the paper's blocking times");
       const Time setup = given.time("setup", Time{0}, "Time from a delivery to the node's next message.",
                                     "0: raw communication, section 4.1.1");
       return std::make_unique<AllToAll>(context.nodes(), messages,
                                         order == "in-turn"     ? Order::in_turn
                                         : order == "ascending" ? Order::ascending
                                                                : Order::rotating,
                                         setup);
     }}};

}  // namespace
}  // namespace sanvp::traffic
