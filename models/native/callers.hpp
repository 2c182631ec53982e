/// The calls of a program's own code that are open: there it has called a library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "models/native/code_map.hpp"
#include "models/native/own_calls.hpp"
#include "models/native/symbols.hpp"

namespace sanvp::native {

/// Return addresses in an image, the innermost first.
struct OpenCalls {
  static constexpr std::size_t most = 32;
  std::array<const void*, most> returns_to{};
  std::size_t count = 0;
};
/// Those of the stack on which it is called. If the stack is overwritten, those before that place.
OpenCalls open_calls(const CodeMap& image);

/// The program's own functions among these calls.
/// @param calls   addresses within calls, as in the file, the innermost first
/// @param is_own  whether an address is in the program's own code, and not in a library
OwnCalls own_calls(const Symbols& symbols, std::span<const std::uint64_t> calls,
                   const std::function<bool(std::uint64_t)>& is_own);

/// The same for images, of which the assembler has recorded what is a library's (block_table).
class Callers {
 public:
  /// @param path  of the image
  explicit Callers(const std::string& path);
  OwnCalls own_calls(std::span<const std::uint64_t> calls) const;

 private:
  bool is_own(std::uint64_t address) const;

  Symbols symbols_;
  std::vector<std::uint64_t> own_blocks_;  ///< an address in each, sorted
};

}  // namespace sanvp::native
