/// How a rank spent its time.
#pragma once

#include "platform/core/time.hpp"

namespace sanvp::host {

/// The first four add up to the total.
struct Usage {
  Time computing{0};  ///< its code outside of library calls, including memory stalls
  Time library{0};    ///< in calls of MPI, SHMEM and other libraries, including device accesses; in the driver
  Time waiting{0};    ///< asleep: until memory is written, a CPU is free, or a time is reached
  Time noise{0};      ///< taken by daemons
  /// Between these `computing` is on the machine's own instruction set, by the error of kernels (docs/cpu.md).
  Time least_computing{0}, most_computing{0};

  Time total() const { return computing + library + waiting + noise; }
  Usage& operator+=(const Usage& other) {
    computing += other.computing;
    library += other.library;
    waiting += other.waiting;
    noise += other.noise;
    least_computing += other.least_computing;
    most_computing += other.most_computing;
    return *this;
  }
};

/// The usage of one rank.
struct RankUsage {
  int job = 0;
  int rank = 0;
  Usage usage{};
};

}  // namespace sanvp::host
