/// The character level of IEEE 1355 DS links (FACTS.md 3.1, 3.2): tokens as bits, parity, and the two wires. The
/// network core moves tokens as counts; this says what they are, what they cost, and what a bit error does to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sanvp::nic::ds_link {

enum class Token : std::uint16_t {
  // Data tokens are their byte: 0..255. Control tokens, with the two bits that tell them apart:
  fct = 0x100,  ///< flow control: eight tokens more may come
  eop = 0x101,
  eom = 0x102,
  esc = 0x103  ///< NULL is ESC, FCT
};
constexpr int data_token_bits = 10;  ///< parity, flag, 8 data
constexpr int control_token_bits = 4;

constexpr Token data_token(std::byte byte) { return static_cast<Token>(byte); }
constexpr bool is_control(Token token) { return static_cast<std::uint16_t>(token) >= 0x100; }
constexpr int token_bits(Token token) { return is_control(token) ? control_token_bits : data_token_bits; }

/// Appends tokens to a stream of bits. The parity bit of a token makes odd the number of ones among the data or control
/// bits of the token before, itself and its own flag.
class TokenSender {
 public:
  void send(Token token, std::vector<bool>& bits);

 private:
  bool ones_before_ = false;  ///< whether the last token's bits, without parity and flag, have an odd number of ones
};

/// Takes a stream of bits apart.
class TokenReceiver {
 public:
  struct Result {
    std::vector<Token> tokens;  ///< before the error
    bool parity_error = false;  ///< found in the token after them
    std::size_t error_bit = 0;  ///< where that token begins
  };
  /// The link must stop at the first error: where tokens begin is lost with it.
  static Result receive(const std::vector<bool>& bits);
};

/// What a packet is as tokens: header, data, EOP or EOM.
std::vector<Token> packet_tokens(std::span<const std::byte> header, std::span<const std::byte> data, bool ends_message);

/// The wires, a level a bit: strobe changes only where data does not, so exactly one of them changes at every bit
/// (Macrame paper, figure 1).
struct DataStrobe {
  std::vector<bool> data, strobe;
};
DataStrobe to_wires(const std::vector<bool>& bits);
/// The bits; nothing where both wires change at once or neither does: noise, or the end of transmission.
std::optional<std::vector<bool>> from_wires(const DataStrobe& wires);

}  // namespace sanvp::nic::ds_link
