/// The simulating computer's files that a program can reach.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace sanvp::riscv::os {

/// A descriptor of the simulator that leads to a file in the job's folder: a regular file, a folder or a symbolic
/// link there, never a device, a FIFO or a socket, and nothing in another file system. Only `Files::open_beneath` makes
/// one. Every call that changes a file of the simulating computer takes a JobFile, so no call can change a file outside
/// the folder.
class JobFile {
 public:
  JobFile(JobFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  JobFile& operator=(JobFile&&) = delete;
  ~JobFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  /// No file. @param error  -errno
  static JobFile failed(int error) { return JobFile(error); }
  /// 0, or -errno if the file cannot be reached.
  int error() const { return std::min(descriptor_, 0); }
  /// Closed at the end of this object; negative if there is an error.
  int descriptor() const { return descriptor_; }

 private:
  friend class Files;
  /// @param descriptor  or -errno
  explicit JobFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace sanvp::riscv::os
