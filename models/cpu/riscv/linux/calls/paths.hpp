/// Paths of system calls, which lead to files of the job's folder.
#pragma once

#include "models/cpu/riscv/linux/system_call.hpp"

namespace sanvp::riscv::os {

constexpr std::size_t longest_path = 4096;

/// The last component of a path, and the folder that contains it.
class Place {
 public:
  /// @param folder, path  the call's arguments of these numbers
  Place(Call& call, std::size_t folder, std::size_t path)
      : name_(call.memory().text(call[path], longest_path)),
        folder_(name_ ? call.process.files().find_parent(call.integer(folder), *name_) : JobFile::failed(-EFAULT)) {}
  /// 0 or -errno.
  int error() const { return folder_.error(); }
  int folder() const { return folder_.descriptor(); }
  const char* name() const { return name_->c_str(); }

 private:
  std::optional<std::string> name_;
  JobFile folder_;
};

}  // namespace sanvp::riscv::os
