/// A shared object of x86-64 in memory, whose code is interpreted.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/native/interpreted/registers.hpp"

namespace sanvp::native::interpreted {

class Code {
 public:
  /// @param file  a descriptor of what `path` has, with prices. Throws UserError if it cannot be loaded.
  Code(const std::string& path, int file);
  ~Code();
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;

  struct Segment {
    std::byte* begin;
    std::size_t bytes;
    bool is_writable, is_code;
  };
  const std::vector<Segment>& segments() const { return segments_; }
  std::byte* base() const { return memory_; }
  /// Null if it has no such symbol.
  std::byte* symbol(const std::string& name) const;
  bool contains(const std::byte* code) const { return code >= code_begin_ && code < code_end_; }
  void run_constructors() const;

  using Arguments = std::array<std::uint64_t, 6>;
  /// Calls a function, on a part of the caller's stack. @return what is in rax then
  std::uint64_t call(const void* function, const Arguments& arguments) const;

 private:
  void read(const std::string& path, int file);
  void link(const std::string& path);

  std::byte* memory_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<Segment> segments_;
  const std::byte *code_begin_ = nullptr, *code_end_ = nullptr;
  std::map<std::string, std::uint64_t> symbols_;
  std::uint64_t constructors_ = 0, constructors_bytes_ = 0;
};

}  // namespace sanvp::native::interpreted
