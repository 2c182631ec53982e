/* Handles: a slot, and how often it has been used. */
#include <stdlib.h>

#include "sw/shmem/internal.h"

#define FIRST 16u /* below are predefined handles */
#define USE_SHIFT 32u

uintptr_t handle_give(const char* call, struct handles* handles, void* object) {
  size_t slot = 0;
  while (slot < handles->count && handles->slots[slot].object) ++slot;
  if (slot == handles->count) {
    struct handle_slot* slots = realloc(handles->slots, (slot + 1) * sizeof *slots);
    if (!slots) shmem_fail(call, "no memory for the library; set host.memory");
    handles->slots = slots;
    handles->slots[handles->count++] = (struct handle_slot){.object = NULL};
  }
  handles->slots[slot].object = object;
  return (uintptr_t)handles->slots[slot].use << USE_SHIFT | (FIRST + slot);
}

void* handle_object(const struct handles* handles, uintptr_t handle, int* was) {
  const size_t slot = (size_t)(uint32_t)handle - FIRST, use = handle >> USE_SHIFT;
  *was = 0;
  if ((uint32_t)handle < FIRST || slot >= handles->count || use > handles->slots[slot].use) return NULL;
  *was = use < handles->slots[slot].use;
  return *was ? NULL : handles->slots[slot].object;
}

void handle_destroy(const struct handles* handles, uintptr_t handle) {
  struct handle_slot* slot = &handles->slots[(uint32_t)handle - FIRST];
  slot->object = NULL;
  ++slot->use;
}
