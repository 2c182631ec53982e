/* See extents.h. */
#include <stdlib.h>
#include <string.h>

#include "sw/support/extents.h"

void extents_init(struct extents* extents, uint32_t start, uint32_t bytes) {
  extents->room = 16;
  extents->pieces = malloc(extents->room * sizeof *extents->pieces);
  extents->pieces[0] = (struct extent){start, bytes};
  extents->count = 1;
}

static void insert(struct extents* extents, size_t at, struct extent piece) {
  if (piece.bytes == 0) return;
  if (extents->count == extents->room) {
    extents->room *= 2;
    extents->pieces = realloc(extents->pieces, extents->room * sizeof *extents->pieces);
  }
  memmove(extents->pieces + at + 1, extents->pieces + at, (extents->count - at) * sizeof piece);
  extents->pieces[at] = piece;
  ++extents->count;
}

static void erase(struct extents* extents, size_t at) {
  --extents->count;
  memmove(extents->pieces + at, extents->pieces + at + 1, (extents->count - at) * sizeof *extents->pieces);
}

uint32_t extents_allocate(struct extents* extents, uint32_t bytes, uint32_t align) {
  for (size_t i = 0; i < extents->count; ++i) {
    const struct extent piece = extents->pieces[i];
    const uint32_t start = (piece.start + align - 1) & ~(align - 1);
    const uint32_t lead = start - piece.start;
    if (piece.bytes < lead || piece.bytes - lead < bytes) continue;
    erase(extents, i);
    insert(extents, i, (struct extent){start + bytes, piece.bytes - lead - bytes});
    insert(extents, i, (struct extent){piece.start, lead});
    return start;
  }
  return 0;
}

void extents_free(struct extents* extents, uint32_t start, uint32_t bytes) {
  size_t at = 0;
  while (at < extents->count && extents->pieces[at].start < start) ++at;
  insert(extents, at, (struct extent){start, bytes});
  for (size_t i = at > 0 ? at - 1 : 0; i + 1 < extents->count && i <= at;) {
    struct extent* piece = &extents->pieces[i];
    if (piece->start + piece->bytes == extents->pieces[i + 1].start) {
      piece->bytes += extents->pieces[i + 1].bytes;
      erase(extents, i + 1);
    } else {
      ++i;
    }
  }
}
