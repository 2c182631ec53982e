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
  while (count_ < transactions_.size() && reader.next(transactions_[count_])) ++count_;
  malformed_ = reader.malformed() || !reader.empty() || count_ == 0;
}

}  // namespace sanvp::nic::elan3
