#include "platform/mpi_check/job.hpp"

#include <algorithm>
#include <utility>

#include "sw/abi/mpi_numbers.h"

namespace sanvp::mpi_check {
namespace {

std::map<std::string, Handler>& handlers() {
  static std::map<std::string, Handler> all;
  return all;
}

bool is_in_call(const Rank& rank, std::uint64_t thread) {
  return std::any_of(rank.calls.begin(), rank.calls.end(),
                     [&](const auto& call) { return call.second.thread == thread; });
}

}  // namespace

Handlers::Handlers(const std::vector<std::string>& names, Handle begin, Handle end) {
  for (const std::string& name : names) {
    if (begin != nullptr) handlers()[name].begin.push_back(begin);
    if (end != nullptr) handlers()[name].end.push_back(end);
  }
}

const Handler& Handlers::of(const std::string& name) {
  Handler& handler = handlers()[name];
  handler.name = name;
  return handler;
}

Job::Job(std::size_t count, bool with_memory)
    : checks_memory(with_memory),
      ranks(count),
      mail([this](Message& send, Message& receive) { matched(send, receive); }),
      synchronous(count, [this](const std::vector<Site>& sites) { report_cycle(sites); }),
      collectives([this](std::string kind, std::vector<Site> sites, std::string text, std::string cure) {
        report(Severity::error, std::move(kind), std::move(sites), std::move(text), std::move(cure));
      }),
      clocks(count) {
  for (std::size_t i = 0; i < count; ++i) ranks[i].number = static_cast<int>(i);
}

void Job::report(Severity severity, std::string kind, std::vector<Site> sites, std::string text, std::string cure) {
  findings.add({.severity = severity,
                .kind = std::move(kind),
                .sites = std::move(sites),
                .text = std::move(text),
                .cure = std::move(cure)});
}

// ---- calls ----

void Job::check_threads(Rank& rank, const Call& call) {
  if (rank.main_thread == 0 || call.thread == 0) return;
  if (rank.thread_level <= MPI_THREAD_FUNNELED && call.thread != rank.main_thread)
    report(Severity::error, "thread level", {call.site},
           "{0} is called by another thread than the one that called MPI_Init, at level MPI_THREAD_" +
               std::string(rank.thread_level == MPI_THREAD_SINGLE ? "SINGLE" : "FUNNELED"),
           "ask MPI_Init_thread for MPI_THREAD_MULTIPLE, or let the main thread call MPI");
  if (rank.thread_level != MPI_THREAD_SERIALIZED) return;
  for (const auto& [id, other] : rank.calls)
    if (other.thread != call.thread)
      report(Severity::error, "thread level", {call.site, other.site},
             "{0} is called while another thread is in {1}, at level MPI_THREAD_SERIALIZED",
             "ask MPI_Init_thread for MPI_THREAD_MULTIPLE, or let the threads take turns");
}

void Job::check_state(Rank& rank, const Call& call) {
  if (rank.has_finalized)
    report(Severity::error, "call after MPI_Finalize", {call.site}, "{0} is called after MPI_Finalize",
           "make MPI_Finalize the last call");
}

void Job::begin(Rank& rank, Call call, std::uint64_t id) {
  if (rank.first_thread == 0) rank.first_thread = call.thread;
  rank.has_threads |= call.thread != rank.first_thread;
  check_state(rank, call);
  check_threads(rank, call);
  const bool is_nested = is_in_call(rank, call.thread);
  rank.last = call.site;
  Call& kept = rank.calls[id] = std::move(call);
  if (is_nested) return;  // of a function of the program that MPI calls, or of a wrapper: the outer one counts
  if (rank.has_finalized) return;
  windows.check_memory(*this, rank, kept);
  if (kept.handler->name != "MPI_Win_sync") windows.tell_looks(*this, rank);
  for (const Handle handle : kept.handler->begin) handle(*this, rank, kept);
}

void Job::end(Rank& rank, std::uint64_t id, std::int64_t result) {
  const auto found = rank.calls.find(id);
  if (found == rank.calls.end()) return;
  Call call = std::move(found->second);
  rank.calls.erase(found);
  call.result = result;
  if (is_in_call(rank, call.thread)) return;
  if (call.result == MPI_SUCCESS || call.result == MPI_ERR_TRUNCATE)
    accept(rank, call);
  else
    withdraw(call);
  for (const Handle handle : call.handler->end) handle(*this, rank, call);
  refused(call.site, call.result);
}

void Job::accept(const Rank& rank, const Call& call) {
  for (const auto& post : call.posts) {
    const auto part = std::dynamic_pointer_cast<Part>(post);
    if (!part) continue;
    collectives.accept(part);
    if (part->is_blocking) take(rank, *part);
  }
  if (call.learns_all) clocks.acquire_all(rank.number);
}

void Job::give(const Rank& rank, Part& part) {
  part.moment = clocks.release(rank.number);
  if (!part.moment || !part.slot) return;
  join(part.slot->done, *part.moment);
  if (part.comm_rank == part.root) part.slot->at_root = part.moment;
}

void Job::take(const Rank& rank, const Part& part) {
  if (!part.slot) return;
  if (part.root < 0 || (part.comm_rank == part.root && !part.is_from_root))
    clocks.acquire(rank.number, part.slot->done);
  else if (part.is_from_root)
    clocks.acquire(rank.number, part.slot->at_root);
}

/// A rank that has been refused has no part in the collective operation: it may call it again.
void Job::withdraw(const Call& call) {
  for (const auto& post : call.posts)
    if (const auto part = std::dynamic_pointer_cast<Part>(post); part && collectives.leave(part)) {
      part->is_satisfied = true;
      synchronous.matched(*part, *part);
    }
}

void Job::ended(int number, bool owes_finalize) {
  Rank& rank = ranks[static_cast<std::size_t>(number)];
  rank.has_finalized |= !owes_finalize;
  rank.has_ended = true;
  rank.process = nullptr;
}

// ---- memory ----

std::optional<Use> Job::use(Rank& rank, const Site& site, const std::vector<std::pair<std::uint64_t, Data>>& data,
                            bool is_written) {
  Use used{.blocks = {}, .is_written = is_written, .site = site, .owner = 0};
  for (const auto& [address, part] : data) {
    if (rank.copies.contains(address)) continue;
    auto blocks = part.blocks(address);
    if (!blocks) return {};
    used.blocks.insert(used.blocks.end(), blocks->begin(), blocks->end());
  }
  if (used.blocks.empty()) return {};
  windows.use(*this, rank, used);
  if (is_written && used.blocks.size() > 1 && overlaps_itself(used.blocks))
    report(Severity::error, "overlapping data", {site}, "{0} writes bytes of its buffer more than once",
           "receive into places that do not overlap");
  Use* const other = rank.uses.other(used);
  if (other == nullptr) return used;
  used.is_shared = other->is_shared = true;
  // Benchmarks receive many messages into one buffer, whose contents they do not read.
  const bool is_benchmark = other->site.place() == site.place() && other->blocks == used.blocks;
  report(is_benchmark ? Severity::warning : Severity::error, "buffer in use", {site, other->site},
         std::string("{0} ") + (is_written ? "writes" : "reads") + " memory that {1}, still under way, " +
             (other->is_written ? "writes" : "reads"),
         "wait for its end first, or take another buffer");
  return used;
}

/// What the library does in a call is the call's.
void Job::access(Rank& rank, std::uint64_t thread, const Site& site, const Bytes& bytes, bool is_store) {
  if (!rank.is_running || rank.has_finalized || is_in_call(rank, thread)) return;
  if (Use* const other = rank.uses.other({.blocks = {bytes}, .is_written = is_store, .site = site})) {
    other->is_shared = true;
    report(Severity::error, "buffer in use", {site, other->site},
           std::string("{0} ") + (is_store ? "writes" : "reads") + " memory that {1}, still under way, " +
               (other->is_written ? "writes" : "reads"),
           "wait for its end first");
  }
  windows.use(*this, rank, site, bytes, is_store);
}

void Job::hold(Rank& rank, std::vector<Use> uses, std::uint64_t owner) {
  for (Use& use : uses) {
    use.owner = owner;
    if (use.hash) use.hash = rank.hash(use.blocks, UINT64_MAX);
    windows.hold(*this, rank, use);
    report_accesses(rank, use, true);
    rank.uses.add(std::move(use));
  }
}

void Job::report_accesses(const Rank& rank, const Use& use, bool begins) const {
  if (!checks_memory || rank.process == nullptr) return;
  for (const Bytes& block : use.blocks)
    rank.process->report_accesses(static_cast<std::uint64_t>(block.begin), static_cast<std::uint64_t>(block.count),
                                  begins);
}

void Job::release(Rank& rank, std::uint64_t owner) {
  if (checks_memory)
    for (const Use* use : rank.uses.of(owner)) report_accesses(rank, *use, false);
  rank.uses.release(owner);
  windows.release(*this, rank, owner);
}

void Job::compare_buffers(const Site& site, std::uint64_t send, const Data& sent, std::uint64_t receive,
                          const Data& received) {
  constexpr auto in_place = static_cast<std::uint64_t>(1);  // MPI_IN_PLACE
  if (send == in_place || receive == in_place) return;
  const auto read = sent.blocks(send), written = received.blocks(receive);
  if (!read || !written || read->empty() || written->empty() || !overlap(*read, *written)) return;
  report(Severity::error, "aliased buffers", {site}, "{0} sends from memory that it receives into",
         "take two buffers, or MPI_IN_PLACE where the call has it");
}

// ---- messages ----

std::optional<Use> Job::start_message(Rank& rank, const std::shared_ptr<Message>& message) {
  auto used = use(rank, message->site, {{message->buffer, message->data}}, !message->is_send);
  message->moment = clocks.release(rank.number);
  if (!message->is_send) {
    mail.receive(message);
    return used;
  }
  const auto hash = rank.hash(message->buffer, message->data, message->data.bytes());
  message->has_hash = hash.has_value() && !message->hash_is_off;
  message->hash = hash.value_or(0);
  mail.send(message);
  return used;
}

void Job::matched(Message& send, Message& receive) {
  if (send.is_synchronous) send.at_receive = receive.moment;
  if (!send.is_ambiguous() && !receive.is_ambiguous()) compare_types(send, receive);
  synchronous.matched(send, receive);
}

void Job::compare_types(const Message& send, const Message& receive) {
  if (!send.data.type || !receive.data.type) return;
  const Agreement agreement = compare(send.data, receive.data);
  const std::string what = "{0} of " + send.data.text() + " to " + text_of({receive.site.rank}) + " is received as " +
                           receive.data.text() + " by {1}";
  if (agreement == Agreement::other)
    report(Severity::error, "type mismatch", {send.site, receive.site}, what, "use the same types on both sides");
  if (agreement == Agreement::alike)
    report(Severity::note, "equivalent types with different names", {send.site, receive.site},
           what + ", which look the same on this machine and may not on others", "use the same types on both sides");
  if (agreement == Agreement::bytes)
    report(Severity::warning, "bytes for another type", {send.site, receive.site},
           what + ", which the standard forbids; it works only where both sides have one representation",
           "use the same types on both sides");
  if (agreement == Agreement::longer)
    report(Severity::warning, "truncation", {receive.site, send.site},  // an error for the program, by its handler
           "{0} takes " + receive.data.text() + ", and " + text_of({send.site.rank}) + " sends " + send.data.text() +
               " by {1}",
           "make the receive at least as large");
}

void Job::note_race(const Message& receive, int source) {
  if (!receive.any_source || receive.is_ambiguous()) return;
  const std::vector<int> others = mail.other_sources(receive, source);
  if (others.empty()) return;
  std::set<int> all(others.begin(), others.end());
  all.insert(source);
  report(Severity::note, "message race", {receive.site},
         "{0} may take the message of any of the " + text_of(all) + ": which one depends on time",
         "name the source, if the order matters");
}

/// A receive knows what its sender had done; a synchronous send what the receiver had.
void Job::learn(const Rank& rank, const Message& message) {
  if (message.is_cancelled || (message.is_send && !message.is_synchronous)) return;
  if (message.is_ambiguous() || (!message.is_send && !message.sent))
    clocks.acquire_all(rank.number);  // it is not known which
  else
    clocks.acquire(rank.number, message.is_send ? message.at_receive : message.sent->moment);
}

void Job::end_message(Rank& rank, const std::shared_ptr<Message>& message, bool compares) {
  message->is_over = true;
  learn(rank, *message);
  if (!compares || message->is_cancelled) return;
  const char* const cure = "leave the buffer alone until MPI_Wait or MPI_Test has completed it";
  if (message->is_send) {
    if (!message->has_hash) return;
    const auto now = rank.hash(message->buffer, message->data, message->data.bytes());
    if (now && *now != message->hash)
      report(Severity::error, "buffer changed", {message->site}, "{0}: its buffer was changed before the send was over",
             cure);
    return;
  }
  const auto& send = message->sent;
  if (!send || send->is_ambiguous() || message->is_ambiguous() || !send->has_hash ||
      send->data.bytes() > message->data.bytes())
    return;
  const auto now = rank.hash(message->buffer, message->data, send->data.bytes());
  if (now && *now != send->hash && compare(send->data, message->data) != Agreement::other)
    report(Severity::error, "buffer changed", {message->site, send->site},
           "{0}: its buffer does not hold what {1} of " + text_of({send->site.rank}) +
               " sent: it was written before the receive was over",
           cure);
}

bool Job::is_shared(const Rank& rank, std::uint64_t owner) {
  const std::vector<const Use*> uses = rank.uses.of(owner);
  return std::any_of(uses.begin(), uses.end(), [](const Use* use) { return use->is_shared; });
}

void Job::end_uses(Rank& rank, std::uint64_t owner) {
  const bool compares = !is_shared(rank, owner);
  for (const Use* use : rank.uses.of(owner))
    if (compares && use->hash && rank.hash(use->blocks, UINT64_MAX) != use->hash)
      report(Severity::error, "buffer changed", {use->site},
             "{0}: its buffer was changed before the operation was over",
             "leave the buffer alone until the call that completes it");
  release(rank, owner);
}

void Job::end_request(Rank& rank, Request& request) {
  const bool compares = !is_shared(rank, request.id);
  end_uses(rank, request.id);
  for (const auto& post : request.posts) {
    if (const auto message = std::dynamic_pointer_cast<Message>(post)) end_message(rank, message, compares);
    if (const auto part = std::dynamic_pointer_cast<Part>(post)) take(rank, *part);
  }
  if (request.learns_all) clocks.acquire_all(rank.number);
  request.is_active = false;
  request.posts.clear();
}

// ---- what is left at the end ----

void Job::report_cycle(const std::vector<Site>& sites) {
  std::string text = "the run goes on only because this machine buffers: ";
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const int next = sites[(i + 1) % sites.size()].rank;
    if (i == 8) {
      text += " ...";
      break;
    }
    text += (i > 0 ? ", " : "") + text_of({sites[i].rank}) + " in {" + std::to_string(i) + "} waits for " +
            (sites.size() == 1 ? "itself" : text_of({next}));
  }
  report(Severity::error, "potential deadlock", sites, text,
         "receive before sending in some ranks, or use MPI_Sendrecv or MPI_Irecv");
}

