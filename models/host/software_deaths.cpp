// The part of Software that reacts to dead nodes.
#include <algorithm>
#include <string>

#include "models/host/node.hpp"
#include "models/host/software.hpp"

namespace sanvp::host {

void Software::react_to_death(Cpu& cpu) {
  if (reacts_to_deaths()) ++reactions_;
  if (ends_own_waits_)
    cpu.interrupt_wait();
  else
    cpu.limit_waits(node_.run_queue().now(), node_.settings().death_timeout, death_word_ != nullptr);
}

void Software::learn_of_death(int node, Time died) {
  deaths_.emplace(node, died);
  if (death_word_ == nullptr) return;
  *death_word_ = static_cast<std::uint32_t>(deaths_.size());
  node_.memory().stored(death_word_, sizeof *death_word_, node_.run_queue().now(), nullptr);
}

/// Names the dead node with the lowest number, preferably another one than its own.
void Software::give_up(const std::string& where) {
  const auto found =
      std::find_if(deaths_.begin(), deaths_.end(), [this](const auto& death) { return death.first != identity_.node; });
  const auto [node, died] = found != deaths_.end() ? *found : *deaths_.begin();
  const std::string name = "node " + std::to_string(node);
  std::string text =
      name + " does not answer: " +
      (node == identity_.node ? "no way leads from it to the others" : "it has died, or no way leads to it") +
      ", since " + to_text(died);
  if (!where.empty()) text += "; this rank waits in " + where;
  if (const native::OwnCalls calls = present_calls(); !where.empty() && !calls.text.empty())
    text += ", called by " + calls.text;
  fail(text);
}

}  // namespace sanvp::host
