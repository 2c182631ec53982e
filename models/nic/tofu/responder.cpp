#include "models/nic/tofu/responder.hpp"

#include <algorithm>

namespace sanvp::nic::tofu {

tofu_mrq_entry notice_of(const Header& header, tofu_notice type, const Place& far) {
  tofu_mrq_entry entry{};
  entry.status = header.status;
  entry.type = static_cast<std::uint8_t>(type);
  entry.tni = far.tni;
  entry.queue = far.queue;
  entry.node = far.node;
  entry.length = header.length;
  entry.remark = header.remark;
  entry.value = header.operand;
  entry.local = header.local;
  entry.remote = header.remote;
  return entry;
}

net::Task<Time> send_data(Shared& shared, std::uint32_t tni, Header header, std::vector<Steering::Piece> pieces) {
  const auto most = static_cast<std::uint32_t>(shared.link.rules().payload);
  Time read = shared.clock.now();
  std::size_t piece = 0;
  std::uint64_t in_piece = 0;
  for (header.offset = 0; header.offset == 0 || header.offset < header.length; header.offset += most) {
    co_await shared.link.place(tni);
    const std::uint32_t size = std::min(most, header.length - header.offset);
    const Payload packet = encode(header, size);
    std::span<std::byte> data = data_of(*packet);
    read = shared.clock.now();
    while (!data.empty()) {
      const Steering::Piece& from = pieces[piece];
      const std::size_t some = std::min<std::size_t>(data.size(), from.bytes - in_piece);
      read = std::max(read, shared.memory.read(from.address + in_piece, data.first(some), shared.clock.now()).done);
      data = data.subspan(some);
      in_piece += some;
      if (in_piece == from.bytes) ++piece, in_piece = 0;
    }
    shared.counters.count(Counter::payload_sent, size);
    shared.tracks.arrow(sender_of(tni), shared.link.send(packet, read), shared.clock.now());
  }
  co_return read;
}

net::Task<> Responder::run_answers() {
  for (;;) {
    const Job job = co_await answers_.pop();
    co_await shared_.clock.until(job.at);
    co_await shared_.link.place(tni_);
    shared_.link.send(encode(job.header, 0), shared_.clock.now());
  }
}

net::Task<> Responder::run_gets() {
  for (;;) {
    const Job job = co_await gets_.pop();
    working_ = true;
    const Header& request = job.header;
    const Queue* queue = shared_.queues.find(request.to.tni, request.to.queue);
    Steering::Found found;
    if (queue != nullptr)
      found = shared_.steering.find(*queue, request.remote, request.length, false, shared_.clock.now());
    if (!found.good) {
      shared_.counters.count(Counter::refused);
      const std::uint8_t status = queue == nullptr ? TOFU_NO_QUEUE : TOFU_BAD_REMOTE_STADD;
      send(answer(request, Header::Kind::acknowledgement, status), shared_.clock.now());
    } else {
      co_await shared_.clock.until(found.done);
      const Time begin = shared_.clock.now();
      const Header data = answer(request, Header::Kind::get_data);
      const Time read = co_await send_data(shared_, tni_, data, found.pieces);
      shared_.tracks.slice(sender_of(tni_), "get answered", begin, std::max(read, begin),
                           {{"bytes", request.length}, {"to node", request.from.node}});
      if (request.wants(TOFU_REMOTE_MRQ_NOTICE))
        shared_.completion.mrq(tni_, request.to.queue, notice_of(request, TOFU_REMOTE_GET, request.from), read);
    }
    working_ = false;
  }
}

void Responder::show(CardQueue& shown) const {
  for (const auto& [name, jobs] : {std::pair{"answer", &answers_}, std::pair{"get", &gets_}})
    for (const Job& job : jobs->values())
      shown.entries.push_back(QueueEntry()
                                  .add("tni", tni_)
                                  .add("what", name)
                                  .add("to node", job.header.to.node)
                                  .add("message", job.header.message));
}

}  // namespace sanvp::nic::tofu
