/// The C library for interpreted code: what drivers and firmware call of it.
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
/// The one that an address in code stands for; null if it does for none.
const LibraryCall* library_call_at(std::uint64_t address);

}  // namespace sanvp::native::interpreted
