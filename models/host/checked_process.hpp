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
  /// Whether the program still has the memory that it has allocated there, as far as that is known.
  virtual bool checked_is_allocated(std::uint64_t /*address*/) const { return true; }
  /// Accesses of the program to these bytes, and others of their pages, are to be reported (Services::check); or no
  /// more, as often as they were.
  virtual void report_accesses(std::uint64_t /*address*/, std::uint64_t /*bytes*/, bool /*begins*/) const {}
  /// The file of its program, and the offset of a code address in that file.
  virtual const std::string& checked_program() const = 0;
  virtual std::uint64_t checked_code(std::uint64_t address) const = 0;
  /// Time for which its code has been executed so far, as Services::record has it.
  virtual Time checked_worked() const { return Time{0}; }

 protected:
  ~CheckedProcess() = default;
};

}  // namespace sanvp::host
