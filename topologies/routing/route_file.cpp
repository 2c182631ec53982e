#include "topologies/routing/route_file.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "platform/core/files.hpp"
#include "platform/core/parameters.hpp"
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
  Route route;

  auto key() const { return std::tuple(source, destination, id); }
};

/// A word of several numbers, each after a mark: "4..7@5v1".
class Marked {
 public:
  Marked(const Statements& line, int word) : line_(line), whole_(line.word(word)), rest_(whole_) {}

  /// The number at the front, which is required.
  int number(std::string_view what, int least, int most) {
    const std::size_t end =
        std::min(rest_.find_first_not_of("0123456789", rest_.starts_with('-') ? 1 : 0), rest_.size());
    const std::size_t digits = end > 0 ? end : rest_.size();
    const int value = static_cast<int>(line_.integer(rest_.substr(0, digits), what, least, most));
    rest_.remove_prefix(digits);
    return value;
  }
  /// The number after `mark`, if that comes next.
  std::optional<int> number_behind(std::string_view mark, std::string_view what, int least, int most) {
    if (!rest_.starts_with(mark)) return {};
    rest_.remove_prefix(mark.size());
    return number(what, least, most);
  }
  void require_end() const {
    if (!rest_.empty())
      line_.fail(in_quotes(whole_) + " goes on with " + in_quotes(rest_),
                 "write: FIRST[..LAST][@PREFERRED][vVC[..LASTVC]][+PUT][-REMOVED]");
  }

 private:
  const Statements& line_;
  std::string_view whole_;
  std::string_view rest_;
};

constexpr int most_vc = Step::any_vc - 1;
constexpr int most_header_flits = 255;

Step parse_step(const Statements& line, int word, int last_port) {
  Marked text(line, word);
  Step step;
  const int first = text.number("port", 0, last_port);
  const int last = text.number_behind("..", "last port", first, last_port).value_or(first);
  step.port = static_cast<std::uint16_t>(first);
  step.ports = static_cast<std::uint16_t>(last - first + 1);
  step.preferred =
      static_cast<std::uint16_t>(text.number_behind("@", "preferred port", first, last).value_or(first) - first);
  step.vc = static_cast<std::uint8_t>(text.number_behind("v", "virtual channel", 0, most_vc).value_or(Step::any_vc));
  if (step.vc != Step::any_vc) {
    const int last_vc = text.number_behind("..", "last virtual channel", step.vc, most_vc).value_or(step.vc);
    step.vcs = static_cast<std::uint8_t>(last_vc - step.vc + 1);
  }
  step.prepend = static_cast<std::uint8_t>(text.number_behind("+", "header flits", 0, most_header_flits).value_or(0));
  step.strip = static_cast<std::uint8_t>(text.number_behind("-", "header flits", 0, most_header_flits).value_or(0));
  text.require_end();
  return step;
}

void require_arrival(const Graph& graph, const Statements& line, End at, int destination) {
  if (!at.is_host() || at.index != destination)
    line.fail("the route ends at " + graph.describe(at) + ", not at " + graph.describe(End::host(destination)),
              "name one output port for each switch on the way");
}

/// Follows the ports of the statement from the source to the destination, on one path or two.
void parse_steps(const Graph& graph, const Statements& line, ParsedRoute& parsed) {
  std::vector<Step>& steps = parsed.route.steps;
  const End seat = graph.peer(End::host(parsed.source, parsed.route.source_port));
  End at = seat;  // the port or host that the worm has reached
  End home;       // the last switch output that it took
  bool arrived_at_host = false;
  for (int word = first_port_word; word < line.size(); ++word) {
    if (line.word(word) == "|") {
      require_arrival(graph, line, at, parsed.destination);
      if (parsed.route.has_choice())
        line.fail("a route has at most two paths", "leave out what follows the second '|'");
      parsed.route.second = static_cast<std::uint16_t>(steps.size());
      at = seat;
      arrived_at_host = false;
      continue;
    }
    if (line.word(word) == "/") {
      if (!arrived_at_host)
        line.fail("'/' stands where the route is at " + graph.describe(at),
                  "put it after a port that leads to an in-transit host");
      steps.back().in_transit = true;
      arrived_at_host = false;
      at = home;
      continue;
    }
    if (arrived_at_host)
      line.fail("the route continues after it has reached " + graph.describe(at),
                "put '/' between if that is an in-transit host");
    if (!at.is_switch()) line.fail("the route leaves " + graph.describe(at) + ", which is not a switch");
    const Step step = parse_step(line, word, static_cast<int>(graph.node(at).link_at.size()) - 1);
    home = End::switch_(at.index, step.port + step.preferred);
    at = graph.peer(home);
    if (!at) line.fail("nothing is plugged in at " + graph.describe(home), "name a port with a cable");
    arrived_at_host = at.is_host();
    steps.push_back(step);
  }
  require_arrival(graph, line, at, parsed.destination);
}

