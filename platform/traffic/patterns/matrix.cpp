#include <algorithm>

#include "platform/core/error.hpp"
#include "platform/core/files.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/statements.hpp"
#include "platform/core/units.hpp"
#include "platform/traffic/pattern.hpp"

namespace sanvp::traffic {
namespace {

/// Partners of a node; `upto` is the sum of the weights so far.
struct Partner {
  int node = 0;
  double upto = 0;
};

using Rows = std::vector<std::vector<Partner>>;  // by node

Rows read_matrix(const std::string& path, int nodes) {
  const std::string text = read_text_file(path);
  Statements lines{text, path};
  Rows rows(static_cast<std::size_t>(nodes));
  while (lines.next()) {
    lines.require_words(3, 3, "SRC DST WEIGHT");
    const auto from = lines.integer(0, "node", 0, nodes - 1);
    const auto to = static_cast<int>(lines.integer(1, "node", 0, nodes - 1));
    const double weight = parse_real(std::string(lines.word(2)), lines.place());
    if (to == from) lines.fail("node " + std::to_string(from) + " sends to itself", "name another node");
    if (!(weight > 0)) lines.fail("a weight has to be positive", "leave out pairs that send nothing");
    auto& row = rows[static_cast<std::size_t>(from)];
    row.push_back({to, weight + (row.empty() ? 0 : row.back().upto)});
  }
  return rows;
}

class Matrix final : public Pattern {
 public:
  explicit Matrix(Rows rows) : rows_(std::move(rows)) {}

  std::optional<Descriptor> next(int node, Random& random) override {
    const auto& row = rows_[static_cast<std::size_t>(node)];
    const double drawn = random.uniform() * row.back().upto;
    const auto found = std::ranges::upper_bound(row, drawn, {}, &Partner::upto);
    return Descriptor{.destination = (found == row.end() ? row.back() : *found).node};
  }
  bool sends(int node) const override { return !rows_[static_cast<std::size_t>(node)].empty(); }
  bool is_repeatable() const override { return true; }

 private:
  Rows rows_;
};

const Registration<PatternPart> registration{
    {"matrix", "several partners for each node, with weights from a file", [](const PatternContext& context) {
       const auto file = context.parameters.text(
           "file", "",
           "Lines `SRC DST WEIGHT`: the share of a node's messages that go to DST is its weight over the sum of its "
           "lines; nodes without a line are silent.",
           "a choice");
       if (file.empty()) throw UserError("pattern matrix", "there is no file", "name one with --file");
       Rows rows = read_matrix(file, context.nodes());
       if (std::ranges::all_of(rows, [](const auto& row) { return row.empty(); }))
         throw UserError(file, "no node sends", "write lines SRC DST WEIGHT");
       return std::make_unique<Matrix>(std::move(rows));
     }}};

}  // namespace
}  // namespace sanvp::traffic
