/* The location of this process's globals: the writable segment of the program, from the program headers. Data that the
 * C library makes read-only at its start precede them. */
#include <link.h>

#include "sw/hal/hal.h"

/* NOLINTNEXTLINE(readability-identifier-naming): the linker's name */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));

void* hal_globals(size_t* bytes) {
  const ElfW(Ehdr)* header = (const ElfW(Ehdr)*)__ehdr_start;
  const ElfW(Phdr)* segments = (const ElfW(Phdr)*)(__ehdr_start + header->e_phoff);
  uintptr_t first = UINTPTR_MAX, end = 0, relocated = 0;
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    const uintptr_t begin = segments[i].p_vaddr, behind = begin + segments[i].p_memsz;
    if (segments[i].p_type == PT_GNU_RELRO) relocated = behind;
    if (segments[i].p_type != PT_LOAD || !(segments[i].p_flags & PF_W)) continue;
    if (begin < first) first = begin;
    if (behind > end) end = behind;
  }
  if (relocated > first && relocated < end) first = relocated;
  *bytes = end - first;
  return (void*)first; /* sanvp-cc links at fixed addresses */
}

/* All memory before the globals. */
const void* hal_constants(size_t* bytes) {
  size_t room;
  *bytes = (size_t)((const char*)hal_globals(&room) - __ehdr_start);
  return __ehdr_start;
}
