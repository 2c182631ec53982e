/// Elan3 packets as bytes (FACTS.md 1.3, registers/elan3.h "packets"): transactions of [type 2][context 2][address
/// 4][data] [CRC 2], all little-endian. The route before them and the EOP after them are flits that are counted but not
/// stored. The CRC has its bytes; net::Packet::corrupt says whether it is correct.
#pragma once

#include <boost/container/static_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sw/abi/registers/elan3.h"

namespace sanvp::nic::elan3 {

constexpr int flit_bytes = 2;                // QsNET paper 2.2.1
constexpr int route_crc_flits = 1;           // FACTS 1.3
constexpr int transaction_header_bytes = 8;  // type 2, context 2, address 4
constexpr int transaction_crc_bytes = 2;
constexpr int transaction_overhead_bytes = transaction_header_bytes + transaction_crc_bytes;

/// Bytes of data that a transaction of this type carries on the wire: 0, 8, 16, 32 or 64; -1: no such size code.
constexpr int wire_data_bytes(std::uint32_t type) {
  const std::uint32_t code = (type & E3_TR_SIZE_MASK) >> E3_TR_SIZE_SHIFT;
  return code == 0 ? 0 : code <= 4 ? 4 << code : -1;
}
/// The size code of the smallest data field that holds `bytes`, at most E3_BLOCK_BYTES, at its position in the type.
constexpr std::uint32_t size_code(std::size_t bytes) {
  const std::uint32_t code = bytes == 0 ? 0u : bytes <= 8 ? 1u : bytes <= 16 ? 2u : bytes <= 32 ? 3u : 4u;
  return code << E3_TR_SIZE_SHIFT;
}
/// Flits of a packet as net::Packet counts them: all but the EOP, which the circuit adds.
/// @param route_flits        of the route (routes.hpp)
/// @param transaction_bytes  PacketBuilder::bytes(): always even
constexpr int packet_flits(int route_flits, std::size_t transaction_bytes) {
  return route_flits + route_crc_flits + static_cast<int>(transaction_bytes) / flit_bytes;
}

struct Transaction {
  std::uint32_t type = 0;  ///< E3_TR_...
  std::uint32_t context = 0;
  e3_addr address = 0;
  std::span<const std::byte> data;  ///< the valid part: a write-block may use less than the data field on the wire

  bool is_block() const { return (type & E3_TR_WRITE_BLOCK) != 0; }
  bool is_last() const { return (type & E3_TR_LAST) != 0; }
  /// Meaningless for a write-block.
  e3_transaction opcode() const { return static_cast<e3_transaction>(type & 0xfu); }
};

using Payload = std::shared_ptr<std::vector<std::byte>>;

/// Encodes a packet's transactions one after the other.
class PacketBuilder {
 public:
  /// Not given in FACTS 1.3. Assumed: five blocks of data, and what may accompany them: an identify, a lock of a queue,
  /// its unlock, a set-event.
  static constexpr int most_transactions = static_cast<int>(E3_PACKET_BLOCKS) + 4;

  /// Adds a transaction of `type`; its size code and, for a write-block, its number of valid bytes follow from `data`.
  /// @param data  0, 8, 16, 32 or 64 bytes; for a write-block 1 to 64
  void add(std::uint32_t type, std::uint32_t context, e3_addr address, std::span<const std::byte> data = {});
  /// Adds write-blocks for `data`: whole ones, and one of the bytes left over.
  void add_blocks(std::uint32_t context, e3_addr address, std::span<const std::byte> data);
  /// The same with space for `bytes` of data, which the caller fills in before the next call.
  std::span<std::byte> reserve(std::uint32_t type, std::uint32_t context, e3_addr address, std::size_t bytes);

  int transactions() const { return transactions_; }
  bool full() const { return transactions_ == most_transactions; }
  std::size_t bytes() const { return payload_ == nullptr ? 0 : payload_->size(); }

  /// Marks the last transaction, to which the acknowledgement is the answer, and returns the packet. The builder is
  /// then empty.
  Payload finish();

 private:
  static constexpr std::size_t most_bytes =
      most_transactions * (E3_BLOCK_BYTES + static_cast<std::size_t>(transaction_overhead_bytes));

  Payload take_payload();

  Payload payload_;       // transactions so far; null: none
  std::size_t last_ = 0;  // start of the last transaction
  int transactions_ = 0;
  std::vector<Payload> handed_over_;  // the last few: those that are no longer referenced elsewhere are reused
};

/// Reads the transactions of a packet in order. Bytes that do not parse end it, and `malformed()` is true.
class PacketReader {
 public:
  explicit PacketReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  std::optional<Transaction> next() {
    Transaction transaction;
    return next(transaction) ? std::optional(transaction) : std::nullopt;
  }
  /// The same, into the caller's object. @return whether there is one
  bool next(Transaction& transaction);
  bool empty() const { return rest_.empty(); }
  bool malformed() const { return malformed_; }

 private:
  std::span<const std::byte> rest_;
  bool malformed_ = false;
};

/// A packet's transactions; they point into its payload.
class ParsedPacket {
 public:
  explicit ParsedPacket(std::span<const std::byte> payload);
  bool malformed() const { return malformed_; }
  std::span<const Transaction> transactions() const { return {transactions_.data(), transactions_.size()}; }

 private:
  boost::container::static_vector<Transaction, PacketBuilder::most_transactions> transactions_;
  bool malformed_ = false;
};

}  // namespace sanvp::nic::elan3
