/// The context in which images are loaded: the prices of instructions on the processor that runs them, and, for images
/// whose code is not shared, the file with these prices written into it.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/native/block_counts.hpp"
#include "platform/core/file_reserve.hpp"

namespace sanvp::native {

/// An open file descriptor.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const { return descriptor_; }
  /// A path by which the file can be read, even if it has no name in a folder.
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// An anonymous file with the same contents. @param path  for messages
int copy_of(int file, const std::string& path);
/// Throws UserError if it is no regular file, or cannot be opened.
int open_image(const std::string& path);
/// The largest program that is copied: a file without contents may have any length.
constexpr std::int64_t largest_program = std::int64_t{1} << 30;
/// A copy of a program's file as it is now: later changes of the file, even by the program itself, have no effect.
/// Throws UserError like open_image, and if the file is too large.
std::shared_ptr<const File> copy_of_program(const std::string& path);

class Callers;

class Loader {
 public:
  /// All instructions cost nothing.
  Loader() = default;
  /// @param libraries  costs for the code of libraries in images
  Loader(const cpu::InstructionCosts& costs, const cpu::InstructionCosts& libraries)
      : costs_(costs), libraries_(libraries) {}

  /// From now on instructions cost this, in code that is loaded as well: Image::put_new_prices follows for each image.
  void reprice(const cpu::InstructionCosts& costs, const cpu::InstructionCosts& libraries);

  /// From now on blocks of images count how often they run.
  void count_blocks() { counts_blocks_ = true; }

  std::int32_t price_ps(const Block& block) const {
    return (block.is_library ? libraries_ : costs_).price_ps(block.code);
  }
  struct Price {
    std::uint64_t at = 0;  ///< address in the file
    std::int32_t ps = 0;
  };
  /// Those of a file's blocks, cached by path.
  const std::vector<Price>& prices(const std::string& path);
  /// Registers code that is loaded, priced and writable now; instruments its blocks if they are counted.
  /// @param base  what addresses of the file are relative to
  void loaded(const std::string& path, const std::vector<Block>& blocks, std::byte* base);
  /// Whether the code at `base` is priced: not if all images of that path were unloaded and it was loaded again.
  bool has_priced(const std::string& path, const std::byte* base) const;
  bool counts_blocks() const { return counts_blocks_; }
  /// The counts for the code at `base`; null: its blocks are not counted.
  const BlockCounts* counts_of(const std::string& path, const std::byte* base) const;
  /// Sums over all code that was loaded from that path.
  std::map<std::string, Executed> executed_by_function(const std::string& path) const;

  /// The loops of a file in the order of their addresses, cached by path.
  const std::vector<Loop>& loops(const std::string& path);
  /// What tells where code of this image is, cached by path.
  const Callers& callers(const std::string& path);
  /// True at the first call for this path: the file must then be loaded on trial.
  bool is_new(const std::string& path) { return known_.insert(path).second; }
  /// Constructors of this file are left out when it is loaded: its processes run them.
  void defer_constructors(const std::string& path) { deferring_.insert(path); }
  bool defers_constructors(const std::string& path) const { return deferring_.contains(path); }
  /// A priced copy of the file, cached by path.
  const File& priced(const std::string& path);
  /// copy_of_program, cached by path.
  const std::shared_ptr<const File>& program(const std::string& path);
  /// For the files that loading an image needs.
  FileReserve& reserve() { return reserve_; }

 private:
  static constexpr std::size_t open_while_loading = 6;  // the file, its copy, one library at a time, its symbols
  FileReserve reserve_{open_while_loading};
  cpu::InstructionCosts costs_, libraries_;
  std::set<std::string> known_;
  std::set<std::string> deferring_;
  std::map<std::string, File> priced_;
  std::map<std::string, std::shared_ptr<const File>> programs_;
  std::map<std::string, std::vector<Loop>> loops_;
  std::map<std::string, std::vector<Price>> prices_;
  std::map<std::string, std::shared_ptr<const Callers>> callers_;
  bool counts_blocks_ = false;
  struct Code {
    std::string path;
    std::uint64_t price_at;               ///< of its first block
    std::unique_ptr<BlockCounts> counts;  ///< null unless blocks are counted
  };
  std::vector<Code> code_;
};

}  // namespace sanvp::native