void Job::report_lost_messages() {
  for (const auto& send : mail.unmatched_sends()) {
    if (send->is_ambiguous()) continue;  // its receive may count as another's
    report(Severity::error, "message never received", {send->site},
           "{0} of " + send->data.text() + " to " + text_of({send->destination}) + " was never received",
           "receive each message");
  }
}

/// The call that a rank is in, and the ranks that could let it go on. None: others do not matter.
std::vector<int> Job::waits_for(const Rank& rank, const Call*& call) const {
  std::set<int> others;
  for (const auto& [id, under_way] : rank.calls) {
    const std::size_t before = others.size();
    for (const auto& post : under_way.posts) {
      if (post->is_satisfied) continue;
      if (post->slot) {
        for (std::size_t i = 0; i < post->slot->members.size(); ++i)
          if (!post->slot->has_come[i]) others.insert(post->slot->members[i]);
        continue;
      }
      const auto* const message = dynamic_cast<const Message*>(post.get());
      if (message == nullptr || message->had_partner) continue;
      const int other = message->is_send ? message->destination : message->source;
      if (other >= 0)
        others.insert(other);
      else
        for (const Rank& any : ranks)
          if (any.number != rank.number) others.insert(any.number);
    }
    if (call == nullptr || others.size() > before) call = &under_way;
  }
  return {others.begin(), others.end()};
}

