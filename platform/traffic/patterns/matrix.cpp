/// Several partners for each node: with weights, or with a rate for each pair.
#include <algorithm>
#include <queue>
#include <utility>

#include "platform/core/error.hpp"
#include "platform/core/files.hpp"
#include "platform/core/parameters.hpp"
#include "platform/traffic/pattern.hpp"
#include "platform/traffic/patterns/pair_of_nodes.hpp"
#include "platform/traffic/patterns/rates.hpp"

namespace sanvp::traffic {
namespace {

constexpr const char* form = "SRC DST WEIGHT, or SRC DST RATE BYTES [arrivals=LAW]";

/// Partners of a node; `upto` is the sum of the weights so far.
struct Partner {
  int node = 0;
  double upto = 0;
};

/// A node's shares of the load.
class Weights final : public Pattern {
 public:
  explicit Weights(int nodes) : rows_(static_cast<std::size_t>(nodes)) {}

  void add(const Statements& lines, std::size_t from, int to) {
    const double weight = parse_real(std::string(lines.word(2)), lines.place());
    if (!(weight > 0)) lines.fail("a weight has to be positive", "leave out pairs that send nothing");
    auto& row = rows_[from];
    row.push_back({to, weight + (row.empty() ? 0 : row.back().upto)});
  }

  std::optional<Descriptor> next(int node, Random& random) override {
    const auto& row = rows_[static_cast<std::size_t>(node)];
    const double drawn = random.uniform() * row.back().upto;
    const auto found = std::ranges::upper_bound(row, drawn, {}, &Partner::upto);
    return Descriptor{.destination = (found == row.end() ? row.back() : *found).node};
  }
  bool sends(int node) const override { return !rows_[static_cast<std::size_t>(node)].empty(); }
  bool is_repeatable() const override { return true; }

 private:
  std::vector<std::vector<Partner>> rows_;  ///< by node
};

/// Each pair at its own rate, whatever the others of its node send.
class Rates final : public Pattern {
 public:
  Rates(int nodes, std::uint64_t seed) : rows_(static_cast<std::size_t>(nodes)), seed_(seed) {}

  void add(const Statements& lines, std::size_t from, int to) {
    Row& row = rows_[from];
    const double rate_Bps = rate_of(lines, 2);
    MessageSizes sizes = MessageSizes::parse(std::string(lines.word(3)), lines.place());
    Arrivals arrivals = Arrivals::exponential;
    if (lines.size() > 4) {
      constexpr std::string_view key = "arrivals=";
      const std::string_view word = lines.word(4);
      if (!word.starts_with(key)) lines.fail(in_quotes(word) + " is not arrivals=LAW", "write arrivals=constant");
      arrivals = arrivals_of(lines, std::string(word.substr(key.size())));
    }
    // Lines of one pair are processes of their own.
    const std::string name = "matrix." + std::to_string(from) + "." + std::to_string(row.pairs.size());
    const double interval_ps = interval_ps_of(lines, sizes, rate_Bps);
    row.pairs.push_back(
        {to, std::move(sizes), {arrivals, interval_ps, {seed_, name + ".arrivals"}}, {seed_, name + ".sizes"}});
    row.due.emplace(row.pairs.back().arrivals.now(), static_cast<int>(row.pairs.size()) - 1);
  }

  std::optional<Descriptor> next(int node, Random&) override {
    Row& row = rows_[static_cast<std::size_t>(node)];
    if (row.due.empty()) return {};
    const auto [now, number] = row.due.top();
    row.due.pop();
    Pair& pair = row.pairs[static_cast<std::size_t>(number)];
    pair.arrivals.advance();
    row.due.emplace(pair.arrivals.now(), number);
    return Descriptor{.destination = pair.destination,
                      .bytes = pair.sizes.draw(pair.random),
                      .delay = now == never ? never : now - std::exchange(row.before, now)};
  }
  bool sends(int node) const override { return !rows_[static_cast<std::size_t>(node)].pairs.empty(); }
  Pace pace() const override { return Pace::listed; }

 private:
  struct Pair {
    int destination = 0;
    MessageSizes sizes;
    ArrivalProcess arrivals;
    Random random;
  };
  using Due = std::pair<Time, int>;
  struct Row {
    std::vector<Pair> pairs{};
    std::priority_queue<Due, std::vector<Due>, std::greater<>> due{};  ///< the next message of each pair
    Time before{0};                                                    ///< when the last message was generated
  };

  std::vector<Row> rows_;  ///< by node
  std::uint64_t seed_;
};

std::unique_ptr<Pattern> read_matrix(const PatternContext& context, const std::string& path) {
  const std::string text = read_text_file(path);
  Statements lines{text, path};
  const int nodes = context.nodes();
  auto weights = std::make_unique<Weights>(nodes);
  auto rates = std::make_unique<Rates>(nodes, context.seed);
  constexpr int with_weight = 3;
  std::optional<bool> has_rates;
  while (lines.next()) {
    lines.require_words(with_weight, with_weight + 2, form);
    const bool rate = lines.size() > with_weight;
    if (has_rates.value_or(rate) != rate)
      lines.fail("some lines have weights, others rates", "give all of them a weight, or a rate and BYTES");
    has_rates = rate;
    const auto [from, to] = read_pair(lines, 0, nodes);
    if (rate)
      rates->add(lines, from, to);
    else
      weights->add(lines, from, to);
  }
  if (!has_rates) throw UserError(path, "no node sends", std::string("write lines ") + form);
  if (*has_rates) return rates;
  return weights;
}

const Registration<PatternPart> registration{
    {"matrix", "several partners for each node from a file, with weights or with a rate for each pair",
     [](const PatternContext& context) {
       const auto file = context.parameters.text(
           "file", "",
           "Lines `SRC DST WEIGHT`: the share of a node's messages that go to DST is its weight over the sum of its "
           "lines. Or lines `SRC DST RATE BYTES [arrivals=LAW]`: the pair sends that payload (10MB/s) in messages of "
           "BYTES (as for --bytes), by itself. Nodes without a line are silent.",
           "a choice");
       if (file.empty()) throw UserError("pattern matrix", "there is no file", "name one with --file");
       return read_matrix(context, file);
     }}};

}  // namespace
}  // namespace sanvp::traffic
