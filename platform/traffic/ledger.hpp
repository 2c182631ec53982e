/// The messages and packets under way.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/core/time.hpp"

namespace sanvp::traffic {

/// A message on its way, in as many packets as it takes.
struct Message {
  enum class Kind : std::uint8_t {
    data,
    request,  ///< asks for `data_bytes`, which come back as another message
    probe,    ///< of a timing node; no part of the load
  };

  Kind kind = Kind::data;
  bool measured = false;  ///< generated in the measuring window
  int source = 0;
  int destination = 0;
  int origin = 0;               ///< the node whose load it is: of data that answers a request, who asked
  std::int64_t bytes = 0;       ///< payload
  std::int64_t data_bytes = 0;  ///< payload that counts for the load: of a request, what it asks for
  Time generated{0};            ///< of data that answers a request, when that was generated
  Time injected = never;        ///< its first packet
  std::int64_t packets = 1;
  std::int64_t packets_sent = 0;
  std::int64_t packets_arrived = 0;
  std::int64_t packets_lost = 0;

  bool is_over() const { return packets_arrived + packets_lost == packets; }
};

/// A packet on its way. It is over when it has been delivered and its last hop has been released; how long it was
/// blocked is known then.
struct PacketRecord {
  std::uint64_t packet_id = 0;  ///< tells whether the record is still this packet's
  std::uint32_t message = 0;
  bool measured = false;
  bool delivered = false;
  bool released = false;
  std::int64_t payload = 0;
  std::int64_t wire_bytes = 0;
  std::int64_t blocked_ps = 0;       ///< headers ready, output busy: effective blocking
  std::int64_t head_blocked_ps = 0;  ///< from headers' arrivals in switches to their grants
};

/// Records with stable numbers, reused.
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
