/// `ranks` and `mpi`: the programs of the run.
#include "platform/core/registry.hpp"
#include "platform/inspection/inspection.hpp"

namespace sanvp {
namespace {

using Json = Inspection::Json;

Json ranks(const Inspected& inspected, std::optional<int>) {
  Json list = Json::array();
  for (const host::Process* process : inspected.cluster.processes()) {
    const host::Identity& id = process->identity();
    Json one{{"rank", id.rank}, {"node", id.node}};
    if (inspected.jobs.jobs().size() > 1) one = {{"job", id.job}, {"rank", id.rank}, {"node", id.node}};
    const std::string call = process->calls().oldest();
    const auto waiting = process->waiting();
    one["state"] = process->has_ended() ? "has ended" : waiting ? "waits " + waiting->what : "runs";
    if (!call.empty()) one["in"] = call;
    if (waiting && !process->has_ended()) one["since_ns"] = in_ns(waiting->since);
    list.push_back(std::move(one));
  }
  return {{"ranks", list}};
}

Json mpi(const Inspected& inspected, std::optional<int>) {
  Json all = Json::array();
  for (std::size_t job = 0; job < inspected.jobs.jobs().size(); ++job) {
    const jobs::SentMessages& messages = inspected.jobs.jobs()[job].messages;
    Json sends = Json::array(), receives = Json::array();
    for (const jobs::SentMessages::Open& one : messages.sends())
      sends.push_back({{"from", one.from},
                       {"to", one.to},
                       {"tag", one.tag},
                       {"communicator", one.communicator},
                       {"bytes", one.bytes}});
    for (const jobs::SentMessages::Open& one : messages.receives())
      receives.push_back({{"at", one.to},
                          {"from", one.from < 0 ? Json("any") : Json(one.from)},
                          {"tag", one.tag},
                          {"communicator", one.communicator}});
    all.push_back({{"job", job},
                   {"name", inspected.jobs.jobs()[job].name},
                   {"messages_not_received", sends},
                   {"receives_posted", receives}});
  }
  return {{"jobs", all}, {"messages_that_no_receive_takes", inspected.jobs.unmatched_messages()}};
}

const Registration<Inspection> of_ranks{
    {.name = "ranks", .summary = "ranks: which ranks run, and what the others wait for", .look = ranks}};
const Registration<Inspection> of_mpi{
    {.name = "mpi", .summary = "mpi: messages that are not received yet, and receives that wait", .look = mpi}};

}  // namespace
}  // namespace sanvp
