/// What images are loaded with: the prices of instructions on the processor that runs them, and, for those of which
/// each copy has code of its own, the file with these prices put in.
#pragma once

#include <map>
#include <string>

#include "models/native/block_table.hpp"

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

  std::int32_t price_ps(const Block& block) const {
    return (block.is_library ? libraries_ : costs_).price_ps(block.counts);
  }
  /// A copy of the file, priced; the same for all images of that path.
  const File& priced(const std::string& path);

 private:
  InstructionCosts costs_, libraries_;
  std::map<std::string, File> priced_;
};

}  // namespace sanvp::native
