/// The control queues: the address of each in main memory, and the positions of card and software in it.
#pragma once

#include <list>
#include <vector>

#include "models/nic/card/queues.hpp"
#include "models/nic/tofu/host_memory.hpp"
#include "models/nic/tofu/packet.hpp"

namespace sanvp::nic::tofu {

struct Queue {
  struct Order {
    tofu_order order{};
    std::uint32_t number = 0;             ///< in the sequence of all orders of the queue, from 0
    std::optional<Trace::Point> cause{};  ///< the store, in the trace
  };

  tofu_queue where{};
  std::uint32_t orders_given = 0;  ///< by software, in the TOQ
  std::uint32_t orders_seen = 0;   ///< by the card, direct ones as well
  std::list<Order> direct;  ///< direct orders that wait for their turn; a list, since it takes no memory while empty
  std::uint32_t tcq_written = 0, tcq_taken = 0;
  std::uint32_t mrq_written = 0, mrq_taken = 0;

  bool is_open() const { return where.order_entries != 0; }
  bool has_order() const { return !direct.empty() || orders_given != orders_seen; }
};

class Queues {
 public:
  explicit Queues(HostMemory& memory) : memory_(memory) {}

  void set_table(std::uint64_t address) { table_ = address; }
  std::uint64_t table() const { return table_; }
  /// Reads the record of queue `index` (tni * TOFU_QUEUES + queue), and resets its positions.
  void load(std::uint32_t index, Time at) {
    if (index >= TOFU_TNIS * TOFU_QUEUES) return;
    Queue& queue = this->at(index / TOFU_QUEUES, index % TOFU_QUEUES);
    queue = {};
    memory_.load(table_ + index * sizeof(tofu_queue), queue.where, at);
  }

  Queue& at(std::uint32_t tni, std::uint32_t queue) {
    queues_.resize(TOFU_TNIS * TOFU_QUEUES);
    return queues_[tni * TOFU_QUEUES + queue];
  }
  /// Null if it is closed or does not exist.
  Queue* find(std::uint32_t tni, std::uint32_t queue) {
    if (tni >= TOFU_TNIS || queue >= TOFU_QUEUES || queues_.empty()) return nullptr;
    Queue& found = at(tni, queue);
    return found.is_open() ? &found : nullptr;
  }

  /// Those that are open; none before the first is used.
  CardQueue shown() const {
    CardQueue shown{"queues"};
    for (std::size_t i = 0; i < queues_.size(); ++i) {
      const Queue& queue = queues_[i];
      if (!queue.is_open()) continue;
      shown.entries.push_back(QueueEntry()
                                  .add("tni", i / TOFU_QUEUES)
                                  .add("queue", i % TOFU_QUEUES)
                                  .add("orders that wait", queue.orders_given - queue.orders_seen)
                                  .add("tcq entries", queue.tcq_written - queue.tcq_taken)
                                  .add("mrq entries", queue.mrq_written - queue.mrq_taken));
    }
    return shown;
  }
  /// Orders that software has stored into the card, and that wait for their turn.
  CardQueue direct_orders() const {
    CardQueue shown{"direct orders"};
    for (std::size_t i = 0; i < queues_.size(); ++i)
      for (const Queue::Order& order : queues_[i].direct)
        shown.entries.push_back(QueueEntry()
                                    .add("tni", i / TOFU_QUEUES)
                                    .add("queue", i % TOFU_QUEUES)
                                    .add("order", order.number)
                                    .add("operation", order.order.operation)
                                    .add("bytes", order.order.length));
    return shown;
  }

 private:
  HostMemory& memory_;
  std::uint64_t table_ = 0;
  std::vector<Queue> queues_;  ///< none before the first is used: most cards of a machine need no memory for them
};

}  // namespace sanvp::nic::tofu
