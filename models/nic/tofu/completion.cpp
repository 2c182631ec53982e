#include "models/nic/tofu/completion.hpp"

#include <algorithm>

namespace sanvp::nic::tofu {

void Completion::tcq(std::uint32_t tni, std::uint32_t queue, std::uint32_t order, std::uint32_t status, Time at) {
  come_.push(
      {.tni = tni, .queue = queue, .left = {.order = order, .status = status, .reserved = 0, .number = 0}, .at = at});
}

void Completion::mrq(std::uint32_t tni, std::uint32_t queue, const tofu_mrq_entry& entry, Time at,
                     const std::optional<Trace::Point>& cause) {
  come_.push({.tni = tni, .queue = queue, .arrival = true, .come = entry, .at = at, .cause = cause});
}

net::Task<> Completion::run() {
  for (;;) {
    const Notice notice = co_await come_.pop();
    co_await clock_.until(notice.at);
    const bool behind = std::any_of(held_.begin(), held_.end(), [&](const Notice& other) {
      return other.tni == notice.tni && other.queue == notice.queue && other.arrival == notice.arrival;
    });
    if (!behind && write(notice)) continue;
    counters_.count(Counter::notices_held);
    held_.push_back(notice);
  }
}

/// @return whether there was room
bool Completion::write(const Notice& notice) {
  Queue* queue = queues_.find(notice.tni, notice.queue);
  if (queue == nullptr) return true;  // the queue was closed meanwhile
  const auto put = [&](auto entry, std::uint64_t base, std::uint32_t entries, std::uint32_t& written,
                       std::uint32_t taken) {
    if (written - taken >= entries) return false;
    const std::uint64_t address = base + (written & (entries - 1)) * sizeof entry;
    entry.number = ++written;
    memory_.write(address, std::as_bytes(std::span{&entry, 1}), clock_.now(), notice.cause);
    counters_.count(Counter::notices);
    return true;
  };
  return notice.arrival
             ? put(notice.come, queue->where.mrq, queue->where.mrq_entries, queue->mrq_written, queue->mrq_taken)
             : put(notice.left, queue->where.tcq, queue->where.tcq_entries, queue->tcq_written, queue->tcq_taken);
}

void Completion::release() {
  if (held_.empty()) return;
  std::deque<Notice> still;
  for (const Notice& notice : held_) {
    const bool behind = std::any_of(still.begin(), still.end(), [&](const Notice& other) {
      return other.tni == notice.tni && other.queue == notice.queue && other.arrival == notice.arrival;
    });
    if (behind || !write(notice)) still.push_back(notice);
  }
  held_ = std::move(still);
}

CardQueue Completion::queue() const {
  CardQueue shown{"held notices"};
  for (const Notice& notice : held_)
    shown.entries.push_back(QueueEntry()
                                .add("tni", notice.tni)
                                .add("queue", notice.queue)
                                .add("of", notice.arrival ? "an arrival" : "an order")
                                .add("since_ns", notice.at));
  return shown;
}

}  // namespace sanvp::nic::tofu
