#include "platform/machine/objects.hpp"

#include <string_view>
#include <utility>

#include "models/net/module.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/units.hpp"

namespace sanvp {
namespace {

/// Parameters of a section, by their keys in it, those of subsections included.
class Section {
 public:
  using Parameter = std::pair<std::string, const ParameterSet::Declared*>;

  Section(const Machine& machine, const std::string& name) {
    const auto& all = machine.parameters().declared();
    const std::string prefix = name + ".";
    for (auto at = all.lower_bound(prefix); at != all.end() && at->first.starts_with(prefix); ++at)
      parameters_.emplace_back(at->first.substr(prefix.size()), &at->second);
  }

  const std::vector<Parameter>& all() const& { return parameters_; }
  const std::vector<Parameter>& all() && = delete;  // of what is gone after the call
  bool empty() const { return parameters_.empty(); }
  void add_to(AttributeList& attributes) const {
    for (const auto& [name, parameter] : parameters_) attributes.add(name, *parameter);
  }

 private:
  std::vector<Parameter> parameters_;
};

/// The parameters of each class of links: its own section, or [link].
std::vector<Section> link_sections(const Machine& machine) {
  std::vector<Section> sections;
  for (const std::string& name : machine.graph().link_classes()) {
    Section own(machine, "link." + name);
    sections.push_back(own.empty() ? Section(machine, "link") : std::move(own));
  }
  return sections;
}

}  // namespace

AttributeList::~AttributeList() {
  for (const auto& attribute : attributes_) object_.remove_attribute(attribute->name());
}

void AttributeList::add(const std::string& name, const ParameterSet::Declared& parameter) {
  const std::string& value = parameter.value;
  if (parameter.kind == "time")
    add(name, net::to_sc_time(parse_time(value, parameter.key)));
  else if (parameter.kind == "count")
    add(name, static_cast<long long>(parse_count(value, parameter.key)));
  else if (parameter.kind == "size")
    add(name, static_cast<long long>(parse_size(value, parameter.key)));
  else if (parameter.kind == "rate")
    add(name, parse_rate(value, parameter.key));
  else if (parameter.kind == "real")
    add(name, parse_real(value, parameter.key));
  else if (parameter.kind == "flag")
    add(name, parse_flag(value, parameter.key));
  else
    add(name, value);
}

PartObjects::PartObjects(const Machine& machine, sc_core::sc_module& module) {
  const net::Within within(module);
  const topologies::Graph& graph = machine.graph();
  const Section of_switch(machine, "switch");
  for (int i = 0; i < graph.switch_count(); ++i) {
    parts_.push_back(std::make_unique<PartObject>("switch_" + std::to_string(i)));
    AttributeList& attributes = parts_.back()->attributes;
    attributes.add("name", graph.switches()[i].name);
    of_switch.add_to(attributes);
  }
  const std::vector<Section> of_links = link_sections(machine);
  for (int i = 0; i < graph.link_count(); ++i) {
    const topologies::Link& link = graph.links()[i];
    parts_.push_back(std::make_unique<PartObject>("link_" + std::to_string(i)));
    AttributeList& attributes = parts_.back()->attributes;
    attributes.add("name", graph.describe(link.a) + " - " + graph.describe(link.b));
    attributes.add("class", graph.link_classes()[link.link_class]);
    of_links[link.link_class].add_to(attributes);
  }
}

void PartObjects::add_card(const Machine& machine, sc_core::sc_module& card) {
  const net::Within within(card);
  AttributeList& own = *cards_.emplace_back(std::make_unique<AttributeList>(card));
  const Section section(machine, "nic");
  std::string current;
  for (const auto& [name, parameter] : section.all()) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) {
      own.add(name, *parameter);
      continue;
    }
    // A set is ordered by key: a unit's parameters follow each other.
    const std::string unit = name.substr(0, dot);
    if (std::exchange(current, unit) != unit) parts_.push_back(std::make_unique<PartObject>(unit));
    parts_.back()->attributes.add(name.substr(dot + 1), *parameter);
  }
}

}  // namespace sanvp
