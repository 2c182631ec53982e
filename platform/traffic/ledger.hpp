/// Messages and packets in flight.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/core/time.hpp"

namespace sanvp::traffic {

/// A message in flight, in one or more packets.
struct Message {
  enum class Kind : std::uint8_t {
    data,
    request,  ///< asks for `data_bytes`, which return as another message
    probe,    ///< of a timing node; not part of the load
  };

  Kind kind = Kind::data;
  bool measured = false;  ///< generated in the measuring window
  int source = 0;
  int destination = 0;
  int flow_class = 0;
  int origin = 0;          ///< the node to which the load is attributed; for data that answers a request, the requester
  std::int64_t bytes = 0;  ///< payload
  std::int64_t data_bytes = 0;  ///< payload that counts for the load; for a request, the payload that it asks for
  Time generated{0};            ///< for data that answers a request, when the request was generated
  Time injected = never;        ///< when the NIC took its first packet
  std::int64_t packets = 1;
  std::int64_t packets_sent = 0;
  std::int64_t packets_arrived = 0;
  std::int64_t packets_lost = 0;

  bool is_over() const { return packets_arrived + packets_lost == packets; }
};

/// A packet in flight. It is finished when it has been delivered and the last channel has been released; only then is
/// its blocking time final.
struct PacketRecord {
  std::uint64_t packet_id = 0;  ///< the packet that uses this record; other packets reuse it later
  std::uint32_t message = 0;
  int alternative = 0;  ///< which of its pair's paths
  bool measured = false;
  bool delivered = false;
  bool released = false;
  std::int64_t payload = 0;
  std::int64_t wire_bytes = 0;
  std::int64_t blocked_ps = 0;       ///< effective blocking: headers ready, outputs busy
  std::int64_t head_blocked_ps = 0;  ///< from headers' arrivals in switches to their grants
};

/// Records with stable numbers, which are reused.
template <class Record>
class Pool {
 public:
  std::uint32_t add(const Record& record) {
    if (free_.empty()) {
      records_.push_back(record);
      return static_cast<std::uint32_t>(records_.size() - 1);
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    records_[index] = record;
    return index;
  }
  void remove(std::uint32_t index) { free_.push_back(index); }
  Record& operator[](std::uint32_t index) { return records_[index]; }
  const Record& operator[](std::uint32_t index) const { return records_[index]; }
  std::size_t size() const { return records_.size(); }
  std::size_t in_use() const { return records_.size() - free_.size(); }

 private:
  std::vector<Record> records_;
  std::vector<std::uint32_t> free_;
};

struct Ledger {
  Pool<Message> messages;
  Pool<PacketRecord> packets;
};

}  // namespace sanvp::traffic
