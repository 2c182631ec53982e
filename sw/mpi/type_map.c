/* Type maps: how they are made from others, and how a byte of the data is found in one. */
#include "sw/mpi/type_map.h"

#include <stdint.h>
#include <stdlib.h>

static size_t sum_at_most(size_t a, size_t b) {
  size_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

size_t mpi_bytes_at_most(size_t count, size_t bytes) {
  size_t all = 0;
  return __builtin_mul_overflow(count, bytes, &all) ? SIZE_MAX : all;
}

/* ---- shapes ---- */
static struct mpi_shape shape_of_copy(const struct mpi_part* part) {
  if (part->map) return part->map->shape;
  return (struct mpi_shape){.bytes = part->bytes,
                            .external_bytes = part->elements * MPI_EXTERNAL_BYTES(part->element, part->external),
                            .elements = part->elements,
                            .runs = 1,
                            .high = (ptrdiff_t)part->bytes,
                            .last = (ptrdiff_t)(part->bytes - part->element),
                            .element = part->element,
                            .external = part->external,
                            .consecutive = 1,
                            .sorted = 1,
                            .disjoint = 1};
}

static struct mpi_shape shape_of(const struct mpi_part* part) {
  struct mpi_shape shape = shape_of_copy(part);
  if (part->times > 1) {
    const ptrdiff_t span = (ptrdiff_t)(part->times - 1) * part->apart, length = shape.high - shape.low;
    shape.consecutive &= part->apart == length;
    shape.sorted &= part->apart >= shape.last - shape.first;
    shape.disjoint &= part->apart >= length;
    shape.bytes = mpi_bytes_at_most(part->times, shape.bytes);
    shape.external_bytes = mpi_bytes_at_most(part->times, shape.external_bytes);
    shape.elements = mpi_bytes_at_most(part->times, shape.elements);
    shape.runs = mpi_bytes_at_most(part->times, shape.runs);
    *(span < 0 ? &shape.low : &shape.high) += span;
    shape.last += span;
  }
  shape.low += part->offset;
  shape.high += part->offset;
  shape.first += part->offset;
  shape.last += part->offset;
  return shape;
}

static void join(struct mpi_shape* shape, const struct mpi_shape* next) {
  shape->consecutive &= next->consecutive && next->low == shape->high;
  shape->sorted &= next->sorted && next->first >= shape->last;
  shape->disjoint &= next->disjoint && next->low >= shape->high;
  shape->bytes = sum_at_most(shape->bytes, next->bytes);
  shape->external_bytes = sum_at_most(shape->external_bytes, next->external_bytes);
  shape->elements = sum_at_most(shape->elements, next->elements);
  shape->runs = sum_at_most(shape->runs, next->runs);
  if (next->low < shape->low) shape->low = next->low;
  if (next->high > shape->high) shape->high = next->high;
  shape->last = next->last;
  if (next->element != shape->element || next->external != shape->external) shape->element = 0;
}

/* The same for the one copy of a run, of which some types have very many. */
static void join_run(struct mpi_shape* shape, const struct mpi_part* run) {
  const ptrdiff_t low = run->offset, high = low + (ptrdiff_t)run->bytes;
  shape->consecutive &= low == shape->high;
  shape->sorted &= low >= shape->last;
  shape->disjoint &= low >= shape->high;
  shape->bytes = sum_at_most(shape->bytes, run->bytes);
  shape->external_bytes += run->elements * MPI_EXTERNAL_BYTES(run->element, run->external);
  shape->elements += run->elements;
  ++shape->runs;
  if (low < shape->low) shape->low = low;
  if (high > shape->high) shape->high = high;
  shape->last = high - (ptrdiff_t)run->element;
  if (run->element != shape->element || run->external != shape->external) shape->element = 0;
}

/* ---- making ---- */
struct mpi_map* mpi_map_new(size_t count) {
  struct mpi_map* map = malloc(sizeof *map + count * sizeof *map->parts);
  if (map)
    *map = (struct mpi_map){
        .references = 1, .shape = {.consecutive = 1, .sorted = 1, .disjoint = 1}, .parts = (struct mpi_part*)(map + 1)};
  return map;
}

/* Copies of a map. Two loops become one if the outer continues the inner, or either has a single turn; copies of a run
 * without gaps are a longer run. */
static void repeat(struct mpi_part* part, struct mpi_map* map, ptrdiff_t offset, size_t times, ptrdiff_t apart) {
  const struct mpi_part* only = map->parts;
  if (map->count == 1 && (only->times == 1 || times == 1 || apart == (ptrdiff_t)only->times * only->apart)) {
    *part = *only;
    part->offset += offset;
    part->times = mpi_bytes_at_most(times, only->times);
    if (only->times == 1) part->apart = apart;
  } else {
    *part = (struct mpi_part){.offset = offset,
                              .times = times,
                              .apart = apart,
                              .bytes = map->shape.bytes,
                              .elements = map->shape.elements,
                              .map = map};
  }
  if (!part->map && part->times > 1 && part->apart == (ptrdiff_t)part->bytes) {
    part->bytes = mpi_bytes_at_most(part->times, part->bytes);
    part->elements = mpi_bytes_at_most(part->times, part->elements);
    part->times = 1;
  }
}

static int continues(const struct mpi_part* last, const struct mpi_part* next) {
  return last->offset + (ptrdiff_t)last->bytes == next->offset && !last->map && !next->map && last->times == 1 &&
         next->times == 1 && last->element == next->element && last->external == next->external;
}

/* The part behind the last one is filled in. */
static void take_next(struct mpi_map* to) {
  struct mpi_part *next = &to->parts[to->count], *last = next - 1;
  if (to->count > 0 && continues(last, next)) {
    last->bytes += next->bytes;
    last->elements += next->elements;
    return;
  }
  if (next->map) mpi_map_hold(next->map);
  ++to->count;
}

int mpi_map_append(struct mpi_map* to, ptrdiff_t offset, size_t times, ptrdiff_t apart, size_t count, ptrdiff_t extent,
                   struct mpi_map* map) {
  if (times == 0 || count == 0 || map->shape.bytes == 0) return 1;
  struct mpi_part* next = &to->parts[to->count];
  if (times == 1 || count == 1) {
    repeat(next, map, offset, times == 1 ? count : times, times == 1 ? extent : apart);
    take_next(to);
    return 1;
  }
  struct mpi_map* block = mpi_map_new(1);
  if (!block) return 0;
  repeat(block->parts, map, 0, count, extent);
  take_next(block);
  mpi_map_end(block);
  repeat(next, block, offset, times, apart);
  take_next(to);
  mpi_map_release(block);
  return 1;
}

void mpi_map_end(struct mpi_map* map) {
  for (size_t i = 0; i < map->count; ++i) {
    struct mpi_part* part = &map->parts[i];
    part->before = map->shape.bytes;
    if (i > 0 && !part->map && part->times == 1) {
      join_run(&map->shape, part);
      continue;
    }
    const struct mpi_shape next = shape_of(part);
    if (i == 0)
      map->shape = next;
    else
      join(&map->shape, &next);
  }
}

struct mpi_map* mpi_map_fitting(struct mpi_map* map) {
  struct mpi_map* fitting = realloc(map, sizeof *map + map->count * sizeof *map->parts);
  if (!fitting) return map;
  fitting->parts = (struct mpi_part*)(fitting + 1);
  return fitting;
}

struct mpi_map* mpi_map_hold(struct mpi_map* map) {
  ++map->references;
  return map;
}

void mpi_map_release(struct mpi_map* map) {
  if (!map || --map->references > 0) return;
  for (size_t i = 0; i < map->count; ++i) mpi_map_release(map->parts[i].map);
  free(map);
}

/* ---- finding ---- */
static struct mpi_run run_of(const struct mpi_part* part, ptrdiff_t offset) {
  return (struct mpi_run){offset, part->elements, part->element, part->external};
}

/* The part with a byte of the data. */
static const struct mpi_part* part_with(const struct mpi_map* map, size_t position) {
  size_t low = 0, high = map->count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    *(map->parts[middle].before <= position ? &low : &high) = middle;
  }
  return &map->parts[low];
}

