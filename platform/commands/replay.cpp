/// `sanvp replay`: sends an explicit packet list and prints every delivery.
#include "platform/replay/replay.hpp"
#include "platform/core/ns_text.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/terminal.hpp"

#include <algorithm>
#include <ctime>
#include <iostream>
#include <optional>

#include "models/native/safety_net.hpp"
#include "models/net/hop_trace.hpp"
#include "platform/commands/command.hpp"
#include "platform/commands/idle_options.hpp"
#include "platform/commands/interruption.hpp"
#include "platform/commands/log_file.hpp"
#include "platform/commands/proof.hpp"
#include "platform/commands/run_folder.hpp"
#include "platform/commands/trace_file.hpp"
#include "platform/core/units.hpp"
#include "platform/machine/simulation.hpp"

namespace sanvp::commands {
namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;
using replay::Delivery;
using replay::Packet;

void options(po::options_description_easy_init add) {
  const auto file = [] { return po::value<std::string>()->value_name("FILE"); };
  add("traffic", file()->required(),
      "the packets, one per line: TIME_NS SRC DST BYTES [ROUTE_ID]. The output has one line each, in the same order: "
      "index "
      "gen_ns src dst bytes route_id inject_ns delivered_ns latency_ns itbs (-1: not delivered; the latency is from "
      "generation to delivery on the wire)")("topology", file(), "a text file instead of the machine's topology")(
      "routes", file(),
      "a text file instead of the machine's routing; a packet without ROUTE_ID takes the lowest id of its pair");
  add_log_options(add);
}

/// The results of a run apart from its deliveries.
struct Outcome {
  Simulation::End end = Simulation::End::idle;
  std::string deadlock;
  Time simulated{0};
  std::uint64_t events = 0;
  std::uint64_t lost = 0;
  std::uint64_t corrupt = 0;
  double cpu_seconds = 0;

  std::string verdict(bool all_delivered) const {
    if (!deadlock.empty()) return "deadlock";
    if (all_delivered) return "done";
    if (end == Simulation::End::paused) return "interrupted";
    if (end == Simulation::End::until) return "until reached";
    return lost > 0 ? "packets lost" : "packets not delivered";
  }
};

struct Summary {
  Distribution latency;  ///< ps
  std::int64_t in_transit_hosts = 0;
  bool all_delivered = true;
};

Summary summarize(const std::vector<Packet>& packets, const std::vector<Delivery>& deliveries) {
  Summary summary;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    if (deliveries[i].delivered == never) {
      summary.all_delivered = false;
      continue;
    }
    summary.latency.add((deliveries[i].delivered - packets[i].time).count());
    summary.in_transit_hosts += deliveries[i].in_transit_hosts;
  }
  return summary;
}

constexpr double ps_per_ns = 1e3;

Json to_json(const Machine& machine, std::size_t packets, const Summary& summary, const Outcome& outcome) {
  const auto& latency = summary.latency;
  const auto percentile = [&](double percent) { return static_cast<double>(latency.percentile(percent)) / ps_per_ns; };
  const auto delivered = static_cast<double>(latency.count());
  Json json{{"machine", machine.name()},    {"seed", machine.seed()}, {"packets", packets},
            {"delivered", latency.count()}, {"lost", outcome.lost},   {"corrupt", outcome.corrupt}};
  json["latency_ns"] = nullptr;
  json["itbs_per_packet"] = nullptr;
  if (latency.count() > 0) {
    json["latency_ns"] = {{"mean", latency.mean() / ps_per_ns},
                          {"p50", percentile(50)},
                          {"p95", percentile(95)},
                          {"p99", percentile(99)},
                          {"max", static_cast<double>(latency.most()) / ps_per_ns}};
    json["itbs_per_packet"] = static_cast<double>(summary.in_transit_hosts) / delivered;
  }
  json["sim_time_ns"] = in_ns(outcome.simulated);
  json["cpu_time_s"] = outcome.cpu_seconds;
  json["events"] = outcome.events;
  json["verdict"] = json["status"] = outcome.verdict(summary.all_delivered);
  if (!outcome.deadlock.empty()) json["deadlock"] = outcome.deadlock;
  return json;
}

Table deliveries_table(const std::vector<Packet>& packets, const std::vector<Delivery>& deliveries) {
  Table table(
      {"index", "gen_ns", "src", "dst", "bytes", "route_id", "inject_ns", "delivered_ns", "latency_ns", "itbs"});
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const auto& [time, source, destination, bytes, unused] = packets[i];
    const auto& [route_id, itbs, injected, delivered] = deliveries[i];
    const Time latency = delivered == never ? never : delivered - time;
    table.add({static_cast<std::int64_t>(i), ns_text(time), std::int64_t{source}, std::int64_t{destination}, bytes,
               std::int64_t{route_id}, ns_text(injected), ns_text(delivered), ns_text(latency), std::int64_t{itbs}});
  }
  return table;
}

StatisticsTable channel_statistics(net::Network& network) {
  StatisticsTable table;
  const auto& channels = network.wiring().channels;
  for (int c = 0; c < static_cast<int>(channels.size()); ++c) {
    const net::ChannelStatistics& one = network.statistics(c);
    if (one.packets == 0) continue;
    const auto count = [&](const char* name, std::uint64_t value) {
      table.add(channels[c].name, name, "1", static_cast<std::int64_t>(value));
    };
    const auto time = [&](const char* name, std::int64_t ps) {
      table.add(channels[c].name, name, "ns", static_cast<double>(ps) / ps_per_ns);
    };
    count("packets", one.packets);
    count("flits", one.flits);
    time("busy_ns", one.busy_ps);
    time("wait_ns", one.wait_ps);
    time("wait_ns_max", one.longest_wait_ps);
    time("head_blocking_ns", one.head_blocking_ps);
    time("held_ns", one.held_ps);
  }
  return table;
}

