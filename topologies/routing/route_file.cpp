#include "topologies/routing/route_file.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "platform/core/files.hpp"
#include "platform/core/statements.hpp"
#include "platform/core/text.hpp"
#include "topologies/parts.hpp"

namespace sanvp::topologies {
namespace {

constexpr std::string_view form = "route SRC DST ID PORT PORT ... [/ PORT ...]";
constexpr int first_port_word = 4;
// A route with more switches is a mistake in the file; GM allows 24 (FACTS.md 2.1).
constexpr int most_hops = 4096;

struct ParsedRoute {
  int source;
  int destination;
  int id;
  int line;
  std::vector<RouteTable::Hop> hops;

  auto key() const { return std::tuple(source, destination, id); }
};

/// Follows the ports of the statement from the source to the destination.
std::vector<RouteTable::Hop> parse_hops(const Graph& graph, const Statements& line, int source, int destination) {
  std::vector<RouteTable::Hop> hops;
  End at = graph.peer(End::host(source));  // the port or host that the worm has reached
  End home;                                // the last switch output that it took
  bool arrived_at_host = false;
  for (int word = first_port_word; word < line.size(); ++word) {
    if (line.word(word) == "/") {
      if (!arrived_at_host)
        line.fail("'/' stands where the route is at " + graph.describe(at),
                  "put it after a port that leads to an in-transit host");
      hops.back().in_transit = true;
      arrived_at_host = false;
      at = home;
      continue;
    }
    if (arrived_at_host)
      line.fail("the route continues after it has reached " + graph.describe(at),
                "put '/' between if that is an in-transit host");
    if (!at.is_switch()) line.fail("the route leaves " + graph.describe(at) + ", which is not a switch");
    const int last_port = static_cast<int>(graph.node(at).link_at.size()) - 1;
    const int port = static_cast<int>(line.integer(word, "port", 0, last_port));
    home = End::switch_(at.index, port);
    at = graph.peer(home);
    if (!at) line.fail("nothing is plugged in at " + graph.describe(home), "name a port with a cable");
    arrived_at_host = at.is_host();
    hops.push_back({static_cast<std::uint16_t>(port)});
  }
  if (!arrived_at_host || at.index != destination)
    line.fail("the route ends at " + graph.describe(at) + ", not at " + graph.describe(End::host(destination)),
              "name one output port for each switch on the way");
  return hops;
}

}  // namespace

std::unique_ptr<RouteTable> parse_routes(const Graph& graph, std::string_view text, const std::string& name) {
  std::vector<ParsedRoute> routes;
  Statements line(text, name);
  while (line.next()) {
    if (line.word(0) != "route")
      line.fail("unknown statement " + in_quotes(line.word(0)), "write: " + std::string(form));
    line.require_words(first_port_word + 1, first_port_word + most_hops, form);
    const int last_host = graph.host_count() - 1;
    ParsedRoute route{static_cast<int>(line.integer(1, "source", 0, last_host)),
                      static_cast<int>(line.integer(2, "destination", 0, last_host)),
                      static_cast<int>(line.integer(3, "route id", 0, std::numeric_limits<int>::max())),
                      line.line(),
                      {}};
    if (route.source == route.destination)
      line.fail("the route leads from host " + std::to_string(route.source) + " to itself", "name two different hosts");
    route.hops = parse_hops(graph, line, route.source, route.destination);
    routes.push_back(std::move(route));
  }
  std::stable_sort(routes.begin(), routes.end(), [](const auto& a, const auto& b) { return a.key() < b.key(); });
  auto table = std::make_unique<RouteTable>();
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const ParsedRoute& route = routes[i];
    if (i > 0 && routes[i - 1].key() == route.key())
      throw UserError(line.place_of(route.line),
                      "route " + std::to_string(route.id) + " of this pair is already given in line " +
                          std::to_string(routes[i - 1].line),
                      "give each route of a pair a different id");
    table->append(route.source, route.destination, route.id, route.hops);
  }
  return table;
}

std::unique_ptr<RouteTable> read_route_file(const Graph& graph, const std::string& path) {
  return parse_routes(graph, read_text_file(path), path);
}

std::string to_text(const Graph& graph, const Routing& routing) {
  std::string text = "# " + std::string(form) + "\n";
  Route route;
  for (int source = 0; source < graph.host_count(); ++source) {
    for (int destination = 0; destination < graph.host_count(); ++destination) {
      const int alternatives = source == destination ? 0 : routing.alternatives(source, destination);
      for (int alternative = 0; alternative < alternatives; ++alternative) {
        routing.route(source, destination, alternative, route);
        text += "route " + std::to_string(source) + " " + std::to_string(destination) + " " +
                std::to_string(routing.route_id(source, destination, alternative));
        for (const Step& step : route.steps) {
          if (step != Step{.port = step.port, .in_transit = step.in_transit} || route.source_port != 0)
            throw UserError(
                "route from " + graph.describe(End::host(source)) + " to " + graph.describe(End::host(destination)),
                "the text format knows plain source routes only: no groups, no virtual channels, no header "
                "deletion",
                "write the routes of another routing");
          text += " " + std::to_string(step.port) + (step.in_transit ? " /" : "");
        }
        text += "\n";
      }
    }
  }
  return text;
}

static const Registration<RoutingPart> registration{
    {"file", "routes from a text file, several per pair where wanted; with in-transit hosts",
     [](const Graph& graph, const Parameters& parameters, std::uint64_t) -> std::unique_ptr<Routing> {
       return read_route_file(graph, parameters.text("file", "routes.txt", "path of the route file",
                                                     "yours; its format: topologies/routing/route_file.hpp"));
     }}};

}  // namespace sanvp::topologies
