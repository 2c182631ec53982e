/// Frames and spellings of gdb's remote serial protocol ("Remote Protocol" in gdb's manual).
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace sanvp::riscv::gdb {

constexpr std::size_t most_packet_bytes = 0x4000;  ///< of a packet's contents, both ways

/// With `$` and checksum.
std::string framed(std::string_view contents);
/// Binary data within a packet: without its special characters.
std::string escaped(std::string_view bytes);
std::string unescaped(std::string_view text);

std::string to_hex(std::string_view bytes);
/// Nothing unless it consists of pairs of hexadecimal digits.
std::optional<std::string> from_hex(std::string_view text);

/// Takes bytes as they come and finds packets in them.
class PacketReader {
 public:
  enum class Kind : std::uint8_t {
    packet,
    damaged,    ///< wrong checksum, or too long
    accepted,   ///< `+`
    rejected,   ///< `-`
    interrupt,  ///< Ctrl-C
  };
  struct Event {
    Kind kind;
    std::string contents{};  ///< of a packet, still escaped
  };

  void feed(std::string_view bytes);
  std::optional<Event> next();

 private:
  void take(char byte);
  void end_packet();

  enum class Within : std::uint8_t { nothing, contents, checksum };
  Within within_ = Within::nothing;
  std::string contents_;
  std::string checksum_;
  bool is_too_long_ = false;
  std::deque<Event> events_;
};

/// Reads a packet's contents from left to right.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  /// A hexadecimal number of at most 64 bits; if none comes next, returns nothing and takes nothing.
  std::optional<std::uint64_t> hex();
  /// Takes these characters if they come next.
  bool take(std::string_view text);
  /// The text before this character or the end; the character is taken, too.
  std::string_view until(char end);
  std::string_view rest() const { return text_; }
  bool at_end() const { return text_.empty(); }

 private:
  std::string_view text_;
};

}  // namespace sanvp::riscv::gdb
