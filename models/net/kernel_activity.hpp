/// When the SystemC kernel itself has something to do next, for a process that runs ahead of it and asks after every
/// instant.
#pragma once

#include <vector>

#include "models/net/module.hpp"

namespace sanvp::net {

/// The kernel acts only for processes and primitive channels. While the asking process is the only one, the answer is
/// known without asking the kernel; a process spawned meanwhile is a child of the running one.
class KernelActivity {
 public:
  /// To be called by the process whenever the kernel has called it.
  void begin();
  /// Whether the asking process is the kernel's only one.
  bool is_alone() const { return alone_ && children_->empty(); }
  /// Or `never`.
  Time next() const { return is_alone() ? never : ask(); }

 private:
  static Time ask();

  const std::vector<sc_core::sc_object*>* children_ = nullptr;  ///< of the process that asks
  bool begun_ = false;
  bool alone_ = false;
};

}  // namespace sanvp::net
