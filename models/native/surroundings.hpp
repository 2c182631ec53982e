/// Process-wide state that each rank may set for itself: working directory, umask, locale; and which descriptors belong
/// to the simulator.
#pragma once

#include <clocale>
#include <cstdint>

#include <sys/types.h>

namespace sanvp::native {

/// The surroundings of a thread that has changed them. While other threads run, the simulator's are in force.
class Surroundings {
 public:
  /// Takes those in force now.
  Surroundings();
  ~Surroundings();
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;

  /// Puts the thread's in force.
  void enter() const;
  /// Puts those of the simulator in force.
  static void leave();

 private:
  int folder_;  ///< -1: no descriptor was free
  mode_t mask_;
  locale_t locale_;
};

/// Takes what is in force now as the simulator's, which leave() restores. Call once, before any thread runs.
void keep_surroundings();
/// Takes the descriptors that are open now as the simulator's.
void keep_descriptors();
bool keeps_descriptor(int descriptor);

}  // namespace sanvp::native
