/// A file with a line for each packet of a traffic run, in the words of `sanvp replay`.
#pragma once

#include <cstdint>
#include <string>

#include "platform/core/trace_output.hpp"
#include "platform/traffic/ledger.hpp"

namespace sanvp::net {
struct Packet;
}

namespace sanvp::traffic {

/// Packets are listed as they are delivered or lost, with warm-up and drain; those still under way at the end are not.
/// Columns, separated by blanks: index gen_ns src dst bytes route_id inject_ns delivered_ns latency_ns itbs. The index
/// counts lines from 0, bytes are payload, route_id is the number of the pair's alternative path, the latency is from
/// generation to delivery on the wire, and -1 stands for what a lost packet lacks.
class PacketLog {
 public:
  /// Creates the file, compressed if its name ends in .gz. Throws UserError if it cannot be written, as do the others.
  explicit PacketLog(const std::string& path);
  /// Begins a run: a line with the names of the columns, after one with the load of the run.
  void begin(const std::string& load);
  void add(const net::Packet& packet, const PacketRecord& record);
  void close();

 private:
  void write_block();

  TraceOutput file_;
  std::string block_;
  std::int64_t lines_ = 0;
};

}  // namespace sanvp::traffic
