/// Private globals for code that copies of an image share: its instructions access globals through the segment register
/// GS, whose base is the distance from the addresses that the linker assigned to the running copy's globals.
#pragma once

#include <cstdint>

namespace sanvp::native {

/// The base of GS, modulo 2^64; 0 for code that is not shared.
using GlobalsPlace = std::uintptr_t;

/// Whether processor and kernel let programs set the base (FSGSBASE; not in valgrind). If not, it is always 0.
extern const bool has_globals_place;

#ifdef __x86_64__
inline GlobalsPlace globals_place() {
  GlobalsPlace place = 0;
  if (has_globals_place) asm volatile("rdgsbase %0" : "=r"(place));
  return place;
}

inline void set_globals_place(GlobalsPlace place) {
  if (place == globals_place()) return;  // reading takes 2 cycles, writing 40
  asm volatile("wrgsbase %0" : : "r"(place) : "memory");
}
#else  // no code of images runs there by itself
inline GlobalsPlace globals_place() { return 0; }
inline void set_globals_place(GlobalsPlace) {}
#endif

/// Sets the base of GS for a scope.
class AtGlobals {
 public:
  explicit AtGlobals(GlobalsPlace place) : before_(globals_place()) { set_globals_place(place); }
  ~AtGlobals() { set_globals_place(before_); }
  AtGlobals(const AtGlobals&) = delete;
  AtGlobals& operator=(const AtGlobals&) = delete;

 private:
  GlobalsPlace before_;
};

}  // namespace sanvp::native
