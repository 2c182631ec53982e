/// How often each block of an image's code has run, for --profile: the update of each block jumps to a thunk
/// that counts. Without --profile the code is left as it is.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/native/block_table.hpp"

namespace sanvp::native {

class BlockCounts {
 public:
  /// Changes the code, which is priced and writable now. @param base  what addresses of the file are relative to
  /// @invariant  destroyed before the code is unloaded, and not while it runs
  BlockCounts(std::vector<Block> blocks, std::byte* base);
  ~BlockCounts();
  BlockCounts(const BlockCounts&) = delete;
  BlockCounts& operator=(const BlockCounts&) = delete;

  const std::vector<Block>& blocks() const { return blocks_; }
  std::uint64_t runs(std::size_t block) const { return runs_[block]; }
  bool are_of(const std::byte* base) const { return base_ == base; }
  /// The address of a block's price now: in code, which may not be writable.
  std::byte* price(std::size_t block) const { return prices_[block]; }

 private:
  std::vector<Block> blocks_;
  std::span<std::byte> mapping_;
  std::span<const std::uint64_t> runs_;
  const std::byte* base_;
  std::vector<std::byte*> prices_{};
};

/// What a program's code has executed.
struct Executed {
  std::uint64_t instructions = 0;  ///< of x86-64, or of RISC-V
  cpu::InstructionCounts counts{};

  Executed& operator+=(const Executed& other);
};

}  // namespace sanvp::native
