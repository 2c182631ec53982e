/// The microcode processor as what its four threads share (QsNET paper 2.1): one pipeline through which every flit sent
/// or received passes. It keeps up with the link one way and not both ways, which is the paper's 280 MB/s (5.2).
#pragma once

#include <algorithm>

#include "platform/core/parameters.hpp"

namespace sanvp::nic::elan3 {

class Microcode {
 public:
  struct Rules {
    Time flit{0};  ///< of the pipeline, for each flit
    static Rules read(const Parameters& parameters) {
      return {.flit =
                  parameters.time("flit_time", 2950_ps, "of the shared memory pipeline, for each flit sent or received",
                                  "calibrated: 280 MB/s both ways (QsNET paper 5.2; about 3 ns, TIMING.md)")};
    }
  };

  /// @param link_flit  time of a flit on the link: when the flits of a packet that has arrived came in
  Microcode(const Rules& rules, Time link_flit) : rules_(rules), link_flit_(link_flit) {}

  /// A packet to be sent from `ready` on. @return when its first flit may go; the others follow faster than the link
  Time send(Time ready, int flits) { return reserve(ready, flits) - flits * rules_.flit; }
  /// A packet whose last flit has arrived at `arrived`: taking it in overlaps with its arrival. @return when it is in
  Time receive(Time arrived, int flits) {
    const Time head = std::max(Time{0}, arrived - flits * link_flit_);
    return std::max(arrived, reserve(head, flits));
  }

 private:
  Time reserve(Time from, int flits) { return free_ = std::max(free_, from) + flits * rules_.flit; }

  Rules rules_;
  Time link_flit_;
  Time free_{0};
};

}  // namespace sanvp::nic::elan3
