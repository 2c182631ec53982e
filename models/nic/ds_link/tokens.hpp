/// The character level of IEEE 1355 DS links (FACTS.md 3.1, 3.2): tokens as bits, parity, and the two wires. The
/// network core moves tokens as counts; this defines their encoding, cost, and the effect of bit errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sanvp::nic::ds_link {

enum class Token : std::uint16_t {
  // A data token is its byte, 0..255. Control tokens, with their two type bits:
  fct = 0x100,  ///< flow control: permits eight more tokens
  eop = 0x101,
  eom = 0x102,
  esc = 0x103  ///< NULL is ESC, FCT
};
constexpr int data_token_bits = 10;  ///< parity, flag, 8 data
constexpr int control_token_bits = 4;

constexpr Token data_token(std::byte byte) { return static_cast<Token>(byte); }
constexpr bool is_control(Token token) { return static_cast<std::uint16_t>(token) >= 0x100; }
constexpr int token_bits(Token token) { return is_control(token) ? control_token_bits : data_token_bits; }

/// Appends tokens to a stream of bits. The parity bit of a token makes the number of ones odd in the data or control
/// bits of the token before, the parity bit itself, and the token's flag.
class TokenSender {
 public:
  void send(Token token, std::vector<bool>& bits);

 private:
  bool ones_before_ = false;  ///< whether the last token's bits, without parity and flag, have an odd number of ones
};

/// Decodes a stream of bits.
class TokenReceiver {
 public:
  struct Result {
    std::vector<Token> tokens;  ///< before the error
    bool parity_error = false;  ///< found in the token after them
    std::size_t error_bit = 0;  ///< start of that token
  };
  /// The link must stop at the first error, since the boundaries of tokens are lost.
  static Result receive(const std::vector<bool>& bits);
};

/// The tokens of a packet: header, data, EOP or EOM.
std::vector<Token> packet_tokens(std::span<const std::byte> header, std::span<const std::byte> data, bool ends_message);

/// The two wires, one level for each bit: strobe changes only if data does not, so exactly one of them changes at every
/// bit (Macrame paper, figure 1).
struct DataStrobe {
  std::vector<bool> data, strobe;
};
DataStrobe to_wires(const std::vector<bool>& bits);
/// Decodes the wires; nothing if both change at once or neither does: noise, or the end of transmission.
std::optional<std::vector<bool>> from_wires(const DataStrobe& wires);

}  // namespace sanvp::nic::ds_link
