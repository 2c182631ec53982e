/* The location of this process's globals: the writable segments of its image, of which the linker has written a
 * table. */
#include <link.h>

#include "sw/hal/hal.h"

/* By the linker: the image's beginning, and something in a writable segment, which is private to this process even if
 * the rest of the image is shared (models/native/README.md). */
/* NOLINTNEXTLINE(readability-identifier-naming): the linker's name */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern ElfW(Dyn) _DYNAMIC[];

void* hal_globals(size_t* bytes) {
  const ElfW(Ehdr)* header = (const ElfW(Ehdr)*)__ehdr_start;
  const ElfW(Phdr)* segments = (const ElfW(Phdr)*)(__ehdr_start + header->e_phoff);
  uintptr_t first = UINTPTR_MAX, end = 0, dynamic = 0; /* as in the file */
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    const uintptr_t begin = segments[i].p_vaddr;
    if (segments[i].p_type == PT_DYNAMIC) dynamic = begin;
    if (segments[i].p_type != PT_LOAD || !(segments[i].p_flags & PF_W)) continue;
    if (begin < first) first = begin;
    if (begin + segments[i].p_memsz > end) end = begin + segments[i].p_memsz;
  }
  *bytes = end - first;
  return (char*)_DYNAMIC - dynamic + first;
}

/* The constants are at the image's header, which is at 0 in the file. */
const void* hal_constants(size_t* bytes) {
  const ElfW(Ehdr)* header = (const ElfW(Ehdr)*)__ehdr_start;
  const ElfW(Phdr)* segments = (const ElfW(Phdr)*)(__ehdr_start + header->e_phoff);
  *bytes = 0;
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    const size_t end = segments[i].p_vaddr + segments[i].p_memsz;
    if (segments[i].p_type == PT_LOAD && !(segments[i].p_flags & PF_W) && end > *bytes) *bytes = end;
  }
  return __ehdr_start;
}
