#include "models/cpu/riscv/gdb/packet.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace sanvp::riscv::gdb {
namespace {

constexpr char escape = '}';
constexpr char escape_bit = 0x20;

std::uint8_t checksum(std::string_view contents) {
  return static_cast<std::uint8_t>(std::accumulate(contents.begin(), contents.end(), 0U, [](unsigned sum, char byte) {
    return sum + static_cast<std::uint8_t>(byte);
  }));
}

std::optional<std::uint8_t> byte_of(std::string_view digits) {
  std::uint8_t byte = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, byte, 16);
  return error == std::errc{} && stopped == end ? std::optional(byte) : std::nullopt;
}

}  // namespace

std::string framed(std::string_view contents) { return fmt::format("${}#{:02x}", contents, checksum(contents)); }

std::string escaped(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    if (std::string_view("#$}*").find(byte) == std::string_view::npos) {
      text += byte;
    } else {
      text += escape;
      text += static_cast<char>(byte ^ escape_bit);
    }
  }
  return text;
}

std::string unescaped(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == escape && i + 1 < text.size())
      bytes += static_cast<char>(text[++i] ^ escape_bit);
    else
      bytes += text[i];
  }
  return bytes;
}

std::string to_hex(std::string_view bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char byte : bytes) fmt::format_to(std::back_inserter(text), "{:02x}", static_cast<std::uint8_t>(byte));
  return text;
}

std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const auto byte = byte_of(text.substr(i, 2));
    if (!byte) return std::nullopt;
    bytes += static_cast<char>(*byte);
  }
  return bytes;
}

void PacketReader::feed(std::string_view bytes) {
  for (const char byte : bytes) take(byte);
}

void PacketReader::take(char byte) {
  constexpr char interrupt = 3;
  if (byte == '$' && within_ != Within::checksum) {  // in the middle of a packet, too: the client begins again
    within_ = Within::contents;
    contents_.clear();
    is_too_long_ = false;
  } else if (within_ == Within::contents) {
    if (byte == '#') {
      within_ = Within::checksum;
      checksum_.clear();
    } else if (contents_.size() < 2 * most_packet_bytes) {  // escapes may double it
      contents_ += byte;
    } else {
      is_too_long_ = true;
    }
  } else if (within_ == Within::checksum) {
    checksum_ += byte;
    if (checksum_.size() == 2) end_packet();
  } else if (byte == interrupt) {
    events_.push_back({Kind::interrupt});
  } else if (byte == '+') {
    events_.push_back({Kind::accepted});
  } else if (byte == '-') {
    events_.push_back({Kind::rejected});
  }
}

void PacketReader::end_packet() {
  within_ = Within::nothing;
  const bool is_good = !is_too_long_ && byte_of(checksum_) == checksum(contents_);
  events_.push_back({is_good ? Kind::packet : Kind::damaged, std::exchange(contents_, {})});
}

std::optional<PacketReader::Event> PacketReader::next() {
  if (events_.empty()) return std::nullopt;
  Event event = std::move(events_.front());
  events_.pop_front();
  return event;
}

std::optional<std::uint64_t> Cursor::hex() {
  std::uint64_t number = 0;
  const auto [stopped, error] = std::from_chars(text_.data(), text_.data() + text_.size(), number, 16);
  if (error != std::errc{}) return std::nullopt;
  text_.remove_prefix(static_cast<std::size_t>(stopped - text_.data()));
  return number;
}

bool Cursor::take(std::string_view text) {
  if (!text_.starts_with(text)) return false;
  text_.remove_prefix(text.size());
  return true;
}

std::string_view Cursor::until(char end) {
  const std::size_t length = std::min(text_.find(end), text_.size());
  const std::string_view before = text_.substr(0, length);
  text_.remove_prefix(std::min(length + 1, text_.size()));
  return before;
}

}  // namespace sanvp::riscv::gdb
