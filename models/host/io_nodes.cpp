#include "models/host/io_nodes.hpp"

#include <algorithm>
#include <string>

#include "platform/core/error.hpp"
#include "platform/core/lists.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"

namespace sanvp::host {
namespace {

int parse_node(const std::string& text, int nodes, const std::string& place) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos)
    throw UserError(place, in_quotes(text) + " is not the number of a node", "a list is such as 7,15 or 8-15");
  const std::int64_t node = parse_count(text, place);
  if (node >= nodes)
    throw UserError(place, "there is no node " + text, "the machine has nodes 0 to " + std::to_string(nodes - 1));
  return static_cast<int>(node);
}

std::vector<int> parse_nodes(const std::string& list, int nodes, const std::string& place) {
  std::vector<int> found;
  for (const std::string_view one : between_commas(list)) {
    const std::string item(one);
    const std::size_t dash = item.find('-');
    const int first = parse_node(item.substr(0, dash), nodes, place);
    const int last = dash == std::string::npos ? first : parse_node(item.substr(dash + 1), nodes, place);
    if (last < first) throw UserError(place, in_quotes(item) + " goes backwards");
    for (int node = first; node <= last; ++node) {
      if (std::find(found.begin(), found.end(), node) != found.end())
        throw UserError(place, "names node " + std::to_string(node) + " twice", "name each node once");
      found.push_back(node);
    }
  }
  return found;
}

}  // namespace

bool IoNodes::contains(int node) const { return std::find(nodes.begin(), nodes.end(), node) != nodes.end(); }

IoNodes read_io_nodes(const Parameters& io, int nodes, bool has_disks) {
  IoNodes settings;
  const std::string list =
      io.text("nodes", "", "I/O nodes, whose disks have the files of all nodes, such as 7,15 or 8-15",
              "none: a choice; QsNET paper 4.6 has clustered and distributed ones");
  constexpr std::int64_t most_stripe = std::int64_t{1} << 26;
  settings.stripe_bytes = io.size("stripe", 65536, "bytes of a file on an I/O node before those on the next one",
                                  "assumed: as PVFS's default of 64 KiB");
  settings.are_dedicated =
      io.flag("dedicated", true, "whether ranks are placed on other nodes, unless --map lists nodes",
              "a choice: QsNET paper 4.6 has both");
  settings.nodes = parse_nodes(list, nodes, io.place("nodes"));
  if (settings.nodes.empty()) return settings;
  if (settings.stripe_bytes < 1 || settings.stripe_bytes > most_stripe)
    throw UserError(io.where("stripe"), "a stripe must have 1 byte to 64 MiB", "give it a size such as 64KiB");
  if (!has_disks)
    throw UserError(io.where("nodes"), "I/O nodes need disks",
                    "set host.disk.type=disk; the other nodes have none then");
  if (settings.are_dedicated && static_cast<int>(settings.nodes.size()) == nodes)
    throw UserError(io.where("nodes"), "no node is left for ranks", "name fewer, or set io.dedicated=no");
  return settings;
}

}  // namespace sanvp::host
