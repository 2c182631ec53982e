/// When the SystemC kernel itself has something to do next, for a process that runs ahead of it and asks after every
/// instant.
#pragma once

#include <vector>

#include "models/net/module.hpp"

namespace sanvp::net {

/// Whatever the kernel ever does, it does for a process or a primitive channel. As long as there is none but the
/// process that asks, the answer is known without asking the kernel, and one that somebody spawns meanwhile is a child
/// of the process that runs.
class KernelActivity {
 public:
  /// To be called by the process whenever the kernel has called it.
  void begin();
  /// The kernel has nothing to care for but the process that asks.
  bool is_alone() const { return alone_ && children_->empty(); }
  /// Or `never`.
  Time next() const { return is_alone() ? never : ask(); }

 private:
  static Time ask();

  const std::vector<sc_core::sc_object*>* children_ = nullptr;  ///< of the process that asks
  bool alone_ = true;
};

}  // namespace sanvp::net
