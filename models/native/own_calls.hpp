/// The functions of a program's own code that are open, without those of libraries.
#pragma once

#include <cstdint>
#include <string>

namespace sanvp::native {

struct OwnCalls {
  std::string text{};           ///< "solve() at solver.c:42 < main() at solver.c:60"; empty if none is known
  std::uint64_t innermost = 0;  ///< address in the file of the innermost call; 0: not known
};

}  // namespace sanvp::native
