#include "platform/traffic/workload.hpp"

#include <algorithm>

#include "platform/core/error.hpp"
#include "platform/core/text.hpp"

namespace sanvp::traffic {
namespace {

/// Sums a value that depends on a packet's payload over the packets of a message.
template <class Value>
auto over_packets(const nic::PacketFormat& format, std::int64_t message_bytes, Value value_of) {
  const std::int64_t full = format.packets(message_bytes) - 1;  // all but the last packet
  const auto last = value_of(format.payload(message_bytes, full));
  return full == 0 ? last : last + full * value_of(format.most_payload);
}

/// Mean interval between messages before the load changes.
double first_interval_ps(const NetworkUnderTest& network, const Workload& workload, int host) {
  constexpr double ps_per_s = 1e12;
  if (workload.load.payload_rate_Bps > 0)
    return workload.sizes.mean_bytes() / workload.load.payload_rate_Bps * ps_per_s;
  const double mean_ps = workload.sizes.mean_of(
      [&](std::int64_t bytes) { return static_cast<double>(wire_time(network, host, bytes).count()); });
  return mean_ps / workload.load.fraction / network.graph.host_ports;
}

}  // namespace

std::int64_t wire_bytes(const nic::PacketFormat& format, std::int64_t message_bytes) {
  return over_packets(format, message_bytes, [&](std::int64_t payload) {
    return std::int64_t{format.flits(payload) - (format.end_token ? 1 : 0)} * format.flit_bytes;
  });
}

Time wire_time(const NetworkUnderTest& network, int host, std::int64_t message_bytes) {
  const net::ChannelRules& rules = network.injection(host);
  return over_packets(network.format, message_bytes, [&](std::int64_t payload) {
    return (network.format.flits(payload) - 1) * rules.flit_time + rules.tail_time;
  });
}

double mean_interval_ps(const NetworkUnderTest& network, const Workload& workload, int host) {
  const double interval_ps = first_interval_ps(network, workload, host);
  double highest = 1;
  for (const LoadStep& step : workload.load.steps) highest = std::max(highest, step.factor);
  if (interval_ps / highest < least_interval_ps)
    throw UserError("--load", in_quotes(workload.load.to_text()) + " is more than a message per picosecond",
                    "give a lower load, or longer messages");
  return interval_ps;
}

}  // namespace sanvp::traffic