/// Adds to the text of a deadlock the messages to its ranks that their receives do not take. @return whether there are
bool Job::add_passed_over(const std::vector<int>& cycle, const Waiting& waiting, std::vector<Site>& sites,
                          std::string& text) const {
  const auto is_receive = [](const std::shared_ptr<Post>& post) {
    const auto* const message = dynamic_cast<const Message*>(post.get());
    return message != nullptr && !message->is_send && !message->had_partner;
  };
  constexpr std::size_t most = 4;
  std::size_t told = 0;
  for (const auto& send : mail.unmatched_sends()) {
    if (send->is_ambiguous() || mail.has_receive(*send)) continue;  // of any source or tag, which it may go to
    if (std::find(cycle.begin(), cycle.end(), send->destination) == cycle.end()) continue;
    const auto& posts = waiting.at(send->destination).first->posts;
    if (std::none_of(posts.begin(), posts.end(), is_receive) || ++told > most) continue;
    text += "; " + text_of({send->destination}) + " has a message from " + text_of({send->source}) + " with tag " +
            std::to_string(send->tag) + ", of {" + std::to_string(sites.size()) + "}, which no receive takes";
    sites.push_back(send->site);
  }
  return told > 0;
}

/// The first cycle of ranks that wait for each other; without one, ranks that wait for one that has ended.
void Job::report_deadlock() {
  Waiting waiting;
  for (const Rank& rank : ranks) {
    const Call* call = nullptr;
    std::vector<int> others = waits_for(rank, call);
    if (!rank.has_ended && call != nullptr && !others.empty()) waiting[rank.number] = {call, std::move(others)};
  }
  const auto next_of = [&](int rank) {
    const auto& others = waiting.at(rank).second;
    const auto found = std::find_if(others.begin(), others.end(), [&](int other) { return waiting.contains(other); });
    return found != others.end() ? *found : -1;
  };
  const auto step = [&](int rank, std::size_t site, const std::string& waits) {
    return text_of({rank}) + " in {" + std::to_string(site) + "} waits for " + waits;
  };
  for (const auto& [first, waits] : waiting) {
    std::vector<int> path;
    int at = first;
    while (at >= 0 && std::find(path.begin(), path.end(), at) == path.end()) {
      path.push_back(at);
      at = next_of(at);
    }
    if (at < 0) continue;
    path.erase(path.begin(), std::find(path.begin(), path.end(), at));
    std::vector<Site> sites;
    std::string text;
    constexpr std::size_t most = 9;
    for (std::size_t i = 0; i < std::min(path.size(), most); ++i) {
      const int next = path[(i + 1) % path.size()];
      sites.push_back(waiting.at(path[i]).first->site);
      text += (i > 0 ? ", " : "") + step(path[i], i, next == path[i] ? "itself" : text_of({next}));
    }
    if (path.size() > most) text += " ...";
    const bool is_misfit = add_passed_over(path, waiting, sites, text);
    report(Severity::error, "deadlock", sites, text,
           is_misfit ? "let the tags, communicators and sources of sends and receives fit each other"
                     : "let one of them send first, or receive first");
    return;
  }
  for (const auto& [rank, waits] : waiting) {
    const std::set<int> gone(waits.second.begin(), waits.second.end());
    const Rank& other = ranks[static_cast<std::size_t>(*gone.begin())];
    std::vector<Site> sites{waits.first->site};
    std::string where;
    if (other.last.call != nullptr) {
      sites.push_back(other.last);
      where = "; the last call of " + text_of({other.number}) + " is {1}";
    }
    report(Severity::error, "deadlock", sites,
           "{0} waits for " + text_of(gone) +
               (gone.size() > 1 ? ", which have ended, or do not" : ", which has ended, or does not") +
               " make the matching call" + where,
           "make the calls of all ranks fit each other");
  }
}

/// All ranks have come to the end: a status that says failure, of the first one that returns it, cuts off no more than
/// what is behind MPI_Finalize.
bool Job::is_complete() const {
  const auto is_at_end = [](const Rank& rank) { return rank.is_finalizing || rank.has_finalized; };
  return std::all_of(ranks.begin(), ranks.end(), is_at_end);
}

void Job::finish(Outcome outcome) {
  collectives.finish();
  if (outcome == Outcome::hangs) report_deadlock();
  if (outcome == Outcome::cut_off && is_complete()) outcome = Outcome::complete;
  if (outcome != Outcome::complete) return;
  for (Rank& rank : ranks) Windows::tell_looks(*this, rank);
  windows.finish(*this);
  report_lost_messages();
  synchronous.finish();
  for (const Rank& rank : ranks)
    if (rank.is_running && !rank.has_finalized && rank.has_ended)
      report(Severity::error, "no MPI_Finalize", {rank.last},
             "the program ends without MPI_Finalize; its last call is {0}", "call MPI_Finalize before the end");
}

}  // namespace sanvp::mpi_check
