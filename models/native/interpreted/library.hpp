/// The C library functions that drivers and firmware call, for interpreted code.
#pragma once

#include <string>

#include "models/native/interpreted/registers.hpp"

namespace sanvp::native::interpreted {

/// A function that interpreted code calls by its name.
struct LibraryCall {
  /// Takes the arguments from the registers, and leaves the result there.
  using Run = void (*)(Registers& at);

  std::string name;
  Run run = nullptr;  ///< null: interpreted code may refer to it, and not call it
};

/// The function of this name; always the same object. Null if there are too many.
const LibraryCall* library_call(const std::string& name);
/// The function that an address in code stands for; null if none.
const LibraryCall* library_call_at(std::uint64_t address);

}  // namespace sanvp::native::interpreted
