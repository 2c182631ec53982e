/// Several patterns at once, each on its hosts, with its own rate, message sizes and seed.
#include <algorithm>
#include <deque>
#include <utility>

#include "platform/core/error.hpp"
#include "platform/core/files.hpp"
#include "platform/core/lists.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/statements.hpp"
#include "platform/core/text.hpp"
#include "platform/traffic/pattern.hpp"
#include "platform/traffic/patterns/rates.hpp"
#include "platform/traffic/row_of_hosts.hpp"

namespace sanvp::traffic {
namespace {

constexpr const char* mix = "mix";
constexpr const char* form = "CLASS PATTERN HOSTS RATE BYTES [KEY=VALUE ...]";

/// A line of the file.
struct Component {
  std::string name;  ///< of its class
  std::unique_ptr<Pattern> pattern;
  std::vector<int> hosts;  ///< which the pattern numbers from 0
  MessageSizes sizes;
};

/// What one host sends of one component.
struct Source {
  int component = 0;
  int number = 0;  ///< the host's in the component
  ArrivalProcess arrivals;
  Random destinations;
  Random sizes;
};

/// "0-31,40", or "all".
std::vector<int> read_hosts(const Statements& lines, std::string_view text, int nodes) {
  std::vector<int> hosts;
  if (text == "all") text = {};
  for (int host = 0; text.empty() && host < nodes; ++host) hosts.push_back(host);
  for (const std::string_view range : between_commas(text)) {
    const auto dash = range.find('-');
    const auto first = lines.integer(range.substr(0, dash), "host", 0, nodes - 1);
    const auto last =
        dash == std::string_view::npos ? first : lines.integer(range.substr(dash + 1), "host", first, nodes - 1);
    for (auto host = first; host <= last; ++host) {
      if (std::ranges::find(hosts, host) != hosts.end())
        lines.fail("host " + std::to_string(host) + " is there twice", "name each host once");
      hosts.push_back(static_cast<int>(host));
    }
  }
  return hosts;
}

/// Messages of the pattern begin with the place of its line.
std::unique_ptr<Pattern> build_at(const std::string& place, const PatternPart& part, const PatternContext& context) {
  try {
    return part.build(context);
  } catch (const UserError& error) {
    const std::string message = error.what();
    if (message.starts_with(place)) throw;
    throw UserError(place, message);
  }
}

class Mix final : public Pattern {
 public:
  Mix(const PatternContext& context, const std::string& path)
      : sources_(static_cast<std::size_t>(context.nodes())), before_(sources_.size()) {
    const std::string text = read_text_file(path);
    Statements lines{text, path};
    while (lines.next()) add(context, lines);
    if (components_.empty()) throw UserError(path, "there is no pattern in it", std::string("write lines ") + form);
  }

  std::optional<Descriptor> next(int node, Random&) override {
    auto& sources = sources_[static_cast<std::size_t>(node)];
    if (sources.empty()) return {};
    Source& first = *std::ranges::min_element(sources, {}, [](const Source& one) { return one.arrivals.now(); });
    Component& component = components_[static_cast<std::size_t>(first.component)];
    auto descriptor = component.pattern->next(first.number, first.destinations);
    if (!descriptor) return {};
    descriptor->destination = component.hosts[static_cast<std::size_t>(descriptor->destination)];
    if (!descriptor->bytes) descriptor->bytes = component.sizes.draw(first.sizes);
    descriptor->flow_class = first.component;
    const Time now = first.arrivals.now();
    descriptor->delay = now == never ? never : now - std::exchange(before_[static_cast<std::size_t>(node)], now);
    first.arrivals.advance();
    return descriptor;
  }
  bool sends(int node) const override { return !sources_[static_cast<std::size_t>(node)].empty(); }
  Pace pace() const override { return Pace::listed; }
  std::vector<std::string> classes() const override {
    std::vector<std::string> names;
    for (const Component& one : components_) names.push_back(one.name);
    return names;
  }

