/* The symmetric heap. All processes make the same calls, so all get the same addresses. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/shmem/internal.h"
#include "sw/support/extents.h"

#define LINE 64u /* pieces are whole cache lines, so that a word that is polled shares its line with no other piece */
/* Alignment of the heap's memory, and the largest alignment that a position of the heap gives by itself. Positions
 * count from this number, so that 0 can mean that no memory is left. */
#define HEAP_ALIGNMENT 4096u
/* Enough for common benchmarks, which hold two buffers of 4 MiB (A). Untouched memory takes no
 * memory of the simulating computer. On a node with less memory: half of it, or a quarter. */
#define AUTO "auto"
#define AUTO_BYTES ((size_t)64 << 20)
#define AUTO_LEAST_BYTES ((size_t)1 << 20)

/* Allocated. With a larger alignment the program's memory begins later in the piece, by a number of bytes that may be
 * another one in each process. */
struct piece {
  struct extent extent;
  uint32_t shift;
  uint32_t* shifts; /* [processes]; null: 0 everywhere */
};

struct heap {
  struct heap_room room;
  struct extents free;  /* positions: offset + HEAP_ALIGNMENT */
  struct piece* pieces; /* by position */
  size_t count, most;
  size_t shifted; /* pieces with shifts */
};

static struct heap* the_heap(void) {
  static struct heap heap;
  return &heap;
}

struct heap_room heap_room(void) {
  return the_heap()->room;
}

/* A number with one of OpenSHMEM's suffixes: K, M, G, T. 0: invalid. */
static size_t bytes_of(const char* text) {
  static const char suffixes[] = "kmgt";
  char* end = NULL;
  double bytes = strtod(text, &end);
  if (end == text || !(bytes > 0)) return 0;
  const char* suffix = *end ? strchr(suffixes, *end | 0x20) : NULL;
  if (suffix) {
    for (const char* at = suffixes; at <= suffix; ++at) bytes *= 1024;
    ++end;
    if ((*end | 0x20) == 'b') ++end;
  }
  return *end || bytes > UINT32_MAX - 2 * HEAP_ALIGNMENT ? 0 : (size_t)bytes;
}

static struct heap_room make_room(const char* text) {
  const int chosen = strcmp(text, AUTO) != 0;
  struct heap_room room = {.bytes = chosen ? (bytes_of(text) + LINE - 1) / LINE * LINE : AUTO_BYTES};
  if (room.bytes == 0)
    shmem_fail("shmem_init",
               "-s shmem.heap or SHMEM_SYMMETRIC_SIZE is not a number of bytes below 4G; write such as 4M");
  while (!(room.memory = transport_symmetric(room.bytes))) {
    if (chosen || room.bytes <= AUTO_LEAST_BYTES)
      shmem_fail("shmem_init",
                 "no room for the symmetric heap; choose a smaller -s shmem.heap or SHMEM_SYMMETRIC_SIZE");
    room.bytes /= 2;
  }
  return room;
}

#define HEAP_MEANING \
  "bytes of a process's symmetric heap, with K, M or G; auto: 64M, or what there is room for by halves of it"
#define HEAP_SOURCE "assumed"

void heap_start(void) {
  struct heap* heap = the_heap();
  const char* environment = getenv("SHMEM_SYMMETRIC_SIZE");
  HAL_SETTING_TOLD("shmem.heap", AUTO, HEAP_MEANING, HEAP_SOURCE);
  const char* text =
      hal_setting("shmem.heap", environment && *environment ? environment : AUTO, HEAP_MEANING, HEAP_SOURCE);
  heap->room = make_room(text);
  extents_init(&heap->free, HEAP_ALIGNMENT, (uint32_t)heap->room.bytes);
}

/* The standard only returns null, which programs do not check. */
static void tell_of_no_room(const char* call, size_t bytes) {
  if (transport_self() != 0) return;
  fprintf(stderr,
          "%s: no room for %zu bytes in the symmetric heap of %zu, null is returned; more with -s shmem.heap=BYTES\n",
          call, bytes, the_heap()->room.bytes);
}