Outcome simulate(const Invocation& invocation, Simulation& simulation, const replay::Replay& replay,
                 std::size_t packets, TraceFile& trace_file, LogFile& log) {
  const std::clock_t start = std::clock();
  Outcome outcome;
  {
    Progress progress(invocation.common.progress);
    trace_file.before_message([&] { progress.clear(); });
    log.before_line([&] { progress.clear(); });
    outcome.end = simulation.run(invocation.common.until, [&] {
      progress.update(simulation.now(), replay.done(),
                      static_cast<double>(replay.done()) / static_cast<double>(packets));
      return !native::was_interrupted();
    });
    trace_file.before_message({});
    log.before_line({});
  }
  outcome.cpu_seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  outcome.deadlock = simulation.deadlock();
  outcome.simulated = simulation.now();
  outcome.events = simulation.queue().processed();
  outcome.lost = simulation.network().lost();
  outcome.corrupt = simulation.network().corrupt();
  return outcome;
}

/// The routes that the packets can take, ordered by destination.
std::vector<topologies::RouteUse> routes_of(const Machine& machine, const std::vector<Packet>& packets) {
  std::vector<topologies::RouteUse> uses;
  for (const Packet& one : packets)
    uses.push_back({one.source, one.destination,
                    one.route_id == Packet::any_route
                        ? topologies::RouteUse::every
                        : machine.alternative(one.source, one.destination, one.route_id)});
  std::sort(uses.begin(), uses.end());
  uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
  return uses;
}

/// A NIC's route selection belongs to the machine's own routes; the ids in a user's file have the user's meaning.
replay::DefaultRoute default_route(const Invocation& invocation, const Machine& machine) {
  const auto selection = machine.parameters().declared().find("nic.routing");
  const bool is_asked_for =
      selection != machine.parameters().declared().end() && selection->second.place.starts_with("-s");
  return invocation.has("routes") && !is_asked_for ? replay::DefaultRoute::lowest_id : replay::DefaultRoute::of_nic;
}

Exit run(const Invocation& invocation) {
  const Machine machine(invocation.machine_request());
  ParameterSet own = invocation.own_settings();
  take_trace_window(invocation, own);
  TraceFile trace_file(invocation, {own, "traffic"});
  LogFile log(invocation, machine, LogFile::Around::network_alone);
  own.require_all_read();
  const std::string file = invocation.text("traffic");
  const std::vector<Packet> packets = replay::read_traffic_file(file, machine.hosts());
  if (packets.empty())
    std::cerr << heading("note") << file << " has no packets: nothing is sent\n";
  else
    prove_deadlock_free(invocation, machine, routes_of(machine, packets));

  const RunFolder folder(invocation, machine.parameters().with(own));
  Outcome outcome;
  bool all_delivered = true;
  native::catch_interrupts();
  folder.watch([&] {
    Simulation simulation(machine, invocation.common.fidelity);
    std::optional<net::HopTrace> hops;
    if (Trace* trace = trace_file.open(log.format())) {
      hops.emplace(simulation.network().wiring(), *trace);
      simulation.network().observe(&*hops);
      hops->observe(simulation.network());
    }
    const std::shared_ptr<void> logging =
        log.begin({.hosts = static_cast<std::size_t>(machine.hosts()),
                   .now = [&simulation] { return simulation.now(); },
                   .observe = [&simulation](net::PacketObserver& one) { simulation.observe_packets(one); },
                   .forget = [&simulation](net::PacketObserver& one) { simulation.forget_packets(one); }});
    const replay::Replay replay(machine, simulation.queue(), simulation.network(), packets, file,
                                default_route(invocation, machine));
    outcome = simulate(invocation, simulation, replay, packets.size(), trace_file, log);
    if (hops) hops->run_over(simulation.network());

    const Summary summary = summarize(packets, replay.deliveries());
    all_delivered = summary.all_delivered;
    invocation.print(replay::to_text(packets, replay.deliveries()));
    Json json = to_json(machine, packets.size(), summary, outcome);
    if (const faults::Outages* outages = simulation.outages())
      json["faults"] = faults::to_json(outages->account().totals());
    invocation.write_json(json);
    if (const faults::Outages* outages = simulation.outages()) {
      std::cout.flush();
      std::cerr << faults::to_text(outages->account().totals());
      folder.write("faults", faults::table(outages->account(), machine.format().flit_bytes));
    }
    folder.write("deliveries", deliveries_table(packets, replay.deliveries()));
    folder.write(channel_statistics(simulation.network()));
    log.close();
    if (outcome.end == Simulation::End::idle) note_late_faults(machine.faults(), outcome.simulated);
    trace_file.close(outcome.simulated);  // the last: it fails if the disk has become full
    folder.ended(outcome.verdict(all_delivered), outcome.simulated, about_deadlock(outcome.deadlock));
  });
  if (!outcome.deadlock.empty()) stop_at_deadlock(outcome.deadlock);
  if (outcome.end == Simulation::End::paused) {
    std::cerr << heading("error") << name_of_interrupt() << " at " << to_text(outcome.simulated)
              << " of simulated time\n";
    return status_of_interrupt();
  }
  return !all_delivered && outcome.end == Simulation::End::until ? Exit::until_reached : Exit::done;
}

const Registration<Command> registration{
    {.name = "replay",
     .summary = "send an explicit list of packets and print every delivery",
     .positional = {{"machine"}},
     .common = {"s", "fault", "seed", "fidelity", "out", "json", "trace", "trace-from", "trace-until", "trace-limit",
                "until", "progress", "force"},
     .sections = {"traffic"},
     .options = options,
     .run = run}};

}  // namespace
}  // namespace sanvp::commands
