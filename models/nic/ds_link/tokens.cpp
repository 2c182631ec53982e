#include "models/nic/ds_link/tokens.hpp"

namespace sanvp::nic::ds_link {
namespace {

constexpr int data_bits = 8;
constexpr int control_bits = 2;

}  // namespace

void TokenSender::send(Token token, std::vector<bool>& bits) {
  const bool flag = is_control(token);
  bits.push_back(!(ones_before_ != flag));  // odd in total
  bits.push_back(flag);
  bool odd = false;
  const int count = flag ? control_bits : data_bits;
  for (int i = 0; i < count; ++i) {
    const bool bit = ((static_cast<unsigned>(token) >> i) & 1U) != 0;
    bits.push_back(bit);
    odd ^= bit;
  }
  ones_before_ = odd;
}

TokenReceiver::Result TokenReceiver::receive(const std::vector<bool>& bits) {
  Result result;
  bool odd_before = false;
  for (std::size_t at = 0; at + 2 <= bits.size();) {
    const bool parity = bits[at];
    const bool flag = bits[at + 1];
    if ((odd_before != flag) == parity) {  // even in total
      result.parity_error = true;
      result.error_bit = at;
      return result;
    }
    const std::size_t count = flag ? control_bits : data_bits;
    if (at + 2 + count > bits.size()) break;
    unsigned value = flag ? static_cast<unsigned>(Token::fct) : 0;
    odd_before = false;
    for (std::size_t i = 0; i < count; ++i) {
      if (!bits[at + 2 + i]) continue;
      value |= 1U << i;
      odd_before = !odd_before;
    }
    result.tokens.push_back(static_cast<Token>(value));
    at += 2 + count;
  }
  return result;
}

std::vector<Token> packet_tokens(std::span<const std::byte> header, std::span<const std::byte> data,
                                 bool ends_message) {
  std::vector<Token> tokens;
  for (const auto part : {header, data})
    for (const std::byte byte : part) tokens.push_back(data_token(byte));
  tokens.push_back(ends_message ? Token::eom : Token::eop);
  return tokens;
}

DataStrobe to_wires(const std::vector<bool>& bits) {
  DataStrobe wires;
  bool last = false;
  bool strobe = false;
  for (const bool bit : bits) {
    if (bit == last) strobe = !strobe;
    wires.data.push_back(bit);
    wires.strobe.push_back(strobe);
    last = bit;
  }
  return wires;
}

std::optional<std::vector<bool>> from_wires(const DataStrobe& wires) {
  bool data = false;
  bool strobe = false;
  for (std::size_t i = 0; i < wires.data.size(); ++i) {
    const bool changes = wires.data[i] != data;
    if (changes == (wires.strobe[i] != strobe)) return std::nullopt;
    data = wires.data[i];
    strobe = wires.strobe[i];
  }
  return wires.data;
}

}  // namespace sanvp::nic::ds_link
