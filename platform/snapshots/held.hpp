/// States of the simulator in processes that wait: each can have further processes begin where it stands.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/snapshots/keeper.hpp"

namespace sanvp {

class HeldStates {
 public:
  /// What a process gets that begins at a state.
  struct Order {
    std::string text{};
    int descriptor = -1;  ///< an open file, which it did not have then; -1: none
  };
  /// @param in_child  what a process does that has been forked (Cluster::continue_in_child)
  HeldStates(SharedByProcesses& shared, std::function<void()> in_child)
      : shared_(shared), in_child_(std::move(in_child)) {}
  HeldStates(const HeldStates&) = delete;
  HeldStates& operator=(const HeldStates&) = delete;

  /// Keeps the present state as the last one. @return nothing; in a process that begins there: its order
  std::optional<Order> keep();
  void drop(std::size_t number);
  bool is_there(std::size_t number) const;
  /// Has a process begin at a state, which continues the run, and ends this one.
  [[noreturn]] void continue_at(std::size_t number, const Order& order);
  /// Has a process begin there that only answers. @return its answer
  std::string ask(std::size_t number, const std::string& order);
  [[noreturn]] void answer(const std::string& text);
  /// Whether this process only answers: it prints nothing.
  bool only_answers() const { return answers_to_ >= 0; }

 private:
  struct Held {
    pid_t process;
    std::size_t slot;  ///< in SharedByProcesses
    int orders;        ///< to it
    int answers;       ///< from those that begin there
  };
  std::optional<Order> wait(const Held& self, int orders, int answers);
  bool begin(bool only_answers, int answers);

  SharedByProcesses& shared_;
  std::function<void()> in_child_;
  std::vector<Held> held_;
  int answers_to_ = -1;
};

}  // namespace sanvp
