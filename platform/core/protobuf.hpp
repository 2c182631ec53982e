/// A message of Protocol Buffers, written field by field. Three kinds of field are all that a trace has, so this takes
/// the place of a library and of a generator of code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace sanvp {

class ProtobufMessage {
 public:
  /// Adds a field of type uint32, uint64, int64 (negative: its two's complement) or an enumeration.
  void add(unsigned field, std::uint64_t value) {
    tag(field, 0);
    varint(value);
  }
  /// Adds a field of type fixed64.
  void add_fixed(unsigned field, std::uint64_t value) {
    tag(field, 1);
    std::array<char, sizeof value> little_endian;
    for (std::size_t byte = 0; byte < sizeof value; ++byte)
      little_endian[byte] = static_cast<char>(value >> (8 * byte));
    bytes_.append(little_endian.data(), little_endian.size());
  }
  /// Adds a field of type string, bytes, or another message.
  void add(unsigned field, std::string_view bytes) {
    tag(field, 2);
    varint(bytes.size());
    bytes_ += bytes;
  }
  void add(unsigned field, const ProtobufMessage& message) { add(field, std::string_view(message.bytes_)); }

  /// Fields that were written before.
  void append(std::string_view fields) { bytes_ += fields; }

  const std::string& bytes() const { return bytes_; }
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
  /// Its memory is kept.
  void clear() { bytes_.clear(); }
  /// The bytes so far; it is empty then.
  std::string take() { return std::exchange(bytes_, {}); }

 private:
  void tag(unsigned field, unsigned wire_type) { varint(field << 3U | wire_type); }
  void varint(std::uint64_t value) {
    constexpr std::size_t most_bytes = 10;
    std::array<char, most_bytes> sevens;
    std::size_t count = 0;
    for (; value >= 0x80; value >>= 7U) sevens[count++] = static_cast<char>(value | 0x80);
    sevens[count++] = static_cast<char>(value);
    bytes_.append(sevens.data(), count);
  }

  std::string bytes_;
};

}  // namespace sanvp
