/* See size.h. */
#include "sw/support/size.h"

#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/hal.h"

int size_read(const char* text, size_t* size) {
  char* end = NULL;
  unsigned long long value = strtoull(text, &end, 10);
  static const char units[] = "KMG";
  for (unsigned i = 0; i < 3; ++i)
    if (*end == units[i]) {
      value <<= 10 * (i + 1);
      ++end;
      break;
    }
  if (end == text || *end != '\0' || *text == '-') return 0;
  *size = (size_t)value;
  return 1;
}

size_t size_setting(const char* key, const char* text) {
  size_t size = 0;
  if (size_read(text, &size)) return size;
  char message[160];
  snprintf(message, sizeof message, "%s is '%.32s'; it is a number of bytes, such as 4096 or 16K", key, text);
  hal_abort(message);
}
