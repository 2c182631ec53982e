#include "models/nic/tofu/order_engine.hpp"
#include "platform/core/parameters.hpp"

#include <algorithm>
#include <cstring>

namespace sanvp::nic::tofu {
namespace {

const char* name_of(std::uint8_t operation) {
  switch (operation) {
    case TOFU_PUT:
    case TOFU_PUT_INLINE:
      return "put";
    case TOFU_GET:
      return "get";
    case TOFU_ATOMIC:
      return "atomic";
    default:
      return "nop";
  }
}

Header header_for(const tofu_order& order, Place from, std::uint32_t message) {
  Header header;
  header.operation = order.operation;
  header.arithmetic = order.arithmetic;
  header.notices = order.notices;
  header.path = order.path;
  header.from = from;
  header.to = {order.node, order.tni, order.queue};
  header.message = message;
  header.length = order.length;
  header.remote = order.remote;
  header.remark = order.remark;
  if (order.operation == TOFU_PUT_INLINE) return header;
  header.local = order.local;
  if (order.operation != TOFU_ATOMIC) return header;
  header.operand = order.operand;
  header.comparand = order.comparand;
  return header;
}

bool makes_sense(const tofu_order& order, std::uint32_t nodes) {
  if (order.operation == TOFU_NOP) return true;
  if (order.node >= nodes || order.tni >= TOFU_TNIS || order.queue >= TOFU_QUEUES) return false;
  switch (order.operation) {
    case TOFU_PUT:
    case TOFU_GET:
      return order.length <= TOFU_MOST_BYTES;
    case TOFU_PUT_INLINE:
      return order.length <= TOFU_INLINE_BYTES;
    case TOFU_ATOMIC:
      return (order.length == 4 || order.length == 8) && order.arithmetic <= TOFU_OR &&
             order.remote % order.length == 0;
    default:
      return false;
  }
}

}  // namespace

OrderEngine::Rules OrderEngine::Rules::read(const Parameters& parameters) {
  return {.process = parameters.time(
              "process", 260ns, "from an order until its data is requested",
              "calibrated: 0.91 us for a put of 8 bytes to a neighbour (code R: Tofu, direct descriptor)")};
}

void OrderEngine::ready(std::uint32_t queue) {
  if (std::find(ready_.begin(), ready_.end(), queue) == ready_.end()) ready_.push_back(queue);
  work_.notify();
}

void OrderEngine::given(std::uint32_t queue, std::uint32_t count) {
  shared_.queues.at(tni_, queue).orders_given = count;
  ready(queue);
}

void OrderEngine::direct(std::uint32_t queue, const tofu_order& order, const std::optional<Trace::Point>& cause) {
  Queue& to = shared_.queues.at(tni_, queue);
  to.direct.push_back({order, to.orders_given++, cause});
  ready(queue);
}

/// The next order of a queue, when it has been fetched.
net::Task<Queue::Order> OrderEngine::take(std::uint32_t number) {
  Queue& queue = shared_.queues.at(tni_, number);
  Queue::Order taken;
  if (!queue.direct.empty()) {
    taken = queue.direct.front();
    queue.direct.pop_front();
  } else {
    taken.number = queue.orders_seen;
    const std::uint64_t slot = taken.number & (queue.where.order_entries - 1);
    const Time at = shared_.clock.now();
    co_await shared_.clock.until(
        shared_.memory.load(queue.where.orders + slot * sizeof(tofu_order), taken.order, at).done);
  }
  ++queue.orders_seen;
  if (queue.has_order()) ready_.push_back(number);
  co_return taken;
}

net::Task<> OrderEngine::run() {
  for (;;) {
    while (ready_.empty()) co_await work_.wait();
    const std::uint32_t number = ready_.front();
    ready_.pop_front();
    const Queue& queue = shared_.queues.at(tni_, number);
    if (!queue.is_open() || !queue.has_order()) continue;
    working_ = true;
    const Time begin = shared_.clock.now();
    const Queue::Order taken = co_await take(number);
    shared_.tracks.arrow(taken.cause, sender_of(tni_), begin);
    shared_.counters.count(Counter::orders);
    co_await shared_.clock.after(rules_.process);
    const auto node = static_cast<std::uint32_t>(shared_.link.node());
    const Header header = header_for(
        taken.order, {node, static_cast<std::uint8_t>(tni_), static_cast<std::uint16_t>(number)}, messages_++);
    Time free = shared_.clock.now();
    const std::uint8_t status = co_await carry_out(queue, header, taken.order, free);
    if (status != TOFU_OK) shared_.counters.count(Counter::refused);
    // A refusal is reported even if no notice was requested.
    if (status != TOFU_OK || header.wants(TOFU_TCQ_NOTICE))
      shared_.completion.tcq(tni_, number, taken.number, status, free);
    shared_.tracks.slice(sender_of(tni_), name_of(taken.order.operation), begin, std::max(free, shared_.clock.now()),
                         {{"bytes", taken.order.length}, {"to node", taken.order.node}});
    working_ = false;
  }
}

/// @param free  when local memory may be used again
net::Task<std::uint8_t> OrderEngine::carry_out(const Queue& queue, const Header& header, const tofu_order& order,
                                               Time& free) {
  if (!makes_sense(order, static_cast<std::uint32_t>(shared_.link.nodes()))) co_return TOFU_BAD_ORDER;
  if (order.operation == TOFU_NOP) co_return TOFU_OK;
  if (order.operation == TOFU_PUT) {
    shared_.counters.count(Counter::puts);
    const Steering::Found found = shared_.steering.find(queue, order.local, order.length, false, shared_.clock.now());
    if (!found.good) co_return TOFU_BAD_LOCAL_STADD;
    co_await shared_.clock.until(found.done);
    free = co_await send_data(shared_, tni_, header, found.pieces);
    co_return TOFU_OK;
  }
  Header asked = header;
  std::size_t data_bytes = 0;
  if (order.operation == TOFU_PUT_INLINE) {
    shared_.counters.count(Counter::puts);
    shared_.counters.count(Counter::payload_sent, order.length);
    data_bytes = order.length;
  } else if (order.operation == TOFU_GET) {
    shared_.counters.count(Counter::gets);
    asked.kind = Header::Kind::get;
  } else {
    shared_.counters.count(Counter::atomics);
    asked.kind = Header::Kind::atomic;
  }
  const Payload packet = encode(asked, data_bytes);
  std::memcpy(data_of(*packet).data(), order.data, data_bytes);
  co_await shared_.link.place(tni_);
  shared_.tracks.arrow(sender_of(tni_), shared_.link.send(packet, shared_.clock.now()), shared_.clock.now());
  free = shared_.clock.now();
  co_return TOFU_OK;
}

}  // namespace sanvp::nic::tofu
