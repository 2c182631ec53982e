/// A folder for files that live as long as their owner.
#pragma once

#include <string>

namespace sanvp {

/// A new folder in TMPDIR, or /tmp, that is removed with its contents at the end.
class TemporaryFolder {
 public:
  /// Throws UserError if it cannot be created.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace sanvp
