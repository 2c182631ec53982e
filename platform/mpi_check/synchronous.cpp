#include "platform/mpi_check/synchronous.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace sanvp::mpi_check {
namespace {

constexpr std::size_t first_search = 64;   // steps behind: long enough for ranks that merely come later
constexpr std::size_t most_steps = 65536;  // of one rank: its memory is bounded
constexpr int most_cycles = 32;            // of one run

}  // namespace

Synchronous::Synchronous(std::size_t ranks, std::function<void(const std::vector<Site>&)> found)
    : threads_(ranks), found_(std::move(found)) {}

Synchronous::State& Synchronous::state(const Thread& thread) {
  auto& threads = threads_[static_cast<std::size_t>(thread.first)];
  return threads.try_emplace(thread.second, State{.steps = {}, .next_search = first_search}).first->second;
}

bool Synchronous::holds(const Post& post) {
  if (post.is_satisfied || post.is_ambiguous()) return true;
  if (post.slot) return post.slot->is_passed();
  const auto partner = post.partner.lock();
  return post.had_partner && (!partner || partner->is_passed);
}

Post* Synchronous::unmet(const Step& step) {
  const auto found =
      std::find_if(step.waits_for.begin(), step.waits_for.end(), [](const auto& post) { return !holds(*post); });
  return found != step.waits_for.end() ? found->get() : nullptr;
}

void Synchronous::pass(Post& post) {
  if (std::exchange(post.is_passed, true)) return;
  if (post.slot) {
    if (++post.slot->passed == post.slot->members.size())
      to_look_at_.insert(to_look_at_.end(), post.slot->members.begin(), post.slot->members.end());
  } else if (const auto partner = post.partner.lock()) {
    to_look_at_.push_back(partner->site.rank);
  }
}

/// @returns whether the thread's first step is over
bool Synchronous::advance_one(Steps& steps) {
  if (steps.empty()) return false;
  if (!std::exchange(steps.front().has_begun, true))
    for (const auto& post : steps.front().begins) pass(*post);
  if (unmet(steps.front()) != nullptr) return false;
  steps.pop_front();
  return true;
}

void Synchronous::advance(int rank) {
  to_look_at_.push_back(rank);
  while (!to_look_at_.empty()) {
    const int next = to_look_at_.back();
    to_look_at_.pop_back();
    for (auto& [thread, one] : threads_[static_cast<std::size_t>(next)])
      while (advance_one(one.steps)) continue;
  }
}

void Synchronous::add(int rank, std::uint64_t thread, Step step) {
  auto& [steps, next_search] = state({rank, thread});
  for (const auto& post : step.begins) post->thread = thread;
  steps.push_back(std::move(step));
  if (steps.size() == 1) advance(rank);
  if (steps.size() > most_steps) {  // what it waits for never comes, and the program continues without
    for (const auto& post : steps.front().waits_for) post->is_satisfied = true;
    advance(rank);
  }
  if (steps.size() < next_search) return;
  next_search = find_cycle({rank, thread}) ? first_search : steps.size() * 2;
}

void Synchronous::matched(const Post& one, const Post& other) {
  advance(one.site.rank);
  advance(other.site.rank);
}

/// The thread that has yet to make, in this replay, what a post waits for; rank -1: it has not made it at all.
Synchronous::Thread Synchronous::blocker(const Post& post) {
  if (post.slot) {
    for (const auto& part : post.slot->parts)
      if (const auto there = part.lock(); there && !there->is_passed) return {there->site.rank, there->thread};
    return {-1, 0};
  }
  const auto partner = post.partner.lock();
  return partner && !partner->is_passed ? Thread{partner->site.rank, partner->thread} : Thread{-1, 0};
}

bool Synchronous::find_cycle(Thread from) {
  std::vector<Thread> path;
  std::vector<Post*> posts;
  for (Thread at = std::move(from); at.first >= 0;) {
    const auto seen = std::find(path.begin(), path.end(), at);
    if (seen != path.end()) {
      std::vector<Site> sites;
      for (auto thread = seen; thread != path.end(); ++thread) sites.push_back(state(*thread).steps.front().site);
      found_(sites);
      for (auto post = posts.begin() + (seen - path.begin()); post != posts.end(); ++post) (*post)->is_satisfied = true;
      for (const auto& thread : std::vector<Thread>(seen, path.end())) advance(thread.first);
      return true;
    }
    const Steps& steps = state(at).steps;
    Post* const post = steps.empty() ? nullptr : unmet(steps.front());
    if (post == nullptr) return false;
    path.push_back(at);
    posts.push_back(post);
    at = blocker(*post);
  }
  return false;
}

void Synchronous::finish() {
  const auto settle = [this] {
    for (std::size_t rank = 0; rank < threads_.size(); ++rank) {
      for (auto& [thread, one] : threads_[rank]) {
        if (one.steps.empty()) continue;
        for (const auto& post : one.steps.front().waits_for)
          if (!post->slot && !post->had_partner) post->is_satisfied = true;
      }
      advance(static_cast<int>(rank));
    }
  };
  const auto left_steps = [this] {
    std::size_t all = 0;
    for (const auto& threads : threads_)
      for (const auto& [thread, one] : threads) all += one.steps.size();
    return all;
  };
  const auto find_any_cycle = [this] {
    for (std::size_t rank = 0; rank < threads_.size(); ++rank)
      for (const auto& [thread, one] : threads_[rank])
        if (!one.steps.empty() && find_cycle({static_cast<int>(rank), thread})) return true;
    return false;
  };
  for (int cycles = 0; cycles < most_cycles; ++cycles) {
    for (std::size_t left = SIZE_MAX; left > 0;) {  // until nothing changes
      settle();
      const std::size_t now = left_steps();
      if (std::exchange(left, now) == now) break;
    }
    if (!find_any_cycle()) return;
  }
}

}  // namespace sanvp::mpi_check
