/* Which memory is symmetric, and its transport address: globals and static variables, and the heap. */
#include <stdint.h>
#include <stdio.h>

#include "sw/hal/hal.h"
#include "sw/shmem/internal.h"

static int within(const char* begin, size_t room, const volatile void* pointer, size_t bytes) {
  const uintptr_t at = (uintptr_t)pointer, first = (uintptr_t)begin;
  return at >= first && at - first <= room && bytes <= room - (at - first);
}

static int is_global(const volatile void* pointer, size_t bytes) {
  size_t room;
  const char* globals = hal_globals(&room);
  return within(globals, room, pointer, bytes);
}

static int is_heap(const volatile void* pointer, size_t bytes) {
  const struct heap_room heap = heap_room();
  return within(heap.memory, heap.bytes, pointer, bytes);
}

static int is_constant(const volatile void* pointer, size_t bytes) {
  size_t room;
  const char* constants = hal_constants(&room);
  return within(constants, room, pointer, bytes);
}

/* The memory that calls may write. */
static int is_variable(const volatile void* pointer, size_t bytes) {
  return pointer && (is_heap(pointer, bytes) || is_global(pointer, bytes));
}

int symmetric_is(const volatile void* pointer, size_t bytes) {
  return is_variable(pointer, bytes) || is_constant(pointer, bytes);
}

/* The messages have no address: it differs between computers. */
static _Noreturn void refuse(const char* call, const volatile void* pointer, size_t bytes) {
  if (!pointer)
    shmem_fail(call,
               "the symmetric address is null; test what shmem_malloc returns, and give it room with "
               "-s shmem.heap=BYTES");
  if (is_constant(pointer, 1))
    shmem_fail(call, "the address is that of a constant, which calls may only read; pass a variable that is not const");
  if (!symmetric_is(pointer, 1))
    shmem_fail(call, "the address is not symmetric; use memory of shmem_malloc, a global or a static variable");
  char text[160];
  snprintf(text, sizeof text,
           "%zu bytes from that address on run over the end of the symmetric memory; allocate more, or move fewer",
           bytes);
  shmem_fail(call, text);
}

static transport_address address_in(const volatile void* pointer, size_t bytes, unsigned pe) {
  return transport_address_of((const volatile char*)pointer + heap_shift(pointer, pe), bytes);
}

transport_address symmetric_address(const char* call, const volatile void* pointer, size_t bytes, unsigned pe) {
  if (!is_variable(pointer, bytes)) refuse(call, pointer, bytes);
  return address_in(pointer, bytes, pe);
}

int symmetric_to_read(const char* call, const volatile void* pointer, size_t bytes, unsigned pe,
                      transport_address* remote) {
  if (is_variable(pointer, bytes)) {
    *remote = address_in(pointer, bytes, pe);
    return 1;
  }
  if (!is_constant(pointer, bytes)) refuse(call, pointer, bytes);
  return 0;
}

void symmetric_check_source(const char* call, const volatile void* pointer, size_t bytes) {
  if (!symmetric_is(pointer, bytes)) refuse(call, pointer, bytes);
}
