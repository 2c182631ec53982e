/// The microcode processor as a resource that its threads share (QsNET paper 2.1): one pipeline that processes every
/// flit sent or received. It keeps up with the link in one direction, but not in both, which gives the paper's 280 MB/s
/// (5.2).
///
/// The DMA thread and the inputter take turns, one access each: if both have work, each runs at half speed. So neither
/// starves: if data arrives faster than the card can process it, its sender has to wait.
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

  void link_changed(Time flit) { link_flit_ = flit; }
  /// Time of flits on the link.
  Time on_link(int flits) const { return flits * link_flit_; }
  /// Reserves the pipeline for a packet to be sent from `ready` on. @return the start of its first flit, so late that
  /// the link never idles between its flits
  Time send(Time ready, int flits) {
    const Time begin = std::max(ready, sending_);
    serve(sending_, receiving_, begin, flits);
    return std::max(begin, sending_ - on_link(flits));
  }
  /// Reserves the pipeline for a packet whose last flit has arrived at `arrived`; processing overlaps with its arrival.
  /// @return when it is processed
  Time receive(Time arrived, int flits) {
    const Time head = std::max(Time{0}, arrived - on_link(flits));
    serve(receiving_, sending_, std::max(head, receiving_), flits);
    return std::max(arrived, receiving_);
  }

 private:
  /// @param own, other  when the two threads finish their current work
  void serve(Time& own, Time& other, Time begin, int flits) {
    const Time work = flits * rules_.flit;
    const Time others = std::max(Time{0}, other - begin);
    const Time in_turn = std::min(work, others);  // for each piece of own work, as much of the other's is done
    own = begin + work + in_turn;
    other += in_turn;
  }

  Rules rules_;
  Time link_flit_;
  Time sending_{0};
  Time receiving_{0};
};

}  // namespace sanvp::nic::elan3
