/* See size.h. */
#include "sw/support/size.h"

#include <stdlib.h>

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
