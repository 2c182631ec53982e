// Sends and receives.
#include "platform/mpi_check/job.hpp"
#include "sw/abi/mpi_numbers.h"

namespace sanvp::mpi_check {
namespace {

using MessagePtr = std::shared_ptr<Message>;

/// Places of the arguments of a message: buffer, count, type, peer, tag, and the communicator.
struct Arguments {
  std::size_t first, peer, communicator;
  std::size_t tag() const { return peer + 1; }
};

constexpr Arguments plain{0, 3, 5}, exchange_send{0, 3, 10}, exchange_receive{5, 8, 10}, replace_send{0, 3, 7},
    replace_receive{0, 5, 7};

/// Null where there is no message (MPI_PROC_NULL), or where the library refuses the call.
MessagePtr message_of(Rank& rank, const Call& call, const Arguments& at, bool is_send) {
  const auto communicator = rank.communicator(call[at.communicator]);
  const int peer = call.integer(at.peer), tag = call.integer(at.tag()), count = call.integer(at.first + 1);
  const bool any_source = !is_send && peer == MPI_ANY_SOURCE;
  if (!communicator || count < 0 || (!any_source && (peer < 0 || peer >= communicator->size))) return nullptr;
  auto message = std::make_shared<Message>();
  message->site = call.site;
  message->is_send = is_send;
  message->thread = rank.has_threads ? call.thread : 0;
  message->context = communicator->context;
  const int other = any_source ? -1 : communicator->process(peer);
  message->source = is_send ? rank.number : other;
  message->destination = is_send ? other : rank.number;
  message->tag = tag;
  message->any_source = any_source;
  message->any_tag = tag < 0;
  message->buffer = call[at.first];
  message->data = rank.data(static_cast<std::uint64_t>(count), call[at.first + 2]);
  if (!message->data) return nullptr;
  const std::string& name = *call.site.call;
  message->is_satisfied =
      is_send && (name.find("Bsend") != std::string::npos || name.find("bsend") != std::string::npos);
  message->is_synchronous =
      is_send && (name.find("Ssend") != std::string::npos || name.find("ssend") != std::string::npos);
  return message;
}

void start(Job& job, Rank& rank, Call& call, const MessagePtr& message, std::vector<MessagePtr>& started) {
  if (!message) return;
  call.posts.push_back(message);
  started.push_back(message);
  if (auto used = job.start_message(rank, message)) call.uses.push_back(std::move(*used));
}

void check_ready(Job& job, const Call& call, const MessagePtr& message) {
  if (!message || (*call.site.call != "MPI_Rsend" && *call.site.call != "MPI_Irsend")) return;
  if (!job.mail.has_receive(*message))
    job.report(Severity::error, "ready send without receive", {call.site},
               "{0} to rank " + std::to_string(message->destination) + ", which has not posted its receive yet",
               "post the receive first and say so by a message, or use MPI_Send");
}

std::vector<std::shared_ptr<Post>> posts_of(const std::vector<MessagePtr>& messages) {
  return {messages.begin(), messages.end()};
}

void resolve_by(Job& job, Rank& rank, const MessagePtr& receive, const Communicator* communicator,
                std::uint64_t status) {
  if (!receive->is_open()) return;
  struct {
    int source, tag;
  } got{};
  if (communicator != nullptr && rank.read(status, &got, sizeof got) && communicator->process(got.source) >= 0) {
    job.note_race(*receive, communicator->process(got.source));
    job.mail.resolve(receive, communicator->process(got.source), got.tag);
    return;
  }
  job.mail.resolve(receive);
  job.note_race(*receive, receive->source);
}

// ---- blocking ----

template <int senders, int receivers>
void begin_blocking(Job& job, Rank& rank, Call& call, const Arguments& send_at, const Arguments& receive_at) {
  const MessagePtr send = senders > 0 ? message_of(rank, call, send_at, true) : nullptr;
  const MessagePtr receive = receivers > 0 ? message_of(rank, call, receive_at, false) : nullptr;
  check_ready(job, call, send);
  std::vector<MessagePtr> started;
  call.communicator = rank.communicator(call[receivers > 0 ? receive_at.communicator : send_at.communicator]);
  start(job, rank, call, receive, started);
  start(job, rank, call, send, started);
  if (!started.empty())
    job.synchronous.add(rank.number, call.thread,
                        {.site = call.site, .begins = posts_of(started), .waits_for = posts_of(started)});
}

/// @param status  place of the argument
void end_blocking(Job& job, Rank& rank, Call& call, std::size_t status) {
  for (const auto& post : call.posts) {
    const auto message = std::dynamic_pointer_cast<Message>(post);
    if (call.result != MPI_SUCCESS && call.result != MPI_ERR_TRUNCATE) {
      job.mail.cancel(message);
      continue;
    }
    if (!message->is_send) resolve_by(job, rank, message, call.communicator.get(), call[status]);
    if (message->any_source) message->is_satisfied = true;  // another sender might have come first
    job.end_message(rank, message, false);
    job.synchronous.matched(*message, *message);
  }
}

const Handlers sends(
    {"MPI_Send", "MPI_Ssend", "MPI_Rsend", "MPI_Bsend"},
    [](Job& job, Rank& rank, Call& call) { begin_blocking<1, 0>(job, rank, call, plain, plain); },
    [](Job& job, Rank& rank, Call& call) { end_blocking(job, rank, call, 0); });
const Handlers receives(
    {"MPI_Recv"}, [](Job& job, Rank& rank, Call& call) { begin_blocking<0, 1>(job, rank, call, plain, plain); },
    [](Job& job, Rank& rank, Call& call) { end_blocking(job, rank, call, 6); });
const Handlers exchanges(
    {"MPI_Sendrecv"},
    [](Job& job, Rank& rank, Call& call) {
      const auto peer = [&](std::size_t at) { return call.integer(at) != MPI_PROC_NULL; };
      if (peer(exchange_send.peer) && peer(exchange_receive.peer) && call.integer(1) >= 0 && call.integer(6) >= 0)
        job.compare_buffers(call.site, call[0], rank.data(call[1], call[2]), call[5], rank.data(call[6], call[7]));
      begin_blocking<1, 1>(job, rank, call, exchange_send, exchange_receive);
    },
    [](Job& job, Rank& rank, Call& call) { end_blocking(job, rank, call, 11); });
const Handlers replacements(
    {"MPI_Sendrecv_replace"},
    [](Job& job, Rank& rank, Call& call) { begin_blocking<1, 1>(job, rank, call, replace_send, replace_receive); },
    [](Job& job, Rank& rank, Call& call) { end_blocking(job, rank, call, 8); });

// ---- nonblocking ----

void begin_nonblocking(Job& job, Rank& rank, Call& call, const std::vector<MessagePtr>& messages) {
  std::vector<MessagePtr> started;
  for (const MessagePtr& message : messages) start(job, rank, call, message, started);
  job.synchronous.add(rank.number, call.thread, {.site = call.site, .begins = posts_of(started), .waits_for = {}});
  call.communicator = rank.communicator(call[call.words.size() - 2]);
}

void end_nonblocking(Job& job, Rank& rank, Call& call) {
  const auto handle = rank.value<std::uint64_t>(call.words.back());
  if (call.result != MPI_SUCCESS || handle == 0) {
    for (const auto& post : call.posts) job.mail.cancel(std::dynamic_pointer_cast<Message>(post));
    return;
  }
  const auto request = rank.add_request(handle, call.site);
  request->is_active = true;
  request->posts = call.posts;
  request->communicator = call.communicator;
  job.hold(rank, std::move(call.uses), request->id);
}

const Handlers nonblocking_sends(
    {"MPI_Isend", "MPI_Issend", "MPI_Irsend", "MPI_Ibsend"},
    [](Job& job, Rank& rank, Call& call) {
      const MessagePtr send = message_of(rank, call, plain, true);
      check_ready(job, call, send);
      begin_nonblocking(job, rank, call, {send});
    },
    end_nonblocking);
const Handlers nonblocking_receives(
    {"MPI_Irecv"},
    [](Job& job, Rank& rank, Call& call) {
      begin_nonblocking(job, rank, call, {message_of(rank, call, plain, false)});
    },
    end_nonblocking);
const Handlers nonblocking_exchanges(
    {"MPI_Isendrecv"},
    [](Job& job, Rank& rank, Call& call) {
      begin_nonblocking(job, rank, call,
                        {message_of(rank, call, exchange_receive, false), message_of(rank, call, exchange_send, true)});
    },
    end_nonblocking);

const Handlers nonblocking_replacements(
    {"MPI_Isendrecv_replace"},
    [](Job& job, Rank& rank, Call& call) {
      const MessagePtr receive = message_of(rank, call, replace_receive, false);
      if (const MessagePtr send = message_of(rank, call, replace_send, true)) {
        // What is sent is a copy: the buffer may change.
        send->hash_is_off = true;
        begin_nonblocking(job, rank, call, {send, receive});
      } else {
        begin_nonblocking(job, rank, call, {receive});
      }
    },
    end_nonblocking);

// ---- persistent ----

template <bool is_send>
void end_prepared(Job&, Rank& rank, Call& call) {
  const auto handle = rank.value<std::uint64_t>(call.words.back());
  if (call.result != MPI_SUCCESS || handle == 0) return;
  const auto request = rank.add_request(handle, call.site);
  request->is_persistent = true;
  request->prepared = message_of(rank, call, plain, is_send);
  request->communicator = rank.communicator(call[plain.communicator]);
}

const Handlers prepared_sends({"MPI_Send_init", "MPI_Ssend_init", "MPI_Rsend_init", "MPI_Bsend_init"}, nullptr,
                              end_prepared<true>);
const Handlers prepared_receives({"MPI_Recv_init"}, nullptr, end_prepared<false>);

// ---- probes ----

/// @returns a receive that takes no message, or takes it without data
MessagePtr probe_of(Rank& rank, const Call& call) {
  const auto communicator = rank.communicator(call[2]);
  const int source = call.integer(0);
  if (!communicator || source >= communicator->size || (source < 0 && source != MPI_ANY_SOURCE)) return nullptr;
  auto probe = std::make_shared<Message>();
  probe->site = call.site;
  probe->thread = rank.has_threads ? call.thread : 0;
  probe->context = communicator->context;
  probe->destination = rank.number;
  probe->source = source < 0 ? -1 : communicator->process(source);
  probe->tag = call.integer(1);
  probe->any_source = source < 0;
  probe->any_tag = probe->tag < 0;
  return probe;
}

void begin_probe(Job&, Rank& rank, Call& call) {
  if (const MessagePtr probe = probe_of(rank, call)) call.posts.push_back(probe);
}

/// @param flag, message, status  places of arguments; flag below 0: the call has no flag
template <int flag, int message, int status>
void end_matched_probe(Job& job, Rank& rank, Call& call) {
  if (call.result != MPI_SUCCESS || (flag >= 0 && rank.value<int>(call[static_cast<std::size_t>(flag)]) == 0)) return;
  const MessagePtr probe = probe_of(rank, call);
  const auto communicator = rank.communicator(call[2]);
  if (!probe || !communicator) return;
  job.mail.receive(probe);
  resolve_by(job, rank, probe, communicator.get(), call[status]);
  rank.matched[rank.value<std::uint64_t>(call[message])] = {probe->sent, call.site};
  probe->is_passed = probe->is_satisfied = true;
}

const Handlers probes({"MPI_Probe", "MPI_Mprobe"}, begin_probe, nullptr);
const Handlers matched_probes({"MPI_Mprobe"}, nullptr, end_matched_probe<-1, 3, 4>);
const Handlers tried_probes({"MPI_Improbe"}, nullptr, end_matched_probe<3, 4, 5>);

/// Buffer, count, type, message.
MessagePtr matched_receive(Job& job, Rank& rank, Call& call) {
  const auto found = rank.matched.find(rank.value<std::uint64_t>(call[3]));
  if (found == rank.matched.end() || call.integer(1) < 0) return nullptr;
  const MessagePtr sent = found->second.sent;
  rank.matched.erase(found);
  if (!sent) return nullptr;
  auto receive = std::make_shared<Message>();
  receive->site = call.site;
  receive->destination = rank.number;
  receive->source = sent->source;
  receive->tag = sent->tag;
  receive->buffer = call[0];
  receive->data = rank.data(call[1], call[2]);
  receive->sent = sent;
  receive->had_partner = receive->is_satisfied = true;
  job.clocks.acquire(rank.number, sent->moment);
  job.compare_types(*sent, *receive);
  return receive;
}

const Handlers matched_receives(
    {"MPI_Mrecv"},
    [](Job& job, Rank& rank, Call& call) {
      if (const MessagePtr receive = matched_receive(job, rank, call))
        job.use(rank, call.site, {{receive->buffer, receive->data}}, true);
    },
    nullptr);
const Handlers nonblocking_matched(
    {"MPI_Imrecv"},
    [](Job& job, Rank& rank, Call& call) {
      const MessagePtr receive = matched_receive(job, rank, call);
      if (!receive) return;
      call.posts.push_back(receive);
      if (auto used = job.use(rank, call.site, {{receive->buffer, receive->data}}, true))
        call.uses.push_back(std::move(*used));
    },
    end_nonblocking);

}  // namespace
}  // namespace sanvp::mpi_check
