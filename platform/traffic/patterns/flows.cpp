#include <algorithm>
#include <utility>

#include "platform/core/error.hpp"
#include "platform/core/files.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/statements.hpp"
#include "platform/core/units.hpp"
#include "platform/traffic/message_sizes.hpp"
#include "platform/traffic/pattern.hpp"
#include "platform/traffic/patterns/pair_of_nodes.hpp"

namespace sanvp::traffic {
namespace {

struct Flow {
  Time start{0};
  Descriptor what;
};

struct Lists {
  std::vector<std::vector<Flow>> of_node{};
  std::vector<std::string> classes{};  ///< empty if no line names one
};

/// The index of a class, which its first flow names.
int class_of(std::string_view name, std::vector<std::string>& classes) {
  const auto index = static_cast<int>(std::ranges::find(classes, name) - classes.begin());
  if (index == static_cast<int>(classes.size())) classes.emplace_back(name);
  return index;
}

Lists read_flows(const std::string& path, int nodes) {
  const std::string text = read_text_file(path);
  Statements lines{text, path};
  Lists lists{.of_node = std::vector<std::vector<Flow>>(static_cast<std::size_t>(nodes))};
  bool has_classes = false;
  while (lines.next()) {
    lines.require_words(4, 5, "TIME SRC DST BYTES [CLASS]");
    const Time start = parse_time(std::string(lines.word(0)), lines.place());
    if (start < Time{0}) lines.fail("a flow begins before time 0", "give a later time");
    const auto [node, destination] = read_pair(lines, 1, nodes);
    const auto bytes = lines.integer(3, "length in bytes", 1, most_message_bytes);
    has_classes |= lines.size() > 4;
    const int flow_class = class_of(lines.size() > 4 ? lines.word(4) : "others", lists.classes);
    lists.of_node[node].push_back({start, {.destination = destination, .bytes = bytes, .flow_class = flow_class}});
  }
  if (!has_classes) lists.classes.clear();
  for (auto& list : lists.of_node) {
    std::ranges::stable_sort(list, {}, &Flow::start);
    Time before{0};
    for (Flow& flow : list) flow.what.delay = flow.start - std::exchange(before, flow.start);
  }
  return lists;
}

class Flows final : public Pattern {
 public:
  explicit Flows(Lists lists) : lists_(std::move(lists)), at_(lists_.of_node.size()) {}

  std::optional<Descriptor> next(int node, Random&) override {
    const auto& list = lists_.of_node[static_cast<std::size_t>(node)];
    std::size_t& at = at_[static_cast<std::size_t>(node)];
    return at < list.size() ? std::optional(list[at++].what) : std::nullopt;
  }
  bool sends(int node) const override { return !lists_.of_node[static_cast<std::size_t>(node)].empty(); }
  Pace pace() const override { return Pace::listed; }
  Extent extent() const override { return Extent::finite; }
  std::vector<std::string> classes() const override { return lists_.classes; }

 private:
  Lists lists_;
  std::vector<std::size_t> at_;
};

const Registration<PatternPart> registration{
    {"flows", "messages from a file, each at its time", [](const PatternContext& context) {
       const auto file = context.parameters.text("file", "",
                                                 "Lines `TIME SRC DST BYTES [CLASS]`: a message of that length, at "
                                                 "that time (with unit); results are also by "
                                                 "class.",
                                                 "a choice");
       if (file.empty()) throw UserError("pattern flows", "there is no file", "name one with --file");
       Lists lists = read_flows(file, context.nodes());
       if (std::ranges::all_of(lists.of_node, [](const auto& list) { return list.empty(); }))
         throw UserError(file, "there is no flow in it", "write lines TIME SRC DST BYTES");
       return std::make_unique<Flows>(std::move(lists));
     }}};

}  // namespace
}  // namespace sanvp::traffic
