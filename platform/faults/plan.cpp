#include "platform/faults/plan.hpp"

#include <algorithm>
#include <set>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"

namespace sanvp::faults {
namespace {

/// Least mean of random times: about the time of a packet on one link.
constexpr Time shortest_mean = 100ns;

constexpr std::array kinds = {Part::Kind::link, Part::Kind::switch_, Part::Kind::node};
constexpr std::string_view option = "--fault";
const char* const form = "write TIME link|switch|node NUMBER down|up, such as 3ms link 12 down";

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> pieces;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    pieces.emplace_back(trimmed(std::string_view(text).substr(begin, end - begin)));
    begin = end + 1;
  }
  return pieces;
}

std::string one_of(const std::string& word, const std::vector<std::string>& known, const std::string& place) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return word;
  const std::string near = nearest(word, known);
  throw UserError(place, in_quotes(word) + " is not one of " + listed(known),
                  near.empty() ? form : "did you mean '" + near + "'?");
}

Event parse_event(const std::string& text, const Stock& stock, const std::string& place) {
  std::vector<std::string> words = split(text, ' ');
  std::erase(words, "");
  if (words.size() != 4) throw UserError(place, in_quotes(text) + " is not an event", form);
  Event event{.at = parse_time(words[0], place), .part = {}};
  const std::string kind = one_of(words[1], {"link", "switch", "node"}, place);
  event.part.kind = *std::find_if(kinds.begin(), kinds.end(), [&](Part::Kind one) { return kind == name_of(one); });
  const int count = stock.count(event.part.kind);
  if (words[2].find_first_not_of("0123456789") != std::string::npos)
    throw UserError(place, in_quotes(words[2]) + " is not the number of a " + kind, form);
  const std::int64_t number = parse_count(words[2], place);
  if (number >= count)
    throw UserError(place, "there is no " + kind + " " + words[2], "they go from 0 to " + std::to_string(count - 1));
  event.part.number = static_cast<int>(number);
  event.down = one_of(words[3], {"down", "up"}, place) == "down";
  return event;
}

/// A part must be up before it goes down, and down before it comes up; otherwise a number is wrong. Parts that fail at
/// random may be in either state.
void require_changes(const Plan& plan, const Stock& stock, const std::string& place) {
  std::set<Part> down;
  for (const int link : stock.failed.links) down.insert({Part::Kind::link, link});
  for (const int unit : stock.failed.switches) down.insert({Part::Kind::switch_, unit});
  for (const Event& event : plan.listed) {
    if (plan.chance(event.part.kind).mtbf > Time{0}) continue;
    const bool changes = event.down ? down.insert(event.part).second : down.erase(event.part) > 0;
    if (!changes)
      throw UserError(
          place, to_text(event.part) + (event.down ? " is down" : " works") + " already at " + sanvp::to_text(event.at),
          event.down ? "let it come up before, or remove this event" : "let it go down before, or remove this event");
  }
}

std::vector<Event> parse_events(const std::string& text, const Stock& stock, const std::string& place) {
  std::vector<Event> events;
  for (const std::string& piece : split(text, ',')) events.push_back(parse_event(piece, stock, place));
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.at < b.at; });
  return events;
}

}  // namespace

const char* name_of(Part::Kind kind) {
  switch (kind) {
    case Part::Kind::link:
      return "link";
    case Part::Kind::switch_:
      return "switch";
    case Part::Kind::node:
      break;
  }
  return "node";
}

std::string to_text(const Part& part) { return std::string(name_of(part.kind)) + " " + std::to_string(part.number); }

void add_events(const std::vector<std::string>& events, ParameterSet& parameters) {
  if (events.empty()) return;
  const std::string key = "fault.events";
  const ParameterSet::Given* before = parameters.find(key);
  std::string text = before == nullptr ? "" : before->text;
  for (const std::string& event : events) text += (text.empty() ? "" : ", ") + event;
  parameters.set(key, text, (before == nullptr ? "" : before->place + " and ") + std::string(option));
}

int Stock::count(Part::Kind kind) const {
  switch (kind) {
    case Part::Kind::link:
      return graph.link_count();
    case Part::Kind::switch_:
      return graph.switch_count();
    case Part::Kind::node:
      break;
  }
  return graph.host_count() / hosts_per_node;
}

bool Plan::empty() const {
  return listed.empty() &&
         std::all_of(chances.begin(), chances.end(), [](const Chance& one) { return one.mtbf == Time{0}; });
}

bool Plan::repairs_nodes() const {
  const Chance& nodes = chance(Part::Kind::node);
  return (nodes.mtbf > Time{0} && nodes.mttr > Time{0}) ||
         std::any_of(listed.begin(), listed.end(),
                     [](const Event& event) { return event.part.kind == Part::Kind::node && !event.down; });
}

Plan Plan::read(const Parameters& section, const Stock& stock, std::uint64_t seed) {
  Plan plan{.seed = seed};
  const std::string text = section.text("events", "",
                                        "faults and repairs during the run, such as 3ms link 12 down, 5ms link 12 up; "
                                        "also switch and node; --fault adds to it",
                                        "yours; `sanvp check --json` numbers links and switches");
  for (const Part::Kind kind : kinds) {
    const std::string name = name_of(kind);
    Chance& chance = plan.chances[static_cast<std::size_t>(kind)];
    chance.mtbf = section.time(name + "_mtbf", Time{0},
                               "mean time between failures of each " + name +
                                   ", exponentially distributed, by --seed; 0: none fails at random",
                               "yours");
    chance.mttr = section.time(
        name + "_mttr", Time{0},
        "mean time until a " + name + " that failed at random is repaired, exponentially distributed; 0: never",
        "yours");
    for (const auto& [key, given] : {std::pair(name + "_mtbf", chance.mtbf), std::pair(name + "_mttr", chance.mttr)})
      if (given > Time{0} && given < shortest_mean)
        throw UserError(section.where(key), "parts that fail or are repaired so often leave no time for a packet",
                        "use 100ns or more");
    if (chance.mttr > Time{0} && chance.mtbf == Time{0})
      throw UserError(section.where(name + "_mttr"), "no " + name + " fails at random", "set fault." + name + "_mtbf");
  }
  if (text.empty()) return plan;
  const std::string place =
      section.place("events").ends_with(option) ? section.place("events") : section.where("events");
  plan.listed = parse_events(text, stock, place);
  require_changes(plan, stock, place);
  return plan;
}

}  // namespace sanvp::faults
