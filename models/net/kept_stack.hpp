/// What AddressSanitizer knows of the stack that starts the simulation, in builds that have it.
#pragma once

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>

#include <cstddef>
#endif

namespace sanvp::net {

/// While this lives, SystemC may leave this stack for those of its processes. It announces its way back as one to an
/// empty stack (sc_cor_qt.cpp), on which AddressSanitizer takes the next exception for an overflow.
class KeptStack {
 public:
#ifdef __SANITIZE_ADDRESS__
  KeptStack() {
    announce();  // an empty one, to be told of this one
    announce();
  }
  ~KeptStack() { announce(); }
  KeptStack(const KeptStack&) = delete;
  KeptStack& operator=(const KeptStack&) = delete;

 private:
  void announce() {
    const void* left = nullptr;
    std::size_t left_bytes = 0;
    __sanitizer_start_switch_fiber(nullptr, begin_, bytes_);
    __sanitizer_finish_switch_fiber(nullptr, &left, &left_bytes);
    if (bytes_ == 0) begin_ = left, bytes_ = left_bytes;
  }

  const void* begin_ = nullptr;
  std::size_t bytes_ = 0;
#endif
};

}  // namespace sanvp::net
