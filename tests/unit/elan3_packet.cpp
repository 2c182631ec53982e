/// Elan3 packets as bytes (FACTS.md 1.3).
#include "models/nic/elan3/packet.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <numeric>
#include <string>

#include "models/nic/elan3/routes.hpp"
#include "topologies/fat_tree.hpp"

using namespace sanvp;
using namespace sanvp::nic::elan3;

namespace {

std::vector<std::byte> counting(std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>(i + 1);
  return data;
}

std::vector<int> numbers(std::span<const std::byte> bytes) {
  std::vector<int> all;
  for (const std::byte byte : bytes) all.push_back(std::to_integer<int>(byte));
  return all;
}

}  // namespace

TEST_CASE("a full packet to a far node of 64 is 320 bytes of data and 58 others with its EOP") {
  PacketBuilder builder;
  for (std::uint32_t block = 0; block < E3_PACKET_BLOCKS; ++block)
    builder.add(E3_TR_WRITE_BLOCK, 7, 0x1000 + 64 * block, counting(64));
  const auto tree = topologies::fat_tree_geometry(topologies::fat_tree(4, 3));
  constexpr int eop_bytes = 2;
  const auto wire_bytes = [&](int destination) {
    return packet_flits(route_flits(encode_unicast(tree, 0, destination)), builder.bytes()) * flit_bytes + eop_bytes;
  };
  CHECK(wire_bytes(63) == 320 + 58);
  CHECK(wire_bytes(15) == 320 + 58);
  CHECK(wire_bytes(1) == 376);  // a leaf-mate's route is one flit, FACTS 1.2
}

TEST_CASE("a transaction is type, context, address, data and CRC, little-endian") {
  PacketBuilder builder;
  builder.add(E3_TR_WRITE_WORD, 0x123, 0xa1b2c3d4, counting(8));
  const Payload payload = builder.finish();
  // Opcode 0x0c; size code 1 in bits 14..12, the last transaction in bit 10, to be acknowledged in bit 15.
  CHECK(numbers(*payload) ==
        std::vector<int>{0x0c, 0x94, 0x23, 0x01, 0xd4, 0xc3, 0xb2, 0xa1, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0});
}

TEST_CASE("blocks added together have the bytes of blocks added one by one") {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65},
                                  std::size_t{128}, std::size_t{319}, std::size_t{320}}) {
    const std::vector<std::byte> data = counting(bytes);
    PacketBuilder together, one_by_one;
    for (PacketBuilder* builder : {&together, &one_by_one}) builder->add(E3_TR_LOCK_QUEUE, 3, 0x80);
    together.add_blocks(3, 0x1010, data);
    for (std::size_t offset = 0; offset < bytes; offset += E3_BLOCK_BYTES)
      one_by_one.add(E3_TR_WRITE_BLOCK, 3, 0x1010 + static_cast<e3_addr>(offset),
                     std::span(data).subspan(offset, std::min<std::size_t>(E3_BLOCK_BYTES, bytes - offset)));
    CHECK(together.transactions() == one_by_one.transactions());
    CHECK(numbers(*together.finish()) == numbers(*one_by_one.finish()));
  }
}

TEST_CASE("a write-block carries the smallest field that holds it, and says how much of it counts") {
  for (int bytes = 1; bytes <= 64; ++bytes) {
    PacketBuilder builder;
    builder.add(E3_TR_WRITE_BLOCK, 1, 0x40, counting(static_cast<std::size_t>(bytes)));
    const Payload payload = builder.finish();
    const int field = bytes <= 8 ? 8 : bytes <= 16 ? 16 : bytes <= 32 ? 32 : 64;
    CHECK(static_cast<int>(payload->size()) == 10 + field);
    PacketReader reader(*payload);
    const auto read = reader.next();
    REQUIRE(read);
    CHECK(read->is_block());
    CHECK(numbers(read->data) == numbers(counting(static_cast<std::size_t>(bytes))));
    CHECK(read->address == 0x40);
    CHECK_FALSE(reader.next());
    CHECK_FALSE(reader.malformed());
  }
}

