/// What a rank did with its time.
#pragma once

#include "platform/core/time.hpp"

namespace sanvp::host {

/// The parts make up the whole.
struct Usage {
  Time computing{0};  ///< its code outside of library calls, with what memory takes beyond that
  Time library{0};    ///< in calls of MPI, SHMEM and the like, and their devices; drivers
  Time waiting{0};    ///< asleep: for memory to be written, for a CPU, for a time
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

/// Whose it is.
struct RankUsage {
  int job = 0;
  int rank = 0;
  Usage usage{};
};

}  // namespace sanvp::host
