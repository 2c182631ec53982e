/// Closed loops: a node sends its next message when an earlier one has been delivered, or its reply is back.
#include <algorithm>

#include "platform/core/error.hpp"
#include "platform/core/files.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/statements.hpp"
#include "platform/traffic/message_sizes.hpp"
#include "platform/traffic/pattern.hpp"
#include "platform/traffic/patterns/pair_of_nodes.hpp"

namespace sanvp::traffic {
namespace {

constexpr const char* source =
    "Dally and Towles, Principles and Practices of Interconnection Networks, 2004, section 23.2: closed-loop "
    "measurement";

using Rounds = std::vector<std::vector<Descriptor>>;  // by node

Rounds read_rounds(const std::string& path, int nodes) {
  const std::string text = read_text_file(path);
  Statements lines{text, path};
  Rounds rounds(static_cast<std::size_t>(nodes));
  while (lines.next()) {
    lines.require_words(3, 3, "SRC DST BYTES");
    const auto [node, destination] = read_pair(lines, 0, nodes);
    const auto bytes = lines.integer(2, "length in bytes", 1, most_message_bytes);
    rounds[node].push_back({.destination = destination, .bytes = bytes});
  }
  if (std::ranges::all_of(rounds, [](const auto& round) { return round.empty(); }))
    throw UserError(path, "no node sends", "write lines SRC DST BYTES");
  return rounds;
}

struct Loop {
  int window = 1;
  Time think{0};
  bool reads = false;
};

/// A node goes round its list, or draws its partners.
class Closed final : public Pattern {
 public:
  Closed(int nodes, const Loop& loop, Rounds rounds)
      : nodes_(nodes), loop_(loop), rounds_(std::move(rounds)), at_(rounds_.size()) {}

  std::optional<Descriptor> next(int node, Random& random) override {
    Descriptor next;
    if (rounds_.empty()) {
      next.destination = any_other(node, nodes_, random);
    } else {
      const auto& round = rounds_[static_cast<std::size_t>(node)];
      if (round.empty()) return {};
      next = round[at_[static_cast<std::size_t>(node)]++ % round.size()];
    }
    next.delay = loop_.think;
    next.read = loop_.reads;
    return next;
  }
  bool sends(int node) const override { return rounds_.empty() || !rounds_[static_cast<std::size_t>(node)].empty(); }
  Pace pace() const override { return Pace::closed; }
  int window() const override { return loop_.window; }

 private:
  int nodes_;
  Loop loop_;
  Rounds rounds_;  ///< empty: partners are drawn
  std::vector<std::size_t> at_;
};

const Registration<PatternPart> registration{
    {"closed", "each node keeps a number of messages, or of requests and replies, under way",
     [](const PatternContext& context) {
       require_nodes(context, "closed", 2);
       const Parameters& given = context.parameters;
       Loop loop;
       loop.window = static_cast<int>(
           given.count("window", 1, "Messages of a node that are under way at once.", source, 1, 1 << 20));
       loop.think = given.time("think", Time{0}, "From a delivery to the next message.", source);
       loop.reads = given.flag("replies", false,
                               "Short requests, whose replies are the messages; the next follows the reply.", source);
       const auto file =
           given.text("file", "", "Lines `SRC DST BYTES`, which each node goes round; without a file to random nodes.",
                      "a choice");
       return std::make_unique<Closed>(context.nodes(), loop,
                                       file.empty() ? Rounds{} : read_rounds(file, context.nodes()));
     }}};

}  // namespace
}  // namespace sanvp::traffic
