#include "models/nic/elan3/packet.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace sanvp::nic::elan3 {
namespace {

template <class T>
void put(std::byte* to, std::uint32_t value) {
  const T narrow = static_cast<T>(value);
  std::memcpy(to, &narrow, sizeof narrow);
}

template <class T>
T get(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

std::span<std::byte> PacketBuilder::reserve(std::uint32_t type, std::uint32_t context, e3_addr address,
                                            std::size_t bytes) {
  assert(bytes <= E3_BLOCK_BYTES && !full());
  type = (type & ~E3_TR_SIZE_MASK) | size_code(bytes);
  if ((type & E3_TR_WRITE_BLOCK) != 0)
    type = (type & ~E3_TR_PARTIAL_MASK) | (static_cast<std::uint32_t>(bytes) % E3_BLOCK_BYTES);
  const std::size_t data_bytes = static_cast<std::size_t>(wire_data_bytes(type));
  assert((type & E3_TR_WRITE_BLOCK) != 0 || data_bytes == bytes);
  if (payload_ == nullptr) payload_ = take_payload();
  last_ = payload_->size();
  payload_->resize(last_ + data_bytes + transaction_overhead_bytes);  // zero unless written
  std::byte* const to = payload_->data() + last_;
  put<std::uint16_t>(to, type);
  put<std::uint16_t>(to + 2, context);
  put<std::uint32_t>(to + 4, address);
  ++transactions_;
  return {to + transaction_header_bytes, bytes};
}

void PacketBuilder::add_blocks(std::uint32_t context, e3_addr address, std::span<const std::byte> data) {
  constexpr std::size_t on_wire = E3_BLOCK_BYTES + static_cast<std::size_t>(transaction_overhead_bytes);
  constexpr std::uint32_t type = E3_TR_WRITE_BLOCK | size_code(E3_BLOCK_BYTES);  // whole: 0 bytes of a part
  const std::size_t whole = data.size() / E3_BLOCK_BYTES;
  assert(transactions_ + static_cast<int>(whole) <= most_transactions);
  if (whole > 0) {
    if (payload_ == nullptr) payload_ = take_payload();
    last_ = payload_->size() + (whole - 1) * on_wire;
    payload_->resize(payload_->size() + whole * on_wire);
    transactions_ += static_cast<int>(whole);
    std::byte* to = payload_->data() + (payload_->size() - whole * on_wire);
    for (std::size_t block = 0; block < whole; ++block, to += on_wire) {
      put<std::uint16_t>(to, type);
      put<std::uint16_t>(to + 2, context);
      put<std::uint32_t>(to + 4, address + static_cast<e3_addr>(block * E3_BLOCK_BYTES));
      std::memcpy(to + transaction_header_bytes, data.data() + block * E3_BLOCK_BYTES, E3_BLOCK_BYTES);
    }
  }
  if (const std::span<const std::byte> rest = data.subspan(whole * E3_BLOCK_BYTES); !rest.empty())
    add(E3_TR_WRITE_BLOCK, context, address + static_cast<e3_addr>(whole * E3_BLOCK_BYTES), rest);
}

void PacketBuilder::add(std::uint32_t type, std::uint32_t context, e3_addr address, std::span<const std::byte> data) {
  const std::span<std::byte> room = reserve(type, context, address, data.size());
  std::copy(data.begin(), data.end(), room.begin());
}

Payload PacketBuilder::finish() {
  assert(transactions_ > 0);
  std::byte* const last = payload_->data() + last_;
  put<std::uint16_t>(last, get<std::uint16_t>(last) | E3_TR_LAST | E3_TR_SEND_ACK);
  transactions_ = 0;
  return std::exchange(payload_, nullptr);
}

/// An empty payload with space for a whole packet.
Payload PacketBuilder::take_payload() {
  constexpr std::size_t kept = 4;  // as many as a card usually has under way
  for (const Payload& old : handed_over_) {
    if (old.use_count() > 1) continue;
    old->clear();
    return old;
  }
  auto fresh = std::make_shared<std::vector<std::byte>>();
  fresh->reserve(most_bytes);
  if (handed_over_.size() < kept) handed_over_.push_back(fresh);
  return fresh;
}

bool PacketReader::next(Transaction& transaction) {
  if (rest_.empty()) return false;
  malformed_ = rest_.size() < static_cast<std::size_t>(transaction_overhead_bytes);
  if (malformed_) return false;
  transaction.type = get<std::uint16_t>(rest_.data());
  transaction.context = get<std::uint16_t>(rest_.data() + 2);
  transaction.address = get<std::uint32_t>(rest_.data() + 4);
  const int data_bytes = wire_data_bytes(transaction.type);
  malformed_ = data_bytes < 0 || rest_.size() < static_cast<std::size_t>(transaction_overhead_bytes + data_bytes);
  if (malformed_) return false;
  std::size_t counting = static_cast<std::size_t>(data_bytes);
  if (transaction.is_block()) {
    const std::uint32_t partial = transaction.type & E3_TR_PARTIAL_MASK;
    counting = partial == 0 ? E3_BLOCK_BYTES : partial;
    malformed_ = counting > static_cast<std::size_t>(data_bytes);
    if (malformed_) return false;
  }
  transaction.data = rest_.subspan(transaction_header_bytes, counting);
  rest_ = rest_.subspan(static_cast<std::size_t>(transaction_overhead_bytes + data_bytes));
  malformed_ =
      transaction.is_last() != rest_.empty();  // bytes after the last transaction, or no transaction is marked as last
  return !malformed_;
}

ParsedPacket::ParsedPacket(std::span<const std::byte> payload) {
  PacketReader reader(payload);
  Transaction transaction;
  while (transactions_.size() < transactions_.capacity() && reader.next(transaction))
    transactions_.push_back(transaction);
  malformed_ = reader.malformed() || !reader.empty() || transactions_.empty();
}

}  // namespace sanvp::nic::elan3
