/// When the SystemC kernel itself has something to do next, for a process that runs ahead of it and asks after every
/// instant.
#pragma once

#include <vector>

#include "models/net/module.hpp"

namespace sanvp::net {

/// The kernel acts only for processes and primitive channels. As long as there is none but the process that asks, the
/// answer is known without asking the kernel; one that is spawned meanwhile is a child of the process that runs.
class KernelActivity {
 public:
  /// To be called by the process whenever the kernel has called it.
  void begin();
  /// The process that asks is the only one that the kernel has.
  bool is_alone() const { return alone_ && children_->empty(); }
  /// Or `never`.
  Time next() const { return is_alone() ? never : ask(); }

 private:
  static Time ask();

  const std::vector<sc_core::sc_object*>* children_ = nullptr;  ///< of the process that asks
  bool alone_ = true;
};

}  // namespace sanvp::net
