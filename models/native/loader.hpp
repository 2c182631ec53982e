/// What images are loaded with: the prices of instructions on the processor that runs them, and, for those of which
/// each copy has code of its own, the file with these prices put in.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/native/block_counts.hpp"

namespace sanvp::native {

/// A file that is open.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// A file without a name that holds the same bytes. @param path  for messages
int copy_of(int file, const std::string& path);
/// Throws UserError for a file that cannot be opened.
int open_image(const std::string& path);

class Loader {
 public:
  /// Nothing takes time.
  Loader() = default;
  /// @param libraries  of what is in images beside programs and drivers
  Loader(const InstructionCosts& costs, const InstructionCosts& libraries) : costs_(costs), libraries_(libraries) {}

  /// From now on the blocks of images count how often they run.
  void count_blocks() { counts_blocks_ = true; }

  std::int32_t price_ps(const Block& block) const {
    return (block.is_library ? libraries_ : costs_).price_ps(block.counts);
  }
  /// Code that is loaded, priced, and can be written now: counts its blocks where that is wanted.
  /// @param base  what addresses of the file are relative to
  void loaded(const std::string& path, const std::vector<Block>& blocks, std::byte* base);
  /// Whether the code at `base` is priced: not where all images of that path were gone, and it is loaded anew.
  bool has_priced(const std::string& path, const std::byte* base) const;
  bool counts_blocks() const { return counts_blocks_; }
  /// Of all code that was loaded from files of that path.
  std::map<std::string, Executed> executed_by_function(const std::string& path) const;

  /// The loops of a file, in the order of their addresses: the same for all images of that path.
  const std::vector<Loop>& loops(const std::string& path);
  /// Whether that is asked for the first time of this file: then it is to be loaded on trial.
  bool is_new(const std::string& path) { return known_.insert(path).second; }
  /// A copy of the file, priced; the same for all images of that path.
  const File& priced(const std::string& path);

 private:
  InstructionCosts costs_, libraries_;
  std::set<std::string> known_;
  std::map<std::string, File> priced_;
  std::map<std::string, std::vector<Loop>> loops_;
  bool counts_blocks_ = false;
  struct Code {
    std::string path;
    std::uint64_t price_at;               ///< of its first block
    std::unique_ptr<BlockCounts> counts;  ///< where they are wanted
  };
  std::vector<Code> code_;
};

}  // namespace sanvp::native
