/* hal_setting: the texts of settings, which live as long as the process. */
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/hal/riscv/call.h"
#include "sw/hal/riscv/identity.h"
#include "sw/hal/riscv/settings.h"

struct setting* hal_riscv_settings;

struct setting {
  struct setting* next;
  const char* key; /* a string literal */
  char text[];
};

static struct setting* asked_before(struct setting* list, const char* key) {
  while (list && strcmp(list->key, key) != 0) list = list->next;
  return list;
}

/* As snprintf. */
static size_t ask(const char* key, const char* fallback, const char* documentation, const char* source, char* to,
                  size_t room) {
  return (size_t)hal_riscv_call(HAL_CALL_SETTING, (uintptr_t)key, (uintptr_t)fallback, (uintptr_t)documentation,
                                (uintptr_t)source, (uintptr_t)to, room);
}

const char* hal_setting(const char* key, const char* fallback, const char* documentation, const char* source) {
  hal_riscv_identity(); /* there is a simulator */
  struct setting* known = asked_before(hal_riscv_settings, key);
  if (known) return known->text;
  const size_t room = ask(key, fallback, documentation, source, NULL, 0) + 1;
  struct setting* made = malloc(sizeof *made + room);
  if (!made) hal_abort("no memory for a setting's text");
  ask(key, fallback, documentation, source, made->text, room);
  made->key = key;
  made->next = hal_riscv_settings;
  hal_riscv_settings = made;
  return made->text;
}
