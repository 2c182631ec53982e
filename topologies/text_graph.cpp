#include "topologies/text_graph.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <vector>

#include "platform/core/files.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/statements.hpp"
#include "platform/core/text.hpp"
#include "topologies/limits.hpp"
#include "topologies/parts.hpp"

namespace sanvp::topologies {
namespace {

constexpr const char* default_class = "link";
// A 4-ary 8-tree has 131,072 switches of 8 ports. Like limits.hpp: a mistyped size becomes a message instead of
// exhausting memory.
constexpr std::int64_t most_switches = 1 << 18;
constexpr std::int64_t most_ports_in_all = 1 << 22;

constexpr std::string_view host_form = "host H SWITCH PORT [CLASS]";
constexpr std::string_view link_form = "link SWITCH PORT SWITCH PORT [CLASS]";

class GraphReader {
 public:
  GraphReader(std::string_view text, const std::string& name) : line_(text, name) {}

  Graph read() {
    while (line_.next()) statement();
    if (!switches_) line_.fail("the text names no switches", "begin with: switches N");
    if (hosts_.empty()) line_.fail("the text names no hosts", "write: " + std::string(host_form));
    Graph graph = build();
    require_connected(graph);
    return graph;
  }

 private:
  struct Cable {
    int line;
    End a;
    End b;
    std::string link_class;
  };

  void statement() {
    const std::string_view keyword = line_.word(0);
    if (keyword == "switches") {
      size(switches_, most_switches, "number of switches", "switches N");
    } else if (keyword == "ports") {
      size(ports_, most_ports, "number of ports", "ports P");
    } else if (keyword == "host") {
      host();
    } else if (keyword == "link") {
      link();
    } else {
      const std::string near = nearest(std::string(keyword.substr(0, 16)), {"switches", "ports", "host", "link"});
      line_.fail("unknown statement " + in_quotes(keyword),
                 near.empty() ? "known are switches, ports, host and link" : "did you mean '" + near + "'?");
    }
  }

  void size(std::optional<int>& value, std::int64_t most, const char* what, const char* form) {
    line_.require_words(2, 2, form);
    if (value) line_.fail(std::string("the ") + what + " is given twice", "remove one of the two lines");
    value = static_cast<int>(line_.integer(1, what, 1, most));
    if (std::int64_t{switches_.value_or(0)} * ports_.value_or(0) > most_ports_in_all)
      line_.fail("the switches have more than " + std::to_string(most_ports_in_all) + " ports in all",
                 "use fewer switches or ports");
  }

  void host() {
    line_.require_words(4, 5, host_form);
    const int host = static_cast<int>(line_.integer(1, "host", 0, most_hosts - 1));
    const End port = switch_port(2);
    if (const auto [first, is_new] = hosts_.emplace(host, line_.line()); !is_new)
      line_.fail("host " + std::to_string(host) + " is already cabled in line " + std::to_string(first->second),
                 "a host has one cable");
    cables_.push_back({line_.line(), End::host(host), port, link_class(4)});
  }

  void link() {
    line_.require_words(5, 6, link_form);
    const End a = switch_port(1);
    const End b = switch_port(3);
    if (a.index == b.index)
      line_.fail("switch " + std::to_string(a.index) + " is cabled to itself", "cable two different switches");
    cables_.push_back({line_.line(), a, b, link_class(5)});
  }

  End switch_port(int word) const {
    if (!switches_ || !ports_)
      line_.fail("a cable comes before the sizes of the network", "begin with: switches N and ports P");
    return End::switch_(static_cast<int>(line_.integer(word, "switch", 0, *switches_ - 1)),
                        static_cast<int>(line_.integer(word + 1, "port", 0, *ports_ - 1)));
  }

  std::string link_class(int word) const {
    if (word >= line_.size()) return default_class;
    const std::string_view name = line_.word(word);
    const auto fits = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
    if (!std::all_of(name.begin(), name.end(), fits))
      line_.fail("link class " + in_quotes(name) + " is not a name", "use letters, digits, '_' and '-'");
    return std::string(name);
  }

  Graph build() const {
    Graph graph;
    for (int s = 0; s < *switches_; ++s) graph.add_switch("switch " + std::to_string(s), *ports_);
    for (const auto& [host, line] : hosts_) {
      if (host != graph.host_count())
        throw UserError(
            line_.place_of(line),
            "there is a host " + std::to_string(host) + " but no host " + std::to_string(graph.host_count()),
            "number the hosts from 0 without gaps");
      graph.add_host("host " + std::to_string(host));
    }
    for (const Cable& cable : cables_) {
      for (const End end : {cable.a, cable.b})
        if (const End other = graph.peer(end))
          throw UserError(line_.place_of(cable.line),
                          graph.describe(end) + " is already cabled to " + graph.describe(other), "use a free port");
      graph.connect(cable.a, cable.b, cable.link_class);
    }
    return graph;
  }

  /// Every host must be reachable from host 0.
  void require_connected(const Graph& graph) const {
    std::vector<bool> reached(graph.switch_count(), false);
    std::vector<int> pending{graph.peer(End::host(0)).index};
    reached[pending.back()] = true;
    while (!pending.empty()) {
      const int at = pending.back();
      pending.pop_back();
      const int ports = static_cast<int>(graph.switches()[at].link_at.size());
      for (int port = 0; port < ports; ++port) {
        const End next = graph.peer(End::switch_(at, port));
        if (!next.is_switch() || reached[next.index]) continue;
        reached[next.index] = true;
        pending.push_back(next.index);
      }
    }
    for (const auto& [host, line] : hosts_)
      if (!reached[graph.peer(End::host(host)).index])
        throw UserError(line_.place_of(line), "no path leads from host 0 to host " + std::to_string(host),
                        "add the missing links between their switches");
  }

  Statements line_;
  std::optional<int> switches_;
  std::optional<int> ports_;
  std::map<int, int> hosts_;  ///< per host: the line of its statement
  std::vector<Cable> cables_;
};

}  // namespace

Graph parse_graph(std::string_view text, const std::string& name) { return GraphReader(text, name).read(); }

Graph read_graph_file(const std::string& path) { return parse_graph(read_text_file(path), path); }

std::string to_text(const Graph& graph) {
  std::size_t ports = 1;
  for (const auto& node : graph.switches()) ports = std::max(ports, node.link_at.size());
  std::string text = "# " + graph.family + "\nswitches " + std::to_string(graph.switch_count()) + "\nports " +
                     std::to_string(ports) + "\n";
  const auto port = [](End end) { return " " + std::to_string(end.index) + " " + std::to_string(end.port); };
  for (const Link& link : graph.links()) {
    const auto [a, b] = link.b.is_host() ? std::pair(link.b, link.a) : std::pair(link.a, link.b);
    if (b.is_host() || (a.is_host() && graph.node(a).link_at.size() > 1))
      throw UserError(graph.describe(a), "the text format has one cable per host, to a switch",
                      "export this network as JSON");
    text += a.is_host() ? "host " + std::to_string(a.index) + port(b) : "link" + port(a) + port(b);
    if (const std::string& link_class = graph.link_classes()[link.link_class]; link_class != default_class)
      text += " " + link_class;
    text += "\n";
  }
  return text;
}

static const Registration<TopologyPart> registration{
    {"file", "any network from a text file (switches, ports, host and link statements)",
     [](const Parameters& parameters, std::uint64_t) {
       const std::string path = parameters.text("file", "topology.txt", "path of the topology file",
                                                "yours; its format: topologies/text_graph.hpp");
       return parse_graph(parameters.read_file("file", path), path);
     }}};

}  // namespace sanvp::topologies
