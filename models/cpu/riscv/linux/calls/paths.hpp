/// Paths of system calls, which lead to files of the job's folder.
#pragma once

#include <unistd.h>

#include "models/cpu/riscv/linux/system_call.hpp"

namespace sanvp::riscv::os {

constexpr std::size_t longest_path = 4096;

/// A descriptor of the simulator, closed at its end.
class Held {
 public:
  explicit Held(int descriptor) : descriptor_(descriptor) {}
  ~Held() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// The last part of a path, and the folder that it lies in.
class Place {
 public:
  /// @param folder, path  the call's arguments of these numbers
  Place(Call& call, std::size_t folder, std::size_t path)
      : name_(call.memory().text(call[path], longest_path)),
        folder_(name_ ? call.process.files().find_parent(call.integer(folder), *name_) : -EFAULT) {}
  /// -errno; 0: there is none.
  int error() const { return std::min(folder_.get(), 0); }
  int folder() const { return folder_.get(); }
  const char* name() const { return name_->c_str(); }

 private:
  std::optional<std::string> name_;
  Held folder_;
};

}  // namespace sanvp::riscv::os
