/// A process whose calls of a library are checked (hal_check), as the checker sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "models/host/services.hpp"

namespace sanvp::host {

class CheckedProcess {
 public:
  /// The bytes at its own address; null unless all of them are its memory.
  virtual const std::byte* checked_memory(std::uint64_t address, std::size_t bytes) const = 0;
  /// The file of its program, and the offset of a code address in that file.
  virtual const std::string& checked_program() const = 0;
  virtual std::uint64_t checked_code(std::uint64_t address) const = 0;

 protected:
  ~CheckedProcess() = default;
};

}  // namespace sanvp::host
