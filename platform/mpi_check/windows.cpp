#include "platform/mpi_check/windows.hpp"

#include <algorithm>
#include <utility>

#include "platform/mpi_check/job.hpp"
#include "sw/abi/mpi_numbers.h"

namespace sanvp::mpi_check {
namespace {

const char* name_of(const Access& access) {
  if (access.way == Way::get) return "reads";
  return access.way == Way::put ? "writes" : "updates";
}

constexpr const char* order_cure =
    "order them: by a fence, by a flush and a message, by exclusive locks; or accumulate by one operation";

/// The basic type of all elements; null: there are several, or it is not known.
const std::string* basic_of(const Data& data) {
  return data.type && data.type->is_exact && data.type->signature.size() == 1 ? data.type->signature[0].basic : nullptr;
}

constexpr std::int64_t word = 8;                // bytes whose accumulations are told apart
constexpr std::size_t most_words = 16;          // of one accumulation
constexpr std::size_t most_atomics = 1U << 12;  // words of a job
constexpr std::uint64_t any_word = ~std::uint64_t{0};

/// The words of an accumulation: others may read them to learn of it.
std::vector<std::uint64_t> words_of(const Access& access) {
  std::vector<std::uint64_t> words;
  for (const Bytes& block : access.blocks)
    for (std::int64_t at = block.begin / word; at * word < block.end(); ++at) {
      if (words.size() == most_words) return {any_word};
      words.push_back(static_cast<std::uint64_t>(at));
    }
  return words;
}

/// Whether what its owner does there is compared: loads and stores of others, which are not seen, may order it.
bool is_compared(const Window::Member& member) { return member.base != 0 && !member.is_shared; }

}  // namespace

std::shared_ptr<Window> Windows::of(int rank, std::uint64_t handle) const {
  const auto found = by_handle_.find({rank, handle});
  return found != by_handle_.end() ? found->second : nullptr;
}

void Windows::add(Job& job, Rank& rank, std::uint64_t handle, const Window::Member& member) {
  const auto comm = rank.value<std::uint64_t>(handle + rank.layout->window_comm);
  rank.forget_communicator(comm);
  const auto communicator = rank.communicator(comm);
  if (!communicator) return;
  auto& known = by_context_[{communicator->context, communicator->processes.front()}];
  auto window = known.lock();
  if (!window) {
    window = std::make_shared<Window>();
    window->number = ++windows_;
    window->communicator = communicator;
    window->members.resize(static_cast<std::size_t>(communicator->size));
    window->locks.resize(window->members.size());
    known = window;
  }
  job.clocks.keep();
  window->member(communicator->rank) = member;
  by_handle_[{rank.number, handle}] = window;
  if (is_compared(member)) expose(rank, member.base, member.bytes, window->number);
}

void Windows::remove(const Rank& rank, std::uint64_t handle) {
  const auto found = by_handle_.find({rank.number, handle});
  if (found == by_handle_.end()) return;
  Window& window = *found->second;
  const Window::Member& member = window.member(window.rank_of(rank));
  if (is_compared(member)) hide(rank, member.base, member.bytes, window.number);
  by_handle_.erase(found);
}

void Windows::attach(const Rank& rank, std::uint64_t base, std::uint64_t bytes) {
  attached_[{rank.number, base}] = bytes;
  expose(rank, base, bytes, base);
}

void Windows::detach(const Rank& rank, std::uint64_t base) {
  const auto found = attached_.find({rank.number, base});
  if (found == attached_.end()) return;
  hide(rank, base, found->second, base);
  attached_.erase(found);
}

void Windows::expose(const Rank& rank, std::uint64_t begin, std::uint64_t bytes, std::uint64_t number) {
  exposed_[rank.number].add({{static_cast<std::int64_t>(begin), static_cast<std::int64_t>(bytes)}}, number);
  rank.process->report_accesses(begin, bytes, true);
}

void Windows::hide(const Rank& rank, std::uint64_t begin, std::uint64_t bytes, std::uint64_t number) {
  exposed_[rank.number].remove({{static_cast<std::int64_t>(begin), static_cast<std::int64_t>(bytes)}}, number);
  rank.process->report_accesses(begin, bytes, false);
}

bool Windows::is_exposed(int rank, const std::vector<Bytes>& blocks) const {
  const auto found = exposed_.find(rank);
  return found != exposed_.end() && found->second.find(blocks).has_value();
}

// ---- conflicts ----

bool Windows::is_ordered(const Job& job, int actor, const AccessKind& kind) {
  return kind.over != 0 && job.clocks.has_seen(actor, kind.actor, kind.ended);
}

void Windows::find_conflict(Job& job, Access& access) {
  Access* const other =
      accesses_.conflict(access, [&](const AccessKind& kind) { return is_ordered(job, access.actor, kind); });
  if (other == nullptr) return;
  access.has_conflict = other->has_conflict = true;
  // Benchmarks put the same again and again.
  const bool is_benchmark =
      access.actor == other->actor && access.site.place() == other->site.place() && access.way == other->way;
  const bool are_types = access.way == Way::accumulate && other->way == Way::accumulate &&
                         access.basic != other->basic && access.basic != nullptr && other->basic != nullptr;
  job.report(is_benchmark ? Severity::warning : Severity::error, "conflicting accesses", {access.site, other->site},
             std::string("{0} ") + name_of(access) + " memory of " + text_of({access.process}) + " that {1} of " +
                 text_of({other->site.rank}) + " " + name_of(*other) +
                 (are_types ? ", as " + *access.basic + " and as " + *other->basic : ", and nothing orders the two"),
             are_types ? "accumulate on elements of one type"
                       : "order them by a fence, by a flush and a message, by exclusive locks; or accumulate by one "
                         "operation");
}

/// What the owner has loaded and stored before, and this rank has not been told.
void Windows::compare_with_owner(Job& job, Access& access) {
  Rank& owner = job.ranks[static_cast<std::size_t>(access.process)];
  const auto mark = owner.shadow.find(access.blocks, access.writes(), job.clocks.seen(access.actor, access.process));
  if (!mark || (!mark->is_store && owner.repeated_looks.contains(mark->site.code))) return;
  Finding finding{.severity = Severity::error,
                  .kind = "conflicting accesses",
                  .sites = {access.site, mark->site},
                  .text = std::string("{0} ") + name_of(access) + " memory of " + text_of({access.process}) +
                          " that {1} of its own " + (mark->is_store ? "writes" : "reads") +
                          ", and nothing orders the two",
                  .cure = order_cure};
  if (!mark->is_store) {
    const bool is_synchronised = !owner.latest_loads.contains(mark->site.code);
    owner.looks.try_emplace(mark->site.code, Rank::Look{std::move(finding), access.blocks, is_synchronised});
    return;
  }
  access.has_conflict = true;
  job.findings.add(std::move(finding));
}

void Windows::use(Job& job, Rank& rank, const Site& site, const Bytes& bytes, bool is_store) {
  if (!has_any() || !is_exposed(rank.number, {bytes})) return;
  const auto is_known = [&](const AccessKind& kind) { return is_ordered(job, rank.number, kind); };
  if (!is_store) rank.latest_loads.insert(site.code);
  rank.shadow.note(site, static_cast<std::uint64_t>(bytes.begin), static_cast<std::uint64_t>(bytes.count), is_store,
                   job.clocks.now(rank.number));
  if (!accesses_.has_remote(rank.number, is_known)) return;
  Access access;
  access.actor = access.process = rank.number;
  access.is_local = true;
  access.way = is_store ? Way::put : Way::get;
  access.blocks = {bytes};
  const std::vector<Access*> others = accesses_.conflicts(access, is_known);
  const auto other = std::find_if(others.begin(), others.end(), [&](Access* one) {
    if (is_store || !looks_again(rank, site, bytes, *one)) return true;
    one->is_seen = true;
    job.clocks.acquire(rank.number, one->moment);
    return false;
  });
  if (other == others.end()) return;
  Finding finding{.severity = Severity::error,
                  .kind = "conflicting accesses",
                  .sites = {site, (*other)->site},
                  .text = std::string("{0} ") + (is_store ? "writes" : "reads") + " memory that {1} of " +
                          text_of({(*other)->site.rank}) + " " + name_of(**other) + ", and nothing orders the two",
                  .cure = order_cure};
  if (!is_store) {
    rank.looks.try_emplace(site.code, Rank::Look{std::move(finding), {bytes}});
    return;
  }
  (*other)->has_conflict = true;
  job.findings.add(std::move(finding));
}

/// A rank may look at its memory until what another one puts is there (MPI-3.1, 11.7). A compiler may load it once
/// before its loop, and by other code in it.
bool Windows::looks_again(Rank& rank, const Site& site, const Bytes& bytes, const Access& other) {
  const auto look = std::find_if(rank.looks.begin(), rank.looks.end(), [&](const auto& made) {
    return made.second.is_synchronised && (made.first == site.code || overlap(made.second.blocks, {bytes}));
  });
  if (look == rank.looks.end()) return other.is_seen || rank.repeated_looks.contains(site.code);
  rank.repeated_looks.insert({look->first, site.code});
  rank.looks.erase(look);
  return true;
}

void Windows::tell_looks(Job& job, Rank& rank) {
  for (auto& [code, look] : rank.looks) job.findings.add(std::move(look.finding));
  rank.looks.clear();
}

void Windows::forget(Job& job, int process) {
  accesses_.forget(process, [&](const AccessKind& kind) { return job.clocks.have_all_seen(kind.actor, kind.ended); });
}

void Windows::tell_by(Job& job, const Access& access) {
  const Moment moment = job.clocks.release(access.actor);
  if (!moment) return;
  for (std::uint64_t at : words_of(access)) {
    if (atomics_.size() >= most_atomics && !atomics_.contains({access.process, at})) at = any_word;
    join(atomics_[{access.process, at}], *moment);
  }
}

void Windows::learn_by(Job& job, const Access& access) {
  std::vector<std::uint64_t> words = words_of(access);
  words.push_back(any_word);
  for (const std::uint64_t at : words)
    if (const auto told = atomics_.find({access.process, at}); told != atomics_.end())
      job.clocks.acquire(access.actor, told->second);
}

// ---- a rank's own memory ----

void Windows::use(Job& job, Rank& rank, const Use& use) {
  if (!has_any() || !is_exposed(rank.number, use.blocks)) return;
  Access access;
  access.number = 2 * next_++ + 1;
  access.site = use.site;
  access.actor = access.process = rank.number;
  access.is_local = access.is_freed = true;
  access.way = use.is_written ? Way::put : Way::get;
  access.blocks = use.blocks;
  access.ended = job.clocks.now(rank.number);
  access.over = access.number;
  find_conflict(job, access);
  forget(job, rank.number);
  accesses_.add(std::move(access));
}

void Windows::hold(Job&, const Rank& rank, const Use& use) {
  if (!has_any() || !is_exposed(rank.number, use.blocks)) return;
  Access access;
  access.number = 2 * next_++ + 1;
  access.site = use.site;
  access.actor = access.process = rank.number;
  access.is_local = access.is_freed = true;
  access.way = use.is_written ? Way::put : Way::get;
  access.blocks = use.blocks;
  local_.emplace(std::pair(rank.number, use.owner), access.number);
  accesses_.add(std::move(access));
}

void Windows::release(Job& job, const Rank& rank, std::uint64_t owner) {
  const auto [first, last] = local_.equal_range({rank.number, owner});
  for (auto at = first; at != last; ++at)
    if (Access* const access = accesses_.numbered(at->second))
      accesses_.end(*access, job.clocks.now(rank.number), next_ * 2);
  local_.erase(first, last);
}

// ---- accesses of other ranks ----

void Windows::enter(Job& job, const Rank& rank, Window& window, int target) {
  const int self = window.rank_of(rank);
  Window::Member& own = window.member(self);
  const auto posts = own.awaited.contains(target) ? window.posts.find({target, self}) : window.posts.end();
  if (posts != window.posts.end() && !posts->second.empty()) {
    job.clocks.acquire(rank.number, posts->second.front().moment);
    own.post_promises[target] = posts->second.front().promise;
    posts->second.pop_front();
    own.awaited.erase(target);
  }
  if (!own.has_lock_all) return;
  own.touched.insert(target);
  if (own.is_all_checked) job.clocks.acquire(rank.number, window.lock(target).exclusive);
}

void Windows::check_promises(Job& job, Window& window, const Access& access) {
  if (!access.writes()) return;
  const Window::Promise* promise = nullptr;
  if (access.epoch == Epoch::fence) {
    const auto& promises = window.member(access.target).fence_promises;
    if (const auto found = promises.find(access.fence); found != promises.end()) promise = &found->second;
  } else if (access.epoch == Epoch::group) {
    const auto& promises = window.member(window.communicator->rank_of(access.actor)).post_promises;
    if (const auto found = promises.find(access.target); found != promises.end()) promise = &found->second;
  }
  if (promise == nullptr || (promise->assertion & MPI_MODE_NOPUT) == 0) return;
  job.report(Severity::error, "broken assertion", {access.site, promise->site},
             std::string("{0} ") + name_of(access) + " memory of " + text_of({access.process}) +
                 ", which has promised by MPI_MODE_NOPUT in {1} that no rank does so in this epoch",
             "leave MPI_MODE_NOPUT out there");
}

void Windows::begin(Job& job, Rank& rank, std::uint64_t handle, Access access) {
  access.number = 2 * next_++ + 1;  // odd, as no request's is
  const auto window = of(rank.number, handle);
  if (!window || access.target < 0 || access.target >= window->communicator->size) return;
  const Window::Member& own = window->member(window->rank_of(rank));
  const Window::Member& target = window->member(access.target);
  access.actor = rank.number;
  access.window = window->number;
  access.process = window->communicator->process(access.target);
  access.basic = basic_of(access.data);
  access.address = target.is_dynamic ? access.address : target.base + access.address * target.unit;
  access.epoch = own.has_lock_all || own.locks.contains(access.target) ? Epoch::lock
                 : own.has_started                                     ? Epoch::group
                                                                       : Epoch::fence;
  access.fence = own.fences;
  if (auto blocks = access.data.blocks(access.address)) access.blocks = std::move(*blocks);
  enter(job, rank, *window, access.target);
  check_promises(job, *window, access);
  if (access.way == Way::accumulate && access.fetches) learn_by(job, access);
  if (access.way == Way::accumulate && access.writes()) tell_by(job, access);
  find_conflict(job, access);
  if (job.checks_memory) {
    compare_with_owner(job, access);
    if (access.writes()) access.moment = job.clocks.release(rank.number);
  }
  if (access.way != Way::get)
    access.hash = rank.hash(access.buffer, access.local, access.local.bytes());
  else if (!target.is_shared)
    access.seen = hash_at_target(job, access);
  if (auto used = job.use(rank, access.site, {{access.buffer, access.local}}, access.way == Way::get))
    job.hold(rank, {std::move(*used)}, access.number);
  if (auto used = job.use(rank, access.site, {{access.result_buffer, access.result}}, true))
    job.hold(rank, {std::move(*used)}, access.number);
  forget(job, access.process);
  accesses_.add(std::move(access));
}

void Windows::free_buffer(Job& job, Rank& rank, Access& access) {
  const bool is_shared = Job::is_shared(rank, access.number);
  job.release(rank, access.number);
  const auto before = std::exchange(access.hash, std::nullopt), came = std::exchange(access.came, std::nullopt);
  if (is_shared) return;
  const auto now = before || came ? rank.hash(access.buffer, access.local, access.local.bytes()) : std::nullopt;
  if (!now || *now == (before ? *before : *came)) {
    access.put = before;
    return;
  }
  job.report(Severity::error, "buffer changed", {access.site},
             before ? "{0}: its buffer was changed before the epoch was over"
                    : "{0}: its buffer does not hold what was at the target: it was written before the epoch was over",
             "leave the buffer alone until the call that ends the epoch, or a flush");
}

void Windows::free_buffers(Job& job, Rank& rank, Window& window, int target) {
  const auto is_own = [&](const AccessKind& kind) {
    return kind.actor == rank.number && kind.window == window.number && !kind.is_local;
  };
  accesses_.free_buffers(target < 0 ? -1 : window.communicator->process(target), is_own,
                         [&](Access& access) { free_buffer(job, rank, access); });
}

void Windows::end_at_target(Job& job, Access& access) {
  check_get(job, access);
  if (access.way == Way::accumulate && access.fetches) learn_by(job, access);
}

void Windows::end(Job& job, Rank& rank, Window& window, int target) {
  const auto is_own = [&](const AccessKind& kind) {
    return kind.actor == rank.number && kind.window == window.number && !kind.is_local;
  };
  const std::uint64_t now = job.clocks.now(rank.number);
  std::vector<std::uint64_t> ended;
  accesses_.end(target < 0 ? -1 : window.communicator->process(target), is_own, now, 2 * next_, [&](Access& access) {
    end_at_target(job, access);
    ended.push_back(access.number);
  });
  for (const std::uint64_t number : ended) release(job, rank, number);
}

void Windows::end_request(Job& job, Rank& rank, std::uint64_t request) {
  Access* const access = accesses_.of_request(rank.number, request);
  if (access == nullptr) return;
  free_buffer(job, rank, *access);
  accesses_.free_buffer(*access);
  accesses_.end_request(*access);
  if (!access->fetches) return;  // at the target it is over with the epoch, or a flush
  if (access->way == Way::accumulate) learn_by(job, *access);
  accesses_.end(*access, job.clocks.now(rank.number), 2 * next_);
}

void Windows::finish(Job& job) const {
  for (const auto& [key, window] : by_handle_) {
    const Window::Member& own = window->member(window->communicator->rank_of(key.first));
    if (!own.locks.empty() || own.has_lock_all || own.has_started)
      job.report(Severity::error, "epoch left open", {own.opened}, "{0} opened an epoch that was never closed",
                 "call MPI_Win_unlock, MPI_Win_unlock_all or MPI_Win_complete");
  }
}

}  // namespace sanvp::mpi_check