/* The first piece at a position or after it. */
static size_t piece_from(uint32_t place) {
  const struct heap* heap = the_heap();
  size_t low = 0;
  for (size_t high = heap->count; low < high;) {
    const size_t middle = low + (high - low) / 2;
    if (heap->pieces[middle].extent.start < place)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void note_piece(const char* call, struct piece piece) {
  struct heap* heap = the_heap();
  if (heap->count == heap->most) {
    heap->most = heap->most ? 2 * heap->most : 16;
    heap->pieces = realloc(heap->pieces, heap->most * sizeof *heap->pieces);
    if (!heap->pieces) shmem_fail(call, "no memory of the process is left; use less");
  }
  struct piece* at = heap->pieces + piece_from(piece.extent.start);
  memmove(at + 1, at, (size_t)(heap->pieces + heap->count++ - at) * sizeof *at);
  *at = piece;
}

static char* allocate(const char* call, size_t bytes, size_t alignment) {
  struct heap* heap = the_heap();
  const uint32_t align = alignment > LINE ? (uint32_t)alignment : LINE;
  uint32_t place = 0;
  if (bytes <= heap->room.bytes) {
    const uint32_t whole = (uint32_t)((bytes + LINE - 1) / LINE * LINE);
    place = extents_allocate(&heap->free, whole, align);
    if (place != 0) note_piece(call, (struct piece){.extent = {place, whole}});
  }
  if (place == 0) tell_of_no_room(call, bytes);
  return place != 0 ? heap->room.memory + (place - HEAP_ALIGNMENT) : NULL;
}

/* The piece that contains a byte of the heap; null: none does. */
static struct piece* piece_around(size_t offset) {
  const struct heap* heap = the_heap();
  const uint32_t place = (uint32_t)offset + HEAP_ALIGNMENT;
  const size_t after = piece_from(place + 1);
  if (after == 0) return NULL;
  struct piece* piece = &heap->pieces[after - 1];
  return place - piece->extent.start < piece->extent.bytes ? piece : NULL;
}

/* The piece whose memory begins there; ends the job if none does. */
static struct piece* piece_at(const char* call, const void* pointer) {
  const struct heap* heap = the_heap();
  const size_t offset = (size_t)((const char*)pointer - heap->room.memory);
  struct piece* found = offset < heap->room.bytes ? piece_around(offset) : NULL;
  if (!found || found->extent.start - HEAP_ALIGNMENT + found->shift != offset)
    shmem_fail(call, "the pointer is not one of shmem_malloc, or was freed before; pass what shmem_malloc returned");
  return found;
}

ptrdiff_t heap_shift(const volatile void* pointer, unsigned pe) {
  const struct heap* heap = the_heap();
  if (heap->shifted == 0) return 0;
  const size_t offset = (size_t)((const volatile char*)pointer - (const volatile char*)heap->room.memory);
  const struct piece* piece = offset < heap->room.bytes ? piece_around(offset) : NULL;
  return piece && piece->shifts ? (ptrdiff_t)piece->shifts[pe] - (ptrdiff_t)piece->shift : 0;
}

static void give_back(const char* call, const void* pointer) {
  struct heap* heap = the_heap();
  struct piece* piece = piece_at(call, pointer);
  extents_free(&heap->free, piece->extent.start, piece->extent.bytes);
  if (piece->shifts) --heap->shifted;
  free(piece->shifts);
  memmove(piece, piece + 1, (size_t)(heap->pieces + --heap->count - piece) * sizeof *piece);
}

static void* heap_take(const char* call, size_t bytes, size_t alignment, int zero) {
  shmem_check_running(call);
  if (bytes == 0) return NULL;
  char* memory = allocate(call, bytes, alignment);
  if (memory && zero) {
    memset(memory, 0, bytes);
  }
  shmem_barrier_all();
  return memory;
}

void* shmem_malloc(size_t bytes) { return heap_take("shmem_malloc", bytes, LINE, 0); }

void* shmem_calloc(size_t number, size_t each) {
  const size_t bytes = each != 0 && number > SIZE_MAX / each ? SIZE_MAX : number * each;
  return heap_take("shmem_calloc", bytes, LINE, 1);
}

void* shmem_malloc_with_hints(size_t bytes, long hints) {
  const char* call = "shmem_malloc_with_hints";
  if (hints & ~(SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE))
    shmem_fail(call,
               "unknown hint; combine SHMEM_MALLOC_ATOMICS_REMOTE and SHMEM_MALLOC_SIGNAL_REMOTE by |, or pass 0");
  return heap_take(call, bytes, LINE, 0);
}

/* ---- alignments beyond the heap's: each process tells all others by how much it shifts ---- */
static uint32_t* shifts_of_all(const char* call, uint32_t own) {
  const unsigned count = transport_count(), self = transport_self();
  const size_t bytes = count * sizeof own;
  char* told = allocate(call, bytes + LINE, LINE);
  if (!told) return NULL;
  uint32_t* shifts = shmem_memory(call, bytes);
  memcpy(told + count * sizeof own, &own, sizeof own);
  const struct pe_set all = {.start = 0, .stride = 1, .size = count, .self = self};
  shmem_barrier_all();
  shmem_put_to_all(call, &all, told + self * sizeof own, told + count * sizeof own, sizeof own);
  memcpy(shifts, told, bytes);
  shmem_barrier_all();
  give_back(call, told);
  return shifts;
}

static char* allocate_aligned(const char* call, size_t bytes, size_t alignment) {
  if (bytes > the_heap()->room.bytes || alignment > the_heap()->room.bytes) {
    tell_of_no_room(call, bytes);
    return NULL;
  }
  char* memory = allocate(call, bytes + alignment - HEAP_ALIGNMENT, HEAP_ALIGNMENT);
  if (!memory) return NULL;
  const uint32_t own = (uint32_t)(-(uintptr_t)memory & (alignment - 1));
  uint32_t* shifts = shifts_of_all(call, own);
  if (!shifts) {
    give_back(call, memory);
    return NULL;
  }
  struct piece* piece = piece_at(call, memory);
  piece->shift = own;
  piece->shifts = shifts;
  ++the_heap()->shifted;
  return memory + own;
}

void* shmem_align(size_t alignment, size_t bytes) {
  const char* call = "shmem_align";
  shmem_check_running(call);
  if (alignment % sizeof(void*) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
    shmem_fail(call, "the alignment is not a power of two from 8 on; choose one");
  if (alignment <= HEAP_ALIGNMENT) return heap_take(call, bytes, alignment, 0);
  if (bytes == 0) return NULL;
  char* memory = allocate_aligned(call, bytes, alignment);
  shmem_barrier_all();
  return memory;
}

void shmem_free(void* pointer) {
  shmem_check_running("shmem_free");
  if (!pointer) return;
  piece_at("shmem_free", pointer);
  shmem_barrier_all();
  give_back("shmem_free", pointer);
}

/* A piece that cannot grow is not changed, and null is returned. */
void* shmem_realloc(void* pointer, size_t bytes) {
  const char* call = "shmem_realloc";
  if (!pointer) return heap_take(call, bytes, LINE, 0);
  if (bytes == 0) {
    shmem_free(pointer);
    return NULL;
  }
  shmem_check_running(call);
  const struct piece* piece = piece_at(call, pointer);
  const size_t before = piece->extent.bytes - piece->shift;
  shmem_barrier_all();
  if (bytes <= (piece->shifts ? 0 : before)) return pointer; /* the rest stays allocated */
  char* memory = allocate(call, bytes, LINE);
  if (memory) {
    memcpy(memory, pointer, before < bytes ? before : bytes);
    give_back(call, pointer);
  }
  shmem_barrier_all();
  return memory;
}
