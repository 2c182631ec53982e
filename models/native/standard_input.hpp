/// Standard input of a run, which all its processes read in turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sanvp::native {

/// Its source affects nothing but the bytes: a pipe is read until it has delivered as many as were asked for, however
/// they were written.
///
/// What is read from a pipe or a terminal cannot be read again. A simulator that is forked keeps it in a file that all
/// of its processes share: each gets what another one has read before, from its own position on.
class StandardInput {
 public:
  /// @param descriptor  the simulator's, which stays open
  explicit StandardInput(int descriptor) : descriptor_(descriptor) {}
  ~StandardInput();
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

  /// From now on all is kept: call it before the first fork. Does nothing for a regular file, which can be read again.
  /// Throws UserError if this computer grants no file for it.
  void keep();
  /// @return bytes, 0 at the end, or -errno
  std::int64_t read(std::span<std::byte> bytes);
  int descriptor() const { return descriptor_; }

 private:
  std::int64_t read_first(std::span<std::byte> bytes);
  std::int64_t read_source(std::span<std::byte> bytes) const;

  int descriptor_;
  int kept_ = -1;              ///< the file: what each read has returned, and its bytes
  std::int64_t position_ = 0;  ///< there: of the next read that was kept
  std::int64_t taken_ = 0;     ///< bytes of that read that have been given already
};

}  // namespace sanvp::native
