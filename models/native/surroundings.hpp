/// What the kernel keeps once for the simulating process and each rank has of its own: the working folder, the mask of
/// new files, the locale of its thread; and which descriptors are the simulator's.
#pragma once

#include <clocale>
#include <cstdint>

#include <sys/types.h>

namespace sanvp::native {

/// Of a thread that has changed them. While another runs, those of the simulator are in force.
class Surroundings {
 public:
  /// Those that are in force now.
  Surroundings();
  ~Surroundings();
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;

  /// Puts the thread's in force.
  void enter() const;
  /// Puts those of the simulator in force.
  static void leave();

 private:
  int folder_;  ///< -1: there was no descriptor left
  mode_t mask_;
  locale_t locale_;
};

/// What is in force now is the simulator's, to which leave() goes back. Once, before any thread runs.
void keep_surroundings();
/// Descriptors that are open now are the simulator's.
void keep_descriptors();
bool keeps_descriptor(int descriptor);

}  // namespace sanvp::native
