/// `sanvp check`: describes a machine and proves that it cannot deadlock.
#include <optional>

#include "platform/commands/command.hpp"
#include "platform/commands/proof.hpp"
#include "platform/core/files.hpp"
#include "platform/jobs/apps.hpp"
#include "platform/machine/buffer_advice.hpp"
#include "topologies/export.hpp"
#include "topologies/routing/route_file.hpp"
#include "topologies/text_graph.hpp"

namespace sanvp::commands {
namespace {

namespace po = boost::program_options;

void options(po::options_description_easy_init add) {
  const auto file = [] { return po::value<std::string>()->value_name("FILE"); };
  add_network_files(add);
  add("dot", file(), "write the network for Graphviz")("write-topology", file(),
                                                       "write the network as a text file that --topology reads")(
      "write-routes", file(), "write the routes as a text file that --routes reads");
}

/// Whether `run` would start on this network: for people, and for JSON.
struct HostSoftware {
  bool runs = true;
  std::string text{};  ///< why not, or how; may be empty

  std::string line() const {
    return std::string("host software: ") + (runs ? "runs" : "does not run") + (text.empty() ? "" : "; " + text) + "\n";
  }
  nlohmann::ordered_json json() const {
    nlohmann::ordered_json json{{"runs", runs}};
    if (!text.empty()) json[runs ? "note" : "message"] = text;
    return json;
  }
};

/// Whether the programs that come with sanvp, or with a part, are linked with a transport for this card: it names the
/// card in a text of its own.
bool has_transport(const std::string& card) {
  constexpr std::size_t most = std::size_t{64} << 20;
  const std::string image = read_text_file(jobs::find_app("ping", "sanvp check"), most);
  return image.find(card.c_str(), 0, card.size() + 1) != std::string::npos;
}

HostSoftware host_software(const Machine& machine) {
  if (!machine.nic().make_module)
    return {.text = "nic.type = " + machine.nic().name + " has no card model, so programs do not reach other nodes"};
  if (!has_transport(machine.nic().name))
    return {.runs = false,
            .text = "there is no transport for nic.type = " + machine.nic().name +
                    ", which MPI and shmem need; `sanvp-part card.cpp card.c` makes a part with one "
                    "(docs/your-own-switch.md)"};
  try {
    return {.text = machine.check_cards()};
  } catch (const UserError& error) {
    return {.runs = false, .text = error.what()};
  }
}

Exit run(const Invocation& invocation) {
  std::optional<Progress> progress(std::in_place, invocation.common.progress);
  progress->announce("building the machine");
  const Machine machine(invocation.machine_request());
  if (invocation.has("dot")) write_text_file(invocation.text("dot"), topologies::to_dot(machine.graph()));
  if (invocation.has("write-topology"))
    write_text_file(invocation.text("write-topology"), topologies::to_text(machine.graph()));
  if (invocation.has("write-routes"))
    write_text_file(invocation.text("write-routes"), topologies::to_text(machine.graph(), machine.routing()));

  progress.emplace(invocation.common.progress);  // restarts the estimate of the time left
  topologies::CheckOptions options;
  options.progress = [&](std::int64_t pairs, double share) { progress->update(pairs, "pairs checked", share); };
  const topologies::CheckReport report = machine.check(std::move(options));
  progress.reset();
  nlohmann::ordered_json json{{"machine", machine.name()}};
  json.update(topologies::to_json(report));
  if (!machine.changes().empty()) json["changed"] = machine.changes();
  json["graph"] = topologies::to_json(machine.graph());
  const std::string pools = about_pools(machine, report);
  if (!pools.empty()) json["in_transit_pools"] = pools;
  const std::string failures = machine.about_failures();
  if (!failures.empty()) json["failures"] = failures;
  const std::string buffers = buffer_advice(machine.graph(), machine.wiring());
  if (!buffers.empty()) json["buffers"] = buffers;
  const HostSoftware software = host_software(machine);
  json["host_software"] = software.json();
  const bool has_cards = static_cast<bool>(machine.nic().make_module);
  invocation.print(machine.headline() + "\n" + to_text(report) + (failures.empty() ? "" : failures + "\n") +
                   (buffers.empty() ? "" : buffers + "\n") + (pools.empty() ? "" : pools + "\n") +
                   (has_cards ? software.line() : ""));
  json["status"] = !report.deadlock_free() ? "deadlock" : report.pairs_unserved > 0 ? "failed" : "done";
  invocation.write_json(json);
  if (!report.deadlock_free()) throw Deadlock(report.cycle_text());
  if (report.pairs_unserved > 0)
    throw UserError(machine.name(), std::to_string(report.pairs_unserved) + " pairs of hosts are not served",
                    report.examples.empty() ? "" : "for one, " + report.examples.front());
  return Exit::done;
}

const Registration<Command> registration{
    {.name = "check",
     .summary = "counts, diameter, mean distance, routes, and the deadlock verdict",
     .positional = {{"machine"}},
     .common = {"s", "seed", "json", "progress"},
     .options = options,
     .run = run}};

}  // namespace
}  // namespace sanvp::commands
