#include "models/nic/ds_link/card_rules.hpp"

#include <algorithm>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/units.hpp"

namespace sanvp::nic::ds_link {
namespace {

constexpr int links_per_node = 4;  // for libraries, and for programs' own channels; assumed
constexpr int bits_per_byte = 8;
constexpr std::int64_t most_links = 1 << 20;

HeaderDeletion read_deletion(const Parameters& parameters) {
  const std::string text =
      parameters.choice("header_deletion", "as-needed", {"never", "always", "as-needed"},
                        "whether packets have one header for the switches, which the last switch deletes, and another "
                        "for the virtual link, instead of one for both",
                        "FACTS 3.2: header deletion");
  return text == "never"    ? HeaderDeletion::never
         : text == "always" ? HeaderDeletion::always
                            : HeaderDeletion::as_needed;
}

Configure read_configure(const Parameters& parameters) {
  const std::string text = parameters.text("configure", "no",
                                           "whether node 0 loads the switches' tables over the control network; else "
                                           "they route as [routing] says, by themselves; auto: yes where the tables "
                                           "that it computes are those of [routing] (yes, no, auto)",
                                           "Macrame paper 3.1, 3.2");
  if (text == "auto") return Configure::where_same;
  return parse_flag(text, parameters.where("configure")) ? Configure::yes : Configure::no;
}

}  // namespace

CardRules CardRules::read(const Parameters& parameters, int header_bytes) {
  CardRules rules;
  rules.link = LinkEnd::Rules::read(parameters.section("link"));
  rules.output = VcpOutput::Rules::read(parameters.section("vcp"));
  rules.input = VcpInput::Rules::read(parameters.section("vcp"));
  rules.window = static_cast<int>(parameters.section("vcp").count(
      "window", 1, "unacknowledged packets of a virtual channel at most", "FACTS 3.3: one", 1, 64));
  rules.virtual_links = parameters.count("virtual_links", 0,
                                         "virtual links of a card; 0: four for each node of the machine, or more where "
                                         "the processes of a node need them",
                                         "assumed", 0, most_links);
  rules.processes = static_cast<int>(
      parameters.count("processes", 0,
                       "processes of a node that may have virtual links: each has an equal share; 0: as many as the "
                       "jobs have on the node with the most",
                       "assumed: a T9000 is one CPU", 0, 1024));
  rules.deletion = read_deletion(parameters);
  rules.header_bytes = header_bytes;
  rules.configure = read_configure(parameters);
  rules.control = stc104::ControlNetwork::Rules::read(parameters.section("control"));
  rules.gap = parameters.section("link").time("gap", 0ns, "least time between packets of a host's card",
                                              "assumed: the paper's 650 ns are the traffic node's (nic.gap)");
  return rules;
}

Addressing Addressing::of(const CardRules& rules, int nodes, const NicLoad& load) {
  const std::int64_t headers = std::int64_t{1} << (bits_per_byte * rules.header_bytes);
  const std::int64_t processes = rules.processes > 0 ? rules.processes : load.processes;
  const std::int64_t usual = std::int64_t{links_per_node} * nodes * std::max(rules.processes, 1);
  const std::int64_t links =
      rules.virtual_links > 0 ? rules.virtual_links : std::max(usual, processes * std::int64_t{load.ranks});
  const std::int64_t names = links * 2 * rules.window;  // a link and its sequence numbers
  const bool one_suffices = names * nodes <= headers;
  const bool deletion =
      rules.deletion == HeaderDeletion::always || (rules.deletion == HeaderDeletion::as_needed && !one_suffices);
  if (deletion ? names > headers || nodes > headers : !one_suffices)
    throw UserError("nic.virtual_links",
                    std::to_string(nodes) + " nodes with " + std::to_string(links) + " virtual links of " +
                        std::to_string(2 * rules.window) + " turns have more names than " +
                        std::to_string(rules.header_bytes) + " bytes of header",
                    load.processes > 1 && links > usual
                        ? "start fewer ranks, or spread them over more nodes (--np, --map)"
                        : "give fewer virtual links, or nic.header_deletion=as-needed");
  return {.virtual_links = static_cast<std::uint32_t>(links),
          .processes = static_cast<std::uint32_t>(processes),
          .deletion = deletion,
          .header_links = deletion ? 1 : static_cast<std::uint32_t>(names),
          .header_bytes = deletion ? 2 * rules.header_bytes : rules.header_bytes};
}

}  // namespace sanvp::nic::ds_link
