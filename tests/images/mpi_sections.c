/* Sections of arrays as datatypes, at random: what a type made of a section picks is what the datatype picks of the
 * section's elements in a row; and copies of sections. */
#include "sw/mpi/requests/section.h"
#include "tests/images/mpi_check.h"

enum { ROUNDS = 300, ROOM = 1 << 14, MIDDLE = ROOM / 2, TYPES = 8 };

static unsigned draw(unsigned below) {
  static unsigned state;
  if (state == 0) state = 99u + 977u * (unsigned)rank;
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

static char memory[ROOM], row[ROOM], packed[ROOM], expected[ROOM], copy[ROOM];
static int places[ROOM]; /* of the section's bytes, in order */

/* Elements that do not overlap: each dimension's stride is beyond what the ones before take. Returns the bytes. */
static int draw_section(struct mpi_section* section) {
  static const size_t elements[] = {1, 2, 4, 8, 12, 16};
  const size_t element = elements[draw(6)];
  int bytes = (int)element;
  ptrdiff_t taken = (ptrdiff_t)element;
  *section = (struct mpi_section){.base = memory + MIDDLE, .element = element, .rank = 1 + (int)draw(3)};
  for (int b = 0; b < bytes; ++b) places[b] = MIDDLE + b;
  for (int d = 0; d < section->rank; ++d) {
    const ptrdiff_t extent = 1 + (ptrdiff_t)draw(4), steps = 1 + (ptrdiff_t)draw(2);
    const ptrdiff_t apart = taken * steps * (draw(3) == 0 ? -1 : 1);
    section->dimensions[d].extent = extent;
    section->dimensions[d].apart = apart;
    for (int i = 1; i < extent; ++i)
      for (int b = 0; b < bytes; ++b) places[i * bytes + b] = places[b] + i * (int)apart;
    bytes *= (int)extent;
    taken *= steps * extent;
  }
  return bytes;
}

static void make_types(MPI_Datatype* types) {
  types[0] = MPI_CHAR;
  types[1] = MPI_INT;
  types[2] = MPI_DOUBLE;
  MPI_Type_contiguous(3, MPI_SHORT, &types[3]);
  MPI_Type_vector(2, 1, 2, MPI_INT, &types[4]);
  MPI_Type_create_struct(2, (const int[]){1, 2}, (const MPI_Aint[]){0, 8}, (const MPI_Datatype[]){MPI_DOUBLE, MPI_INT},
                         &types[5]);
  MPI_Type_vector(3, 2, -3, MPI_CHAR, &types[6]); /* before the buffer's begin */
  types[7] = MPI_SHORT_INT;
  for (int i = 3; i < 7; ++i) MPI_Type_commit(&types[i]);
}

/* Whether all bytes of the elements are in the row. */
static int is_inside(MPI_Datatype type, int count, int bytes) {
  MPI_Aint low = 0, length = 0, lower = 0, extent = 0;
  MPI_Type_get_true_extent(type, &low, &length);
  MPI_Type_get_extent(type, &lower, &extent);
  return count == 0 || (low >= 0 && low + length + (count - 1) * extent <= bytes);
}

static void compare(const struct mpi_section* section, int bytes, MPI_Datatype type, int count) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  const int error = sanvp_mpi_section_type("MPI_Send", section, (size_t)count, type, &made);
  EXPECT((error == MPI_SUCCESS) == is_inside(type, count, bytes));
  if (error != MPI_SUCCESS) return;
  int at = 0, end = 0;
  for (int i = 0; i < bytes; ++i) row[i] = memory[places[i]];
  MPI_Pack(row, count, type, expected, ROOM, &end, MPI_COMM_SELF);
  MPI_Pack(section->base, 1, made, packed, ROOM, &at, MPI_COMM_SELF);
  EXPECT(at == end && memcmp(packed, expected, (size_t)end) == 0);
  for (int i = 0; i < end; ++i) packed[i] = (char)~packed[i];
  memcpy(copy, memory, sizeof copy);
  at = 0;
  MPI_Unpack(packed, end, &at, row, count, type, MPI_COMM_SELF);
  for (int i = 0; i < bytes; ++i) copy[places[i]] = row[i];
  at = 0;
  MPI_Unpack(packed, end, &at, section->base, 1, made, MPI_COMM_SELF);
  EXPECT(at == end && memcmp(memory, copy, sizeof copy) == 0);
  sanvp_mpi_section_release(made);
}

static void stage(const struct mpi_section* section, int bytes) {
  for (int out = 0; out < 2; ++out) {
    struct mpi_staged* staged = sanvp_mpi_stage("MPI_Reduce", section, out ? MPI_STAGED_OUT : MPI_STAGED_IN);
    char* data = sanvp_mpi_staged_data(staged);
    memcpy(copy, memory, sizeof copy);
    for (int i = 0; i < bytes; ++i) {
      EXPECT(data[i] == memory[places[i]]);
      data[i] = (char)~data[i];
      if (out) copy[places[i]] = data[i];
    }
    sanvp_mpi_unstage(staged);
    EXPECT(memcmp(memory, copy, sizeof copy) == 0);
  }
}

int main(int argc, char** argv) {
  MPI_Datatype types[TYPES];
  begin(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  make_types(types);
  for (int i = 0; i < ROOM; ++i) memory[i] = (char)(i * 7 + i / 253);
  for (int round = 0; round < ROUNDS; ++round) {
    struct mpi_section section;
    const int bytes = draw_section(&section);
    const MPI_Datatype type = types[draw(TYPES)];
    int each = 0;
    MPI_Type_size(type, &each);
    if (bytes > ROOM / 8) continue;
    compare(&section, bytes, type, (int)draw((unsigned)(bytes / each) + 2));
    stage(&section, bytes);
  }
  for (int i = 3; i < 7; ++i) MPI_Type_free(&types[i]);
  return finish();
}
