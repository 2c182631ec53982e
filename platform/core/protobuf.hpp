/// A message of Protocol Buffers, written field by field. Three kinds of field are all that a trace has, so this takes
/// the place of a library and of a generator of code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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
    for (unsigned byte = 0; byte < sizeof value; ++byte) bytes_ += static_cast<char>(value >> (8 * byte));
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

 private:
  void tag(unsigned field, unsigned wire_type) { varint(field << 3U | wire_type); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

}  // namespace sanvp