 private:
  void add(const PatternContext& context, const Statements& lines) {
    if (lines.size() < 5) lines.require_words(5, 5, form);
    const std::string name(lines.word(0));
    const auto is_of_name = [&](const Component& one) { return one.name == name; };
    if (std::ranges::any_of(components_, is_of_name))
      lines.fail("there are two classes " + in_quotes(name), "give each line a name of its own");
    std::vector<int> hosts = read_hosts(lines, lines.word(2), context.nodes());
    const double rate_Bps = rate_of(lines, 3);
    MessageSizes sizes = MessageSizes::parse(std::string(lines.word(4)), lines.place());
    ParameterSet set;
    Arrivals arrivals = Arrivals::exponential;
    std::uint64_t seed = context.seed;
    for (int i = 5; i < lines.size(); ++i) {
      const std::string_view word = lines.word(i);
      const auto equals = word.find('=');
      if (equals == std::string_view::npos) lines.fail(in_quotes(std::string(word)) + " is no KEY=VALUE");
      const std::string key(word.substr(0, equals)), value(word.substr(equals + 1));
      if (key == "arrivals")
        arrivals = arrivals_of(lines, value);
      else if (key == "seed")
        seed = static_cast<std::uint64_t>(lines.integer(value, "seed", 0, std::int64_t{1} << 62));
      else
        set.set("pattern." + key, value, lines.place());
    }
    components_.push_back({name, build(context, lines, hosts, set, seed), std::move(hosts), std::move(sizes)});
    const Component& component = components_.back();
    const double interval_ps = interval_ps_of(lines, component.sizes, rate_Bps);
    for (int i = 0; i < static_cast<int>(component.hosts.size()); ++i) {
      if (!component.pattern->sends(i)) continue;
      const int host = component.hosts[static_cast<std::size_t>(i)];
      const std::string consumer = "mix." + name + "." + std::to_string(host);
      sources_[static_cast<std::size_t>(host)].push_back(
          {.component = static_cast<int>(components_.size()) - 1,
           .number = i,
           .arrivals = {arrivals, interval_ps, {seed, consumer + ".arrivals"}},
           .destinations = {seed, consumer + ".destinations"},
           .sizes = {seed, consumer + ".sizes"}});
    }
  }

  std::unique_ptr<Pattern> build(const PatternContext& context, const Statements& lines, const std::vector<int>& hosts,
                                 ParameterSet& set, std::uint64_t seed) {
    const std::string name(lines.word(1));
    const PatternPart& part = Registry<PatternPart>::get(name, lines.place());
    // Before it is built: its file may be this one.
    if (part.name == mix) lines.fail("pattern mix cannot be part of a mix", "write its lines here");
    if (static_cast<int>(hosts.size()) < context.nodes()) rows_.push_back(row_of_hosts(static_cast<int>(hosts.size())));
    const bool is_on_all = static_cast<int>(hosts.size()) == context.nodes();
    auto pattern = build_at(lines.place(), part,
                            {.graph = is_on_all ? context.graph : rows_.back(),
                             .parameters = {set, "pattern"},
                             .seed = seed,
                             .line = lines.place(),
                             .notes = context.notes});
    set.require_all_read();
    require_sender(*pattern, static_cast<int>(hosts.size()), lines.place());
    if (pattern->pace() != Pattern::Pace::load || pattern->extent() != Pattern::Extent::steady)
      lines.fail("pattern " + name + " sets its own pace or ends", "choose an endless one, such as uniform");
    return pattern;
  }

  std::deque<topologies::Graph> rows_;  ///< networks of patterns on some of the hosts, which refer to them
  std::vector<Component> components_;
  std::vector<std::vector<Source>> sources_;  ///< by host
  std::vector<Time> before_;                  ///< by host: when its last message was generated
};

const Registration<PatternPart> registration{
    {mix, "several patterns at once from a file, each on its hosts, with its rate, sizes and seed",
     [](const PatternContext& context) {
       const auto file = context.parameters.text(
           "file", "",
           "Lines `CLASS PATTERN HOSTS RATE BYTES [KEY=VALUE ...]`: HOSTS is all or a list such as 0-31,40, which the "
           "pattern numbers from 0; RATE the payload of each (120MB/s); KEY one of the pattern's, arrivals or seed.",
           "a choice");
       if (file.empty()) throw UserError("pattern mix", "there is no file", "name one with --file");
       return std::make_unique<Mix>(context, file);
     }}};

}  // namespace
}  // namespace sanvp::traffic
