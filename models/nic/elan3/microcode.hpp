/// The microcode processor as what its threads share (QsNET paper 2.1): one pipeline through which every flit sent or
/// received passes. It keeps up with the link one way and not both ways, which is the paper's 280 MB/s (5.2).
///
/// The DMA thread and the inputter take turns at it, an access each: where both have work, each goes at half speed. So
/// neither starves: a card that is sent to faster than it can send itself makes its sender wait.
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
                  parameters.time("flit_time", 3050_ps, "of the shared memory pipeline, for each flit sent or received",
                                  "calibrated: 280 MB/s both ways (QsNET paper 5.2; about 3 ns, TIMING.md)")};
    }
  };

  /// @param link_flit  time of a flit on the link: when the flits of a packet that has arrived came in
  Microcode(const Rules& rules, Time link_flit) : rules_(rules), link_flit_(link_flit) {}

  /// How long flits take on the link.
  Time on_link(int flits) const { return flits * link_flit_; }
  /// A packet to be sent from `ready` on. @return when its first flit may go, so that the link never waits for others
  Time send(Time ready, int flits) {
    const Time begin = std::max(ready, sending_);
    serve(sending_, receiving_, begin, flits);
    return std::max(begin, sending_ - on_link(flits));
  }
  /// A packet whose last flit has arrived at `arrived`: taking it in overlaps with its arrival. @return when it is in
  Time receive(Time arrived, int flits) {
    const Time head = std::max(Time{0}, arrived - on_link(flits));
    serve(receiving_, sending_, std::max(head, receiving_), flits);
    return std::max(arrived, receiving_);
  }

 private:
  /// `own` and `other`: when the two threads are through with what they have.
  void serve(Time& own, Time& other, Time begin, int flits) {
    const Time work = flits * rules_.flit;
    const Time others = std::max(Time{0}, other - begin);
    const Time in_turn = std::min(work, others);  // for so much work of one as much of the other is done
    own = begin + work + in_turn;
    other += in_turn;
  }

  Rules rules_;
  Time link_flit_;
  Time sending_{0};
  Time receiving_{0};
};

}  // namespace sanvp::nic::elan3