struct mpi_run mpi_map_run(const struct mpi_map* map, size_t position, size_t* inside) {
  ptrdiff_t offset = 0;
  for (;;) {
    const struct mpi_part* part = part_with(map, position);
    position -= part->before;
    offset += part->offset;
    if (position >= part->bytes) {
      const size_t copy = position / part->bytes;
      position -= copy * part->bytes;
      offset += (ptrdiff_t)copy * part->apart;
    }
    *inside = position;
    if (!part->map) return run_of(part, offset);
    map = part->map;
  }
}

static ptrdiff_t first_of(const struct mpi_part* part) {
  return part->offset + (part->map ? part->map->shape.first : 0);
}

/* The last part that begins at or before an offset, or else the first one. */
static const struct mpi_part* part_below(const struct mpi_map* map, ptrdiff_t offset) {
  size_t low = 0, high = map->count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    *(first_of(&map->parts[middle]) <= offset ? &low : &high) = middle;
  }
  return &map->parts[low];
}

struct mpi_run mpi_map_run_below(const struct mpi_map* map, ptrdiff_t offset, size_t* before) {
  ptrdiff_t origin = 0;
  for (*before = 0;;) {
    const struct mpi_part* part = part_below(map, offset - origin);
    const ptrdiff_t further = offset - origin - first_of(part);
    size_t copy = 0;
    if (further >= 0) copy = part->apart > 0 ? (size_t)(further / part->apart) : part->times - 1;
    if (copy >= part->times) copy = part->times - 1;
    *before += part->before + copy * part->bytes;
    origin += part->offset + (ptrdiff_t)copy * part->apart;
    if (!part->map) return run_of(part, origin);
    map = part->map;
  }
}
