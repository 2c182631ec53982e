#include "platform/snapshots/held.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <utility>

#include "platform/core/error.hpp"
#include "platform/core/interrupts.hpp"
#include "platform/snapshots/fork.hpp"
#include "platform/snapshots/open_files.hpp"

namespace sanvp {
namespace {

constexpr char to_continue = 'c', to_answer = 'a';

/// A message of a socket, and its room for one descriptor (SCM_RIGHTS).
struct Message {
  Message(char* text, std::size_t bytes) : part{text, bytes} {
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
  }
  iovec part;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr header{};
};

/// Messages of a socket keep their bounds (SOCK_SEQPACKET).
void send_to(int socket, std::string text, int descriptor = -1) {
  Message message(text.data(), text.size());
  if (descriptor < 0) {
    message.header.msg_controllen = 0;
  } else {
    cmsghdr* const passed = CMSG_FIRSTHDR(&message.header);
    passed->cmsg_level = SOL_SOCKET;
    passed->cmsg_type = SCM_RIGHTS;
    passed->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(passed), &descriptor, sizeof descriptor);
  }
  while (sendmsg(socket, &message.header, MSG_NOSIGNAL) < 0 && errno == EINTR) continue;
}

/// Empty at the end.
HeldStates::Order receive_from(int socket) {
  HeldStates::Order received{.text = std::string(std::size_t{1} << 17, '\0')};
  Message message(received.text.data(), received.text.size());
  ssize_t length = 0;
  do length = recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC);
  while (length < 0 && errno == EINTR);
  received.text.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  const cmsghdr* const passed = length < 0 ? nullptr : CMSG_FIRSTHDR(&message.header);
  if (passed != nullptr) std::memcpy(&received.descriptor, CMSG_DATA(passed), sizeof received.descriptor);
  return received;
}

std::pair<int, int> make_pair_of_sockets() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw UserError("--snapshots", "this computer grants no more open files", "choose fewer");
  return {ends[0], ends[1]};
}

/// Signals of users are for the simulator that is active.
void block_signals(bool blocks) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGVTALRM);
  for (const int signal : interrupts) sigaddset(&signals, signal);
  sigprocmask(blocks ? SIG_BLOCK : SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace

std::optional<HeldStates::Order> HeldStates::keep() {
  const auto free = std::find(shared_.held.begin(), shared_.held.end(), 0);
  if (free == shared_.held.end()) return std::nullopt;
  const auto [orders, orders_end] = make_pair_of_sockets();
  const auto [answers_end, answers] = make_pair_of_sockets();
  const auto slot = static_cast<std::size_t>(free - shared_.held.begin());
  held_.push_back({0, slot, orders, answers_end});
  const pid_t process = fork_simulator([this] {
    block_signals(true);
    in_child_();
    own_positions();
  });
  if (process == 0) {
    held_.back().process = getpid();
    return wait(held_.back(), orders_end, answers);
  }
  shared_.held[slot] = process;
  held_.back().process = process;
  close(orders_end);
  close(answers);
  return std::nullopt;
}

/// In the process that keeps a state. @return the order, in a process that begins there
std::optional<HeldStates::Order> HeldStates::wait(const Held& self, int orders, int answers) {
  constexpr int without_limit = -1;
  while (true) {
    std::array<pollfd, 2> next{{{orders, POLLIN, 0}, {shared_.lifeline, POLLIN, 0}}};
    if (poll(next.data(), next.size(), without_limit) <= 0) continue;
    if (next[1].revents != 0) _exit(0);  // the run is over
    Order order = receive_from(orders);
    if (order.text.empty()) _exit(0);
    if (!begin(order.text.front() == to_answer, answers)) {
      if (order.descriptor >= 0) close(order.descriptor);
      continue;
    }
    close(orders);
    held_.back() = self;
    order.text.erase(0, 1);
    return order;
  }
}

/// @return true in the process that begins
bool HeldStates::begin(bool only_answers, int answers) {
  const pid_t child = fork();
  if (child > 0) {
    const bool has_failed = exit_status_of(child) != 0;
    if (has_failed) send_to(answers, std::string(1, to_answer));
    return false;
  }
  if (only_answers) {
    in_child_();
    answers_to_ = answers;
    own_open_files({});
    return true;
  }
  if (fork() > 0) _exit(0);  // so that the keeper is the parent of the one that begins
  in_child_();
  own_positions();
  become_active(shared_);
  close(answers);
  block_signals(false);
  return true;
}

void HeldStates::drop(std::size_t number) {
  const Held held = held_[number];
  held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(number));
  close(held.orders);
  close(held.answers);
  if (shared_.held[held.slot] != held.process) return;
  shared_.held[held.slot] = 0;
  kill(held.process, SIGKILL);
  while (waitpid(held.process, nullptr, 0) < 0 && errno == EINTR) continue;  // or it is the keeper's
}

bool HeldStates::is_there(std::size_t number) const {
  return shared_.held[held_[number].slot] == held_[number].process;
}

/// The next simulator says by `active` that it has begun, not by a message: it may go back, too, before this one has
/// looked, and would take the message for its own.
void HeldStates::continue_at(std::size_t number, const Order& order) {
  const Held& held = held_[number];
  send_to(held.orders, to_continue + order.text, order.descriptor);
  constexpr int ms_between_looks = 1;
  pollfd failure{held.answers, POLLIN, 0};
  while (shared_.active == getpid())
    if (poll(&failure, 1, ms_between_looks) > 0) {
      std::cerr << "error: going back: no process can begin there; this computer may lack memory or processes"
                << std::endl;
      _exit(EXIT_FAILURE);
    }
  _exit(0);
}

std::string HeldStates::ask(std::size_t number, const std::string& order) {
  const Held& held = held_[number];
  send_to(held.orders, to_answer + order);
  const std::string answer = receive_from(held.answers).text;
  return answer.empty() ? "" : answer.substr(1);
}

void HeldStates::answer(const std::string& text) {
  send_to(answers_to_, to_answer + text);
  _exit(0);
}

}  // namespace sanvp