TEST_CASE("a reader reads what a builder wrote: the data of a queued DMA between lock and unlock") {
  PacketBuilder builder;
  builder.add(E3_TR_LOCK_QUEUE, 3, 0x100);
  for (std::uint32_t i = 0; i < E3_PACKET_BLOCKS; ++i) builder.add(E3_TR_WRITE_BLOCK, 3, 0x1000 + i, counting(10 + i));
  builder.add(E3_TR_UNLOCK_QUEUE, 3, 0x100);
  const auto room = builder.reserve(E3_TR_ATOMIC_ADD_WORD | E3_TR_WAIT_EOP, 4, 0x200, 8);
  std::memcpy(room.data(), "12345678", room.size());
  CHECK(builder.transactions() == 8);
  const Payload payload = builder.finish();
  CHECK(builder.transactions() == 0);
  CHECK(builder.bytes() == 0);

  PacketReader reader(*payload);
  CHECK(reader.next()->opcode() == E3_TR_LOCK_QUEUE);
  for (std::uint32_t i = 0; i < E3_PACKET_BLOCKS; ++i) {
    const auto block = reader.next();
    REQUIRE(block);
    CHECK(block->is_block());
    CHECK(block->address == 0x1000 + i);
    CHECK(block->data.size() == 10 + i);
    CHECK_FALSE(block->is_last());
  }
  CHECK(reader.next()->opcode() == E3_TR_UNLOCK_QUEUE);
  const auto add = reader.next();
  REQUIRE(add);
  CHECK(add->opcode() == E3_TR_ATOMIC_ADD_WORD);
  CHECK(add->is_last());
  CHECK((add->type & E3_TR_WAIT_EOP) != 0);
  CHECK(add->context == 4);
  CHECK(std::memcmp(add->data.data(), "12345678", 8) == 0);
  CHECK_FALSE(reader.next());
  CHECK_FALSE(reader.malformed());
}

TEST_CASE("a packet in reused memory has no data of the previous one") {
  PacketBuilder builder;
  for (std::uint32_t block = 0; block < E3_PACKET_BLOCKS; ++block)
    builder.add(E3_TR_WRITE_BLOCK, 7, 64 * block, counting(64));
  const Payload kept = builder.finish();
  const std::size_t bytes = kept->size();
  builder.add(E3_TR_WRITE_BLOCK, 7, 0, counting(3));
  CHECK(builder.finish() != kept);
  CHECK(kept->size() == bytes);
  CHECK(numbers(std::span(*kept).subspan(8, 64)) == numbers(counting(64)));

  PacketBuilder another;
  another.add(E3_TR_WRITE_BLOCK, 7, 0, counting(64));
  another.finish();
  another.add(E3_TR_WRITE_BLOCK, 7, 0, counting(3));
  const Payload after = another.finish();
  // Three bytes count of a field of eight; then the CRC.
  CHECK(numbers(std::span(*after).subspan(8)) == std::vector<int>{1, 2, 3, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("a packet that is cut, goes on after its last transaction, or has a size code of none is malformed") {
  PacketBuilder builder;
  builder.add(E3_TR_SET_EVENT, 1, 8);
  builder.add(E3_TR_WRITE_BLOCK, 1, 0x40, counting(20));
  const std::vector<std::byte> whole = *builder.finish();
  const auto is_malformed = [](std::span<const std::byte> bytes) {
    PacketReader reader(bytes);
    while (reader.next()) continue;
    return reader.malformed();
  };
  CHECK_FALSE(is_malformed(whole));
  for (std::size_t bytes = 1; bytes < whole.size(); ++bytes) {
    CAPTURE(bytes);
    CHECK(is_malformed(std::span(whole).first(bytes)));
  }
  std::vector<std::byte> longer = whole;
  longer.insert(longer.end(), whole.begin(), whole.end());
  CHECK(is_malformed(longer));
  std::vector<std::byte> no_size = whole;
  no_size[1] = static_cast<std::byte>(5 << 4);  // size code 5
  CHECK(is_malformed(no_size));
  std::vector<std::byte> too_many = whole;
  too_many[10] = static_cast<std::byte>(33);  // 33 bytes count, in a field of 32
  CHECK(is_malformed(too_many));
}
