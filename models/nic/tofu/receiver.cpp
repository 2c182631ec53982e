#include "models/nic/tofu/receiver.hpp"
#include "platform/core/parameters.hpp"

#include <algorithm>

namespace sanvp::nic::tofu {
namespace {

const char* name_of(Header::Kind kind) {
  switch (kind) {
    case Header::Kind::put:
      return "put";
    case Header::Kind::get:
      return "get";
    case Header::Kind::get_data:
      return "get data";
    case Header::Kind::atomic:
      return "atomic";
    case Header::Kind::atomic_answer:
      return "atomic answer";
    default:
      return "acknowledgement";
  }
}

/// The kind of notice at the queue that issued the order.
tofu_notice local_notice(const Header& header) {
  return header.operation == TOFU_GET      ? TOFU_LOCAL_GET
         : header.operation == TOFU_ATOMIC ? TOFU_LOCAL_ATOMIC
                                           : TOFU_LOCAL_PUT;
}

std::uint64_t word_after(const Header& header, std::uint64_t before) {
  switch (header.arithmetic) {
    case TOFU_COMPARE_AND_SWAP:
      return before == header.comparand ? header.operand : before;
    case TOFU_SWAP:
      return header.operand;
    case TOFU_ADD:
      return before + header.operand;
    case TOFU_XOR:
      return before ^ header.operand;
    case TOFU_AND:
      return before & header.operand;
    default:
      return before | header.operand;
  }
}

}  // namespace

Receiver::Rules Receiver::Rules::read(const Parameters& parameters) {
  return {.process = parameters.time(
              "process", 260ns, "from a packet's last flit until its data is written",
              "calibrated: 0.91 us for a put of 8 bytes to a neighbour (code R: Tofu, direct descriptor)"),
          .arithmetic = parameters.time("arithmetic", 20ns, "of an atomic operation, between read and write",
                                        "assumed: K's ICC had none, Tofu2's has (Ajima 2014)")};
}

net::Task<> Receiver::run() {
  for (;;) {
    const Arrival arrival = co_await arrivals_.pop();
    co_await shared_.clock.until(arrival.at + rules_.process);
    shared_.counters.count(Counter::packets_received);
    const Header header = header_of(*arrival.packet);
    const Time done = take(header, data_of(*arrival.packet));
    shared_.tracks.slice(receiver_of(tni_), name_of(header.kind), arrival.at, done,
                         {{"from node", header.from.node}, {"bytes", header.length}});
    shared_.tracks.arrow_end(receiver_of(tni_), arrival.number, arrival.at);
  }
}

/// @return when its effect is in memory
Time Receiver::take(const Header& header, std::span<const std::byte> bytes) {
  const Time now = shared_.clock.now();
  switch (header.kind) {
    case Header::Kind::put:
    case Header::Kind::get_data:
      return data(header, bytes);
    case Header::Kind::atomic:
      return atomic(header);
    case Header::Kind::get:
      responder_.get(header);
      return now;
    default:
      end(header, now);
      return now;
  }
}

/// A message is checked as a whole when its last byte has arrived; parts of a refused one may already be in memory.
Time Receiver::data(const Header& header, std::span<const std::byte> bytes) {
  const Key key{header.kind, header.from.node, header.from.tni, header.message};
  const auto known = partial_.find(key);
  Partial message = known == partial_.end() ? Partial{} : known->second;
  const Queue* queue = shared_.queues.find(header.to.tni, header.to.queue);
  const bool is_put = header.kind == Header::Kind::put;
  if (queue == nullptr) {
    message.status = TOFU_NO_QUEUE;
  } else {
    const tofu_stadd to = (is_put ? header.remote : header.local) + header.offset;
    const Steering::Found found = shared_.steering.find(*queue, to, bytes.size(), true, shared_.clock.now());
    if (!found.good) message.status = is_put ? TOFU_BAD_REMOTE_STADD : TOFU_BAD_LOCAL_STADD;
    message.done = std::max(message.done, found.done);
    std::size_t written = 0;
    for (const Steering::Piece& piece : found.pieces) {
      if (!found.good) break;
      const auto some = bytes.subspan(written, piece.bytes);
      message.done = std::max(message.done, shared_.memory.write(piece.address, some, found.done, here()).done);
      written += piece.bytes;
    }
    shared_.counters.count(Counter::payload_received, bytes.size());
  }
  message.bytes += static_cast<std::uint32_t>(bytes.size());
  const bool all = message.bytes >= header.length;
  if (all && known != partial_.end()) partial_.erase(known);
  if (all)
    complete(header, message);
  else
    partial_[key] = message;
  return std::max(message.done, shared_.clock.now());
}

void Receiver::complete(const Header& header, const Partial& message) {
  if (header.kind == Header::Kind::get_data) {
    Header whole = header;
    whole.status = message.status;
    return end(whole, std::max(message.done, shared_.clock.now()));
  }
  if (message.status != TOFU_OK) return refuse(header, message.status);
  if (header.wants(TOFU_REMOTE_MRQ_NOTICE))
    shared_.completion.mrq(tni_, header.to.queue, notice_of(header, TOFU_REMOTE_PUT, header.from), message.done,
                           here());
  if (header.wants(TOFU_LOCAL_MRQ_NOTICE)) responder_.send(answer(header, Header::Kind::acknowledgement), message.done);
}

/// Reads and writes at one instant, so that it is atomic.
Time Receiver::atomic(const Header& header) {
  const Queue* queue = shared_.queues.find(header.to.tni, header.to.queue);
  if (queue == nullptr) {
    refuse(header, TOFU_NO_QUEUE);
    return shared_.clock.now();
  }
  const Steering::Found found = shared_.steering.find(*queue, header.remote, header.length, true, shared_.clock.now());
  if (!found.good || found.pieces.front().address % header.length != 0) {
    refuse(header, TOFU_BAD_REMOTE_STADD);
    return shared_.clock.now();
  }
  const std::uint64_t address = found.pieces.front().address;
  std::uint64_t before = 0;
  const auto word = std::as_writable_bytes(std::span{&before, 1}).first(header.length);
  const Time read = shared_.memory.read(address, word, found.done).done;
  Header done = header;
  done.operand = before;
  const std::uint64_t after = word_after(header, before);
  const Time written =
      shared_.memory
          .write(address, std::as_bytes(std::span{&after, 1}).first(header.length), read + rules_.arithmetic, here())
          .done;
  if (header.wants(TOFU_REMOTE_MRQ_NOTICE))
    shared_.completion.mrq(tni_, header.to.queue, notice_of(done, TOFU_REMOTE_ATOMIC, header.from), written, here());
  if (header.wants(TOFU_LOCAL_MRQ_NOTICE)) responder_.send(answer(done, Header::Kind::atomic_answer), written);
  return written;
}

/// Reports the outcome of an order to the queue that issued it.
void Receiver::end(const Header& header, Time at) {
  if (header.status != TOFU_OK) shared_.counters.count(Counter::refused);
  if (header.status == TOFU_OK && !header.wants(TOFU_LOCAL_MRQ_NOTICE)) return;
  shared_.completion.mrq(tni_, header.to.queue, notice_of(header, local_notice(header), header.from), at, here());
}

/// A refusal is reported even if no notice was requested.
void Receiver::refuse(const Header& header, std::uint8_t status) {
  responder_.send(answer(header, Header::Kind::acknowledgement, status), shared_.clock.now());
}

/// Reports to the queue of a lost order, once however many packets of it are lost, that no answer will come. An answer
/// that is lost for good cannot be reported.
void Receiver::lost(const Header& header) {
  const bool asks =
      header.kind == Header::Kind::put || header.kind == Header::Kind::get || header.kind == Header::Kind::atomic;
  if (!asks || !failed_.insert(header.message).second) return;
  end(answer(header, Header::Kind::acknowledgement, TOFU_UNREACHABLE), shared_.clock.now());
}

void Receiver::show(CardQueue& arrived, CardQueue& partial) const {
  for (const Arrival& arrival : arrivals_.values()) {
    const Header header = header_of(*arrival.packet);
    arrived.entries.push_back(QueueEntry()
                                  .add("tni", tni_)
                                  .add("packet", name_of(header.kind))
                                  .add("from node", header.from.node)
                                  .add("message", header.message)
                                  .add("offset", header.offset)
                                  .add("arrived_ns", arrival.at));
  }
  for (const auto& [key, message] : partial_) {
    const auto& [kind, node, tni, number] = key;
    partial.entries.push_back(QueueEntry()
                                  .add("tni", tni_)
                                  .add("packet", name_of(kind))
                                  .add("from node", node)
                                  .add("message", number)
                                  .add("bytes so far", message.bytes));
  }
}

}  // namespace sanvp::nic::tofu
