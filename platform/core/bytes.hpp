/// Values as bytes, for another process of the same program: numbers as they are in memory, texts with their length.
#pragma once

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace sanvp {

class ByteWriter {
 public:
  template <class Plain>
  requires std::is_trivially_copyable_v<Plain>
  void put(const Plain& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void put(const std::string& text) {
    put(text.size());
    bytes_ += text;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads what a ByteWriter has put, in the same order. Throws std::length_error if bytes are missing.
class ByteReader {
 public:
  explicit ByteReader(const std::string& bytes) : bytes_(bytes) {}

  template <class Plain>
  requires std::is_trivially_copyable_v<Plain>
  void take(Plain& value) { std::memcpy(&value, next(sizeof value), sizeof value); }
  void take(std::string& text) {
    std::size_t size = 0;
    take(size);
    text.assign(next(size), size);
  }

 private:
  const char* next(std::size_t size) {
    if (size > bytes_.size() - at_) throw std::length_error("bytes are missing");
    const char* const begin = bytes_.data() + at_;
    at_ += size;
    return begin;
  }

  const std::string& bytes_;
  std::size_t at_ = 0;
};

}  // namespace sanvp
