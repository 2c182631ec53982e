/// Where code that copies of an image share finds the globals of the one at work: its instructions reach them through
/// the processor's register GS, which adds the way from the globals that the linker knew to those of this copy.
#pragma once

#include <cstdint>

namespace sanvp::native {

/// What GS adds to an address, modulo 2^64; 0 where code has globals of its own.
using GlobalsPlace = std::uintptr_t;

/// Whether the processor and the operating system let programs set it (FSGSBASE; not below valgrind). Where they do
/// not, it is always 0.
extern const bool has_globals_place;

inline GlobalsPlace globals_place() {
  GlobalsPlace place = 0;
  if (has_globals_place) asm volatile("rdgsbase %0" : "=r"(place));
  return place;
}

inline void set_globals_place(GlobalsPlace place) {
  if (place == globals_place()) return;  // reading takes 2 cycles, writing 40
  asm volatile("wrgsbase %0" : : "r"(place) : "memory");
}

/// Code in between finds its globals there.
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
