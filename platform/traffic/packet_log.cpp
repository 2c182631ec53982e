#include "platform/traffic/packet_log.hpp"

#include <limits>

#include "models/net/packet.hpp"
#include "platform/core/ns_text.hpp"

namespace sanvp::traffic {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 18;  // several thousand lines
constexpr auto without_limit = std::numeric_limits<std::int64_t>::max();

}  // namespace

PacketLog::PacketLog(const std::string& path) : file_(path, path.ends_with(".gz"), without_limit) {}

void PacketLog::begin(const std::string& load) {
  if (!load.empty()) block_ += "# load " + load + "\n";
  block_ += "# index gen_ns src dst bytes route_id inject_ns delivered_ns latency_ns itbs\n";
  lines_ = 0;
}

void PacketLog::add(const net::Packet& packet, const PacketRecord& record) {
  const Time delivered = packet.lost ? never : packet.delivered;
  const Time latency = delivered == never ? never : delivered - packet.generated;
  block_ += std::to_string(lines_++) + ' ' + ns_text(packet.generated) + ' ' + std::to_string(packet.source) + ' ' +
            std::to_string(packet.destination) + ' ' + std::to_string(record.payload) + ' ' +
            std::to_string(record.alternative) + ' ' + ns_text(packet.injected) + ' ' + ns_text(delivered) + ' ' +
            ns_text(latency) + ' ' + std::to_string(packet.route.in_transit_hosts()) + '\n';
  if (block_.size() >= block_bytes) write_block();
}

void PacketLog::close() {
  write_block();
  file_.close("");
}

void PacketLog::write_block() {
  file_.write(block_, "");
  block_.clear();
}

}  // namespace sanvp::traffic
