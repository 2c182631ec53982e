#include <algorithm>

#include "platform/core/error.hpp"
#include "platform/core/files.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/statements.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"
#include "platform/traffic/patterns/fixed_partner.hpp"

namespace sanvp::traffic {
namespace {

constexpr const char* source = "systematic traffic of the Macramé paper, section 4.3; which pairs is a choice";

/// "0-5,5-0,3-7": pairs of source and destination.
void read_list(const std::string& list, const std::string& place, std::vector<int>& partner) {
  const auto node = [&](const std::string& text) {
    const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    const std::int64_t number = is_number ? parse_count(text, place) : -1;
    if (number < 0 || number >= static_cast<std::int64_t>(partner.size()))
      throw UserError(place,
                      in_quotes(text) + " is not a node of this machine, which has " + std::to_string(partner.size()),
                      "write pairs as 0-5,5-0,3-7");
    return static_cast<int>(number);
  };
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string pair = list.substr(begin, end - begin);
    const std::size_t dash = std::min(pair.find('-'), pair.size());
    const int from = node(pair.substr(0, dash));
    if (partner[from] >= 0) throw UserError(place, "node " + std::to_string(from) + " has two partners", "give it one");
    partner[from] = node(dash < pair.size() ? pair.substr(dash + 1) : "");
    begin = end + 1;
  }
}

void read_file(const std::string& path, std::vector<int>& partner) {
  const std::string text = read_text_file(path);
  Statements pairs{text, path};
  const auto last = static_cast<std::int64_t>(partner.size()) - 1;
  while (pairs.next()) {
    pairs.require_words(2, 2, "SRC DST");
    const auto from = pairs.integer(0, "node", 0, last);
    if (partner[from] >= 0) pairs.fail("node " + std::to_string(from) + " has two partners", "give it one");
    partner[from] = static_cast<int>(pairs.integer(1, "node", 0, last));
  }
}

/// In a block of 2 x `exchange` nodes, each sends to the node `exchange` ahead or behind.
int exchanged(int node, int exchange) { return node / exchange % 2 == 0 ? node + exchange : node - exchange; }

const Registration<PatternPart> registration{
    {"pairs", "systematic pairs: by distance, each other, from a list or from a file",
     [](const PatternContext& context) {
       require_nodes(context, "pairs", 2);
       const Parameters& given = context.parameters;
       const int nodes = context.nodes();
       const auto distance = given.count("distance", nodes / 2, "Node i sends to node i + distance, modulo the nodes.",
                                         source, 1, nodes - 1);
       const auto exchange = static_cast<int>(given.count(
           "exchange", 0, "Instead, nodes i and i + exchange send to each other, in blocks of twice as many nodes.",
           source, 0, nodes / 2));
       if (exchange > 0 && nodes % (2 * exchange) != 0)
         throw UserError(
             given.place("exchange"),
             std::to_string(nodes) + " nodes are not a whole number of blocks of " + std::to_string(2 * exchange),
             "choose an exchange whose double divides the number of nodes");
       const auto list =
           given.text("list", "", "Instead, pairs such as 0-5,5-0; nodes that are not listed are silent.", source);
       const auto file = given.text("file", "", "Instead, a file of lines `SRC DST`.", source);
       if (!list.empty() && !file.empty())
         throw UserError(given.place("file"), "pairs come from a list or a file, not both", "drop one");
       if (!list.empty() || !file.empty())
         context.note_idle({"distance", "exchange"},
                           std::string("does nothing with ") + (file.empty() ? "--list" : "--file"));
       else if (exchange > 0)
         context.note_idle({"distance"}, "does nothing with --exchange");
       std::vector<int> partner(nodes, -1);
       if (!list.empty())
         read_list(list, given.place("list"), partner);
       else if (!file.empty())
         read_file(file, partner);
       else
         for (int node = 0; node < nodes; ++node)
           partner[node] = exchange > 0 ? exchanged(node, exchange) : static_cast<int>((node + distance) % nodes);
       return std::make_unique<FixedPartner>(std::move(partner));
     }}};

}  // namespace
}  // namespace sanvp::traffic
