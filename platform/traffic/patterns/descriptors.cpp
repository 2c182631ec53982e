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

constexpr const char* source = "Macramé paper, section 3.1";

using Program = std::vector<std::vector<Descriptor>>;  // by node

Program read_descriptors(const std::string& path, int nodes, std::size_t most_of_a_node) {
  const std::string text = read_text_file(path);
  Statements lines{text, path};
  Program program(nodes);
  while (lines.next()) {
    lines.require_words(4, 4, "SRC DST BYTES DELAY");
    const auto [node, destination] = read_pair(lines, 0, nodes);
    const auto bytes = lines.integer(2, "length in bytes", 1, most_message_bytes);
    const Time delay = parse_time(std::string(lines.word(3)), lines.place());
    if (program[node].size() == most_of_a_node)
      lines.fail("node " + std::to_string(node) + " has memory for " + std::to_string(most_of_a_node) + " descriptors",
                 "give fewer, or a larger --memory");
    program[node].push_back({.destination = destination, .bytes = bytes, .delay = delay});
  }
  return program;
}

/// Each node plays its list of descriptors once or repeatedly.
class Descriptors final : public Pattern {
 public:
  Descriptors(Program program, bool repeat)
      : program_(std::move(program)), at_(program_.size()), delays_(program_.size()), repeat_(repeat) {}

  std::optional<Descriptor> next(int node, Random&) override {
    const auto& list = program_[node];
    if (at_[node] == list.size()) {
      if (!repeat_ || list.empty()) return {};
      at_[node] = 0;
    }
    Descriptor one = list[at_[node]++];
    std::swap(one.delay, delays_[node]);  // the file gives the delay to the next
    return one;
  }
  bool sends(int node) const override { return !program_[node].empty(); }
  Pace pace() const override { return Pace::listed; }
  Extent extent() const override { return repeat_ ? Extent::steady : Extent::finite; }

 private:
  Program program_;
  std::vector<std::size_t> at_;
  std::vector<Time> delays_;  ///< by node: from its last message to its next
  bool repeat_;
};

const Registration<PatternPart> registration{
    {"descriptors", "packet descriptors from a file, as in the Macramé traffic nodes",
     [](const PatternContext& context) {
       const Parameters& given = context.parameters;
       const auto file = given.text(
           "file", "", "Lines `SRC DST BYTES DELAY`: what each node sends in order; DELAY (with unit) to the next.",
           source);
       const bool repeat = given.flag("repeat", true, "Restart at the end of a node's list.", source);
       const auto memory =
           given.count("memory", 8192, "Number of descriptors that fit into a node's memory.", source, 1, 1 << 24);
       if (file.empty()) throw UserError("pattern descriptors", "there is no file", "name one with --file");
       auto program = read_descriptors(file, context.nodes(), static_cast<std::size_t>(memory));
       for (const auto& list : program) {
         Time round{0};
         for (const auto& one : list) round += one.delay;
         if (repeat && !list.empty() && round == Time{0})
           throw UserError(given.place("file"),
                           "all delays of a node are 0, so it would send infinitely many messages at once",
                           "give a delay, or --repeat no");
       }
       return std::make_unique<Descriptors>(std::move(program), repeat);
     }}};

}  // namespace
}  // namespace sanvp::traffic
