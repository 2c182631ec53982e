/* Destructors of the program (`__attribute__((destructor))`) are run at its exit, when the process's services are still
 * available. The dynamic loader, which would run them when the simulator is done with the image, finds nothing to
 * do. */
#include "sw/hal/destructors.h"

#include <link.h>
#include <stdlib.h>

typedef void function(void);

/* This image's dynamic section, made by the linker. */
extern ElfW(Dyn) _DYNAMIC[];
/* NOLINTNEXTLINE(readability-identifier-naming): the linker's name */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));

void* __real_malloc(size_t bytes); /* past the process's heap: there is no process yet */

static function** taken;
static size_t taken_count;

static void nothing(void) {}

static ElfW(Addr) dynamic(ElfW(Sxword) tag) {
  const ElfW(Dyn)* entry = _DYNAMIC;
  while (entry->d_tag != tag && entry->d_tag != DT_NULL) ++entry;
  return entry->d_un.d_val; /* 0 if none */
}

/* The linker leaves them writable: -z norelro (cmake/Images.cmake). */
__attribute__((constructor)) static void take(void) {
  function** const all = (function**)(__ehdr_start + dynamic(DT_FINI_ARRAY));
  const size_t count = dynamic(DT_FINI_ARRAYSZ) / sizeof *all;
  taken = __real_malloc((count + 1) * sizeof *taken);
  for (size_t i = 0; taken != NULL && i < count; ++i) {
    taken[taken_count++] = all[i];
    all[i] = nothing;
  }
}

void hal_destructors_run(void) {
  while (taken_count > 0) taken[--taken_count]();
}
