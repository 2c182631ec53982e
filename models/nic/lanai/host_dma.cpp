#include "models/nic/lanai/host_dma.hpp"
#include "platform/core/parameters.hpp"

#include <algorithm>

namespace sanvp::nic::lanai {

HostDma::Rules HostDma::Rules::read(const Parameters& parameters) {
  Rules rules;
  rules.start = parameters.time("start", 60ns, "from the processor's start of a DMA to its bus request",
                                "assumed: 4 cycles of 66 MHz");
  rules.burst = static_cast<std::size_t>(
      parameters.size("burst", 512, "bytes that a DMA moves before it releases the bus", "assumed"));
  if (rules.burst < 1) rules.burst = 1;
  return rules;
}

void HostDma::start(std::uint64_t host, std::span<std::byte> sram) {
  host_ = host;
  sram_ = sram;
  busy_ = true;
  work_.notify();
}

net::Task<> HostDma::run() {
  for (;;) {
    while (!busy_) co_await work_.wait();
    const Time begin = at_.clock.now();
    co_await at_.clock.after(rules_.start);
    for (std::size_t done = 0; done < sram_.size();) {
      const auto piece = sram_.subspan(done, std::min(rules_.burst, sram_.size() - done));
      const BusMaster::Transfer transfer = direction_ == Direction::to_sram
                                               ? at_.bus.read(host_ + done, piece, at_.clock.now())
                                               : at_.bus.write(host_ + done, piece, at_.clock.now());
      if (!transfer.good()) failed_at_ = host_ + done;
      co_await at_.clock.until(transfer.done);
      done += piece.size();
    }
    const bool to_sram = direction_ == Direction::to_sram;
    at_.counters.count(to_sram ? Counter::sdma_bytes : Counter::rdma_bytes, sram_.size());
    at_.tracks.slice(to_sram ? Tracks::Unit::sdma : Tracks::Unit::rdma, to_sram ? "from host" : "to host", begin,
                     at_.clock.now(), {{"bytes", static_cast<std::int64_t>(sram_.size())}});
    busy_ = false;
    at_.events.raise(event());
  }
}

}  // namespace sanvp::nic::lanai
