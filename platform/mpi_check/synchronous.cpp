#include "platform/mpi_check/synchronous.hpp"

#include <algorithm>
#include <utility>

namespace sanvp::mpi_check {
namespace {

constexpr std::size_t first_search = 64;   // steps behind: long enough for ranks that merely come later
constexpr std::size_t most_steps = 65536;  // of one rank: its memory is bounded
constexpr int most_cycles = 32;            // of one run

}  // namespace

Synchronous::Synchronous(std::size_t ranks, std::function<void(const std::vector<Site>&)> found)
    : steps_(ranks), next_search_(ranks, first_search), found_(std::move(found)) {}

bool Synchronous::holds(const Post& post) {
  if (post.is_satisfied) return true;
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

/// @returns whether the rank's first step is over
bool Synchronous::advance_one(int rank) {
  auto& steps = steps_[static_cast<std::size_t>(rank)];
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
    while (advance_one(next)) continue;
  }
}

void Synchronous::add(int rank, Step step) {
  auto& steps = steps_[static_cast<std::size_t>(rank)];
  steps.push_back(std::move(step));
  if (steps.size() == 1) advance(rank);
  if (steps.size() > most_steps) {  // what it waits for never comes, and the program goes on without
    for (const auto& post : steps.front().waits_for) post->is_satisfied = true;
    advance(rank);
  }
  std::size_t& next = next_search_[static_cast<std::size_t>(rank)];
  if (steps.size() < next) return;
  next = find_cycle(rank) ? first_search : steps.size() * 2;
}

void Synchronous::matched(const Post& one, const Post& other) {
  advance(one.site.rank);
  advance(other.site.rank);
}

/// The rank that has yet to make, in this replay, what a post waits for; -1: it has not made it at all.
int Synchronous::blocker(const Post& post) const {
  if (post.slot) {
    for (const auto& part : post.slot->parts)
      if (const auto there = part.lock(); there && !there->is_passed) return there->site.rank;
    return -1;
  }
  const auto partner = post.partner.lock();
  return partner && !partner->is_passed ? partner->site.rank : -1;
}

bool Synchronous::find_cycle(int from) {
  std::vector<int> path;
  std::vector<Post*> posts;
  for (int at = from; at >= 0;) {
    const auto seen = std::find(path.begin(), path.end(), at);
    if (seen != path.end()) {
      std::vector<Site> sites;
      for (auto rank = seen; rank != path.end(); ++rank)
        sites.push_back(steps_[static_cast<std::size_t>(*rank)].front().site);
      found_(sites);
      for (auto post = posts.begin() + (seen - path.begin()); post != posts.end(); ++post) (*post)->is_satisfied = true;
      for (const int rank : std::vector<int>(seen, path.end())) advance(rank);
      return true;
    }
    const auto& steps = steps_[static_cast<std::size_t>(at)];
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
    for (std::size_t rank = 0; rank < steps_.size(); ++rank)
      if (!steps_[rank].empty()) {
        for (const auto& post : steps_[rank].front().waits_for)
          if (!post->slot && !post->had_partner) post->is_satisfied = true;
        advance(static_cast<int>(rank));
      }
  };
  for (int cycles = 0; cycles < most_cycles; ++cycles) {
    for (std::size_t left = SIZE_MAX; left > 0;) {  // until nothing changes
      settle();
      std::size_t now = 0;
      for (const auto& steps : steps_) now += steps.size();
      if (std::exchange(left, now) == now) break;
    }
    bool has_found = false;
    for (std::size_t rank = 0; rank < steps_.size() && !has_found; ++rank)
      has_found = !steps_[rank].empty() && find_cycle(static_cast<int>(rank));
    if (!has_found) return;
  }
}

}  // namespace sanvp::mpi_check