ParsedRoute parse_route(const Graph& graph, const Statements& line) {
  line.require_words(first_port_word + 1, first_port_word + most_hops, form);
  const int last_host = graph.host_count() - 1;
  ParsedRoute parsed{.source = 0,
                     .destination = static_cast<int>(line.integer(2, "destination", 0, last_host)),
                     .id = static_cast<int>(line.integer(3, "route id", 0, std::numeric_limits<int>::max())),
                     .line = line.line(),
                     .route = {}};
  Marked source(line, 1);
  parsed.source = source.number("source", 0, last_host);
  const int last_port = static_cast<int>(graph.hosts()[parsed.source].link_at.size()) - 1;
  parsed.route.source_port =
      static_cast<std::uint8_t>(source.number_behind(".", "port of the host", 0, last_port).value_or(0));
  parsed.route.source_vc =
      static_cast<std::uint8_t>(source.number_behind("v", "virtual channel", 0, most_vc).value_or(Step::any_vc));
  source.require_end();
  if (parsed.source == parsed.destination)
    line.fail("the route leads from host " + std::to_string(parsed.source) + " to itself", "name two different hosts");
  parse_steps(graph, line, parsed);
  return parsed;
}

std::string to_text(const Step& step) {
  std::string text = std::to_string(step.port);
  if (step.ports > 1) text += ".." + std::to_string(step.port + step.ports - 1);
  if (step.preferred > 0) text += "@" + std::to_string(step.port + step.preferred);
  if (step.vc != Step::any_vc) text += "v" + std::to_string(step.vc);
  if (step.vcs > 1) text += ".." + std::to_string(step.vc + step.vcs - 1);
  if (step.prepend > 0) text += "+" + std::to_string(step.prepend);
  if (step.strip > 0) text += "-" + std::to_string(step.strip);
  return text + (step.in_transit ? " /" : "");
}

}  // namespace

std::unique_ptr<RouteTable> parse_routes(const Graph& graph, std::string_view text, const std::string& name) {
  std::vector<ParsedRoute> routes;
  auto table = std::make_unique<RouteTable>();
  Statements line(text, name);
  while (line.next()) {
    if (line.word(0) == "random" && line.size() == 1) {
      table->draw_at_random();
      continue;
    }
    if (line.word(0) == "threshold") {
      line.require_words(2, 2, "threshold FLITS");
      table->set_detour_threshold(line.integer(1, "threshold", 0, INT32_MAX));
      continue;
    }
    if (line.word(0) != "route")
      line.fail("unknown statement " + in_quotes(line.word(0)), "write: " + std::string(form));
    routes.push_back(parse_route(graph, line));
  }
  std::stable_sort(routes.begin(), routes.end(), [](const auto& a, const auto& b) { return a.key() < b.key(); });
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const ParsedRoute& route = routes[i];
    if (i > 0 && routes[i - 1].key() == route.key())
      throw UserError(line.place_of(route.line),
                      "route " + std::to_string(route.id) + " of this pair is already given in line " +
                          std::to_string(routes[i - 1].line),
                      "give each route of a pair a different id");
    table->append(route.source, route.destination, route.id, route.route);
  }
  return table;
}

std::unique_ptr<RouteTable> read_route_file(const Graph& graph, const std::string& path) {
  return parse_routes(graph, read_text_file(path), path);
}

std::string to_text(const Graph& graph, const Routing& routing) {
  if (routing.relation() != nullptr)
    throw UserError("routing", "its packets have no routes: each switch decides by a relation",
                    "write the routes of another routing");
  std::string text = "# " + std::string(form) + "\n";
  if (routing.random_alternative()) text += "random\n";
  if (routing.detour_threshold() > 0) text += "threshold " + std::to_string(routing.detour_threshold()) + "\n";
  Route route;
  for (int source = 0; source < graph.host_count(); ++source) {
    for (int destination = 0; destination < graph.host_count(); ++destination) {
      const int alternatives = source == destination ? 0 : routing.alternatives(source, destination);
      for (int alternative = 0; alternative < alternatives; ++alternative) {
        routing.route(source, destination, alternative, route);
        text += "route " + std::to_string(source);
        if (route.source_port > 0) text += "." + std::to_string(route.source_port);
        if (route.source_vc != Step::any_vc) text += "v" + std::to_string(route.source_vc);
        text += " " + std::to_string(destination) + " " +
                std::to_string(routing.route_id(source, destination, alternative));
        for (std::size_t i = 0; i < route.steps.size(); ++i) {
          const Step& step = route.steps[i];
          if (route.has_choice() && i == route.second) text += " |";
          if (step.replicate)
            throw UserError(
                "route from " + graph.describe(End::host(source)) + " to " + graph.describe(End::host(destination)),
                "a route file has no hardware broadcast", "write the routes of another routing");
          text += " " + to_text(step);
        }
        text += "\n";
      }
    }
  }
  return text;
}

static const Registration<RoutingPart> registration{
    {"file",
     "routes from a text file, several per pair where wanted; with groups, virtual channels and in-transit hosts",
     [](const Graph& graph, const Parameters& parameters, std::uint64_t) -> std::unique_ptr<Routing> {
       const std::string path = parameters.text("file", "routes.txt", "path of the route file",
                                                "yours; its format: topologies/routing/route_file.hpp");
       return parse_routes(graph, parameters.read_file("file", path), path);
     }}};

}  // namespace sanvp::topologies
