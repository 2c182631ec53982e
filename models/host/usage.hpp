/// How a rank spent its time.
#pragma once

#include "platform/core/time.hpp"

namespace sanvp::host {

/// The parts add up to the total.
struct Usage {
  Time computing{0};  ///< its code outside of library calls, including memory stalls
  Time library{0};    ///< in calls of MPI, SHMEM and other libraries, including device accesses; in the driver
  Time waiting{0};    ///< asleep: until memory is written, a CPU is free, or a time is reached
  Time noise{0};      ///< taken by daemons

  Time total() const { return computing + library + waiting + noise; }
  Usage& operator+=(const Usage& other) {
    computing += other.computing;
    library += other.library;
    waiting += other.waiting;
    noise += other.noise;
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
