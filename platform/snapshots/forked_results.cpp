#include "platform/snapshots/forked_results.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "platform/core/error.hpp"
#include "platform/core/write_all.hpp"
#include "platform/snapshots/fork.hpp"

namespace sanvp {
namespace {

/// Neither destructors nor buffered text: those are the parent's.
[[noreturn]] void end_child(bool has_result) { _exit(has_result ? 0 : 1); }

}  // namespace

ForkedResults::~ForkedResults() {
  drop_unless([](const std::string&) { return false; });
}

void ForkedResults::begin(const std::string& name, const std::function<std::string()>& compute) {
  std::array<int, 2> ends{};
  if (has_begun(name) || pipe2(ends.data(), O_CLOEXEC) != 0) return;
  try {
    const pid_t child = fork_simulator([&] {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(ends[0]);
      for (const auto& [_, other] : children_)
        if (other.pipe >= 0) close(other.pipe);
    });
    if (child == 0) {
      try {
        end_child(write_all(ends[1], compute()));
      } catch (const std::exception&) {
        end_child(false);
      }
    }
    children_.emplace(name, Child{child, ends[0]});
  } catch (const UserError&) {
    close(ends[0]);
  }
  close(ends[1]);
}

std::size_t ForkedResults::running() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(children_, [](const auto& child) { return child.second.pipe >= 0; }));
}

bool ForkedResults::read_some() {
  std::vector<pollfd> pipes;
  std::vector<Child*> from;
  for (auto& [_, child] : children_) {
    if (child.pipe < 0) continue;
    pipes.push_back({.fd = child.pipe, .events = POLLIN, .revents = 0});
    from.push_back(&child);
  }
  if (poll(pipes.data(), pipes.size(), ms_between_looks) <= 0) {  // the next call waits again
    if (const int interrupt = interrupt_(); interrupt != 0 && !std::exchange(passed_on_, true))
      for (const Child* child : from) pass_interrupt_on(child->process, interrupt, 1);
    return false;
  }
  bool has_ended = false;
  std::array<char, 1 << 16> part{};
  for (std::size_t i = 0; i < pipes.size(); ++i) {
    if (pipes[i].revents == 0) continue;
    const ssize_t more = read(pipes[i].fd, part.data(), part.size());
    if (more > 0) from[i]->result.append(part.data(), static_cast<std::size_t>(more));
    if (more > 0 || (more < 0 && errno == EINTR)) continue;
    Child& child = *from[i];
    close(std::exchange(child.pipe, -1));
    child.has_failed = exit_status_of(child.process) != 0;
    has_ended = true;
  }
  return has_ended;
}

std::optional<std::string> ForkedResults::take(const std::string& name, const std::function<void()>& on_end) {
  const auto found = children_.find(name);
  if (found == children_.end()) return {};
  while (found->second.pipe >= 0)
    if (read_some() && found->second.pipe >= 0) on_end();
  const Child child = std::move(found->second);
  children_.erase(found);
  if (child.has_failed) return {};
  return child.result;
}

void ForkedResults::drop_unless(const std::function<bool(const std::string& name)>& is_wanted) {
  std::erase_if(children_, [&](const auto& named) {
    const auto& [name, child] = named;
    if (is_wanted(name)) return false;
    if (child.pipe >= 0) {
      kill(child.process, SIGKILL);
      close(child.pipe);
      exit_status_of(child.process);
    }
    return true;
  });
}

std::size_t processors() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace sanvp
