/// Packets between cards: a header and the bytes of a message. A packet is self-contained, so that a card keeps no
/// state for its requests.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sw/abi/registers/tofu.h"

namespace sanvp::nic::tofu {

/// A control queue of the machine.
struct Place {
  std::uint32_t node = 0;
  std::uint8_t tni = 0;
  std::uint16_t queue = 0;
};

struct Header {
  enum class Kind : std::uint8_t {
    put,              ///< data to be written
    get,              ///< requests data
    get_data,         ///< the requested data
    atomic,           ///< an operation on a word
    atomic_answer,    ///< the old value of the word
    acknowledgement,  ///< of a put; or a refusal of any request
    signal            ///< to a barrier gate
  };

  Kind kind = Kind::put;
  std::uint8_t operation = 0;   ///< enum tofu_operation of the order it comes from
  std::uint8_t arithmetic = 0;  ///< enum tofu_arithmetic
  std::uint8_t notices = 0;     ///< that the order requests
  std::uint8_t status = TOFU_OK;
  std::uint8_t path = 0;
  Place from{}, to{};
  std::uint32_t message = 0;  ///< number given by the sending TNI
  std::uint32_t offset = 0;   ///< of these bytes in the message
  std::uint32_t length = 0;   ///< of the message; of a signal: the gate
  tofu_stadd local = 0;       ///< address at the queue of the order
  tofu_stadd remote = 0;      ///< address at the other queue
  std::uint64_t remark = 0;
  std::uint64_t operand = 0;  ///< of an answer: the old value of the word
  std::uint64_t comparand = 0;

  bool wants(std::uint32_t notice) const { return (notices & notice) != 0; }
};

using Payload = std::shared_ptr<std::vector<std::byte>>;

/// Encodes a packet with space for `data_bytes`, to be filled in at `data_of`.
Payload encode(const Header& header, std::size_t data_bytes);
Header header_of(const std::vector<std::byte>& packet);
std::span<std::byte> data_of(std::vector<std::byte>& packet);

/// The header of an answer to `header`.
Header answer(const Header& header, Header::Kind kind, std::uint8_t status = TOFU_OK);

}  // namespace sanvp::nic::tofu
