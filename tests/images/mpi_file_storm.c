/* Random views, accesses and hints, compared with a model: the file as an array of bytes. --rounds N, --seed N. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/images/mpi_check.h"

#define NAME "mpi_file_storm.data"
#define OK(call) EXPECT((call) == MPI_SUCCESS)

enum { MOST_BLOCKS = 40, MOST_TILES = 4, MOST_BYTES = 1 << 18 };

/* The same numbers in all ranks. */
static uint64_t state;
static int draw(int most) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (int)((state >> 33) % (uint64_t)most);
}

static unsigned char model[MOST_BYTES], seen[MOST_BYTES];
static size_t model_bytes;

/* A tile of blocks of etypes: each block is of one rank, or of none. */
struct tiling {
  MPI_Offset displacement;
  int etype_bytes, blocks, tiles, lengths[MOST_BLOCKS], owners[MOST_BLOCKS], of_rank[64], length;
};

static void draw_tiling(struct tiling* tiling) {
  *tiling = (struct tiling){.displacement = draw(100),
                            .etype_bytes = 1 << draw(4),
                            .blocks = 1 + draw(MOST_BLOCKS),
                            .tiles = 1 + draw(MOST_TILES)};
  for (int i = 0; i < tiling->blocks; ++i) {
    tiling->lengths[i] = 1 + draw(draw(4) == 0 ? 200 : 5);
    tiling->owners[i] = draw(ranks + 1) - 1;
    if (tiling->owners[i] >= 0) tiling->of_rank[tiling->owners[i]] += tiling->lengths[i];
    tiling->length += tiling->lengths[i];
  }
}

static MPI_Datatype etype_of(int bytes) {
  static const MPI_Datatype types[] = {[1] = MPI_BYTE, [2] = MPI_SHORT, [4] = MPI_INT, [8] = MPI_DOUBLE};
  return types[bytes];
}

static MPI_Datatype filetype_of(const struct tiling* tiling) {
  int lengths[MOST_BLOCKS], offsets[MOST_BLOCKS], count = 0, offset = 0;
  MPI_Datatype indexed, type;
  for (int i = 0; i < tiling->blocks; ++i) {
    if (tiling->owners[i] == rank) {
      lengths[count] = tiling->lengths[i];
      offsets[count++] = offset;
    }
    offset += tiling->lengths[i];
  }
  MPI_Type_indexed(count, lengths, offsets, etype_of(tiling->etype_bytes), &indexed);
  MPI_Type_create_resized(indexed, 0, (MPI_Aint)tiling->length * tiling->etype_bytes, &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&indexed);
  return type;
}

/* Where byte `at` of a rank's data lies. */
static size_t place_of(const struct tiling* tiling, int of, size_t at) {
  const size_t each = (size_t)tiling->etype_bytes, tile_data = (size_t)tiling->of_rank[of] * each;
  size_t place = (size_t)tiling->displacement + at / tile_data * (size_t)tiling->length * each, rest = at % tile_data;
  for (int i = 0;; ++i) {
    const size_t bytes = (size_t)tiling->lengths[i] * each;
    if (tiling->owners[i] == of && rest < bytes) return place + rest;
    if (tiling->owners[i] == of) rest -= bytes;
    place += bytes;
  }
}

static void compare_all(int round) {
  const int file = open(NAME, O_RDONLY);
  size_t bytes = 0;
  for (ssize_t now = 1; now > 0; bytes += (size_t)now) now = read(file, seen + bytes, sizeof seen - bytes);
  close(file);
  if (bytes != model_bytes) printf("round %d: %zu bytes, not %zu\n", round, bytes, model_bytes);
  EXPECT(bytes == model_bytes);
  for (size_t i = 0; i < bytes; ++i) {
    if (seen[i] != model[i]) printf("round %d: byte %zu\n", round, i);
    EXPECT(seen[i] == model[i]);
  }
}

static MPI_Info draw_hints(void) {
  static const char* const choices[] = {"true", "false", "automatic"};
  char text[16];
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "collective_buffering", choices[draw(3)]);
  snprintf(text, sizeof text, "%d", 1 + draw(ranks + 2));
  if (draw(2)) MPI_Info_set(info, "cb_nodes", text);
  snprintf(text, sizeof text, "%d", 1 << (6 + draw(12)));
  MPI_Info_set(info, "cb_buffer_size", text);
  return info;
}

/* In memory: dense, or with a gap behind each etype. */
struct memory {
  MPI_Datatype type;
  int stride;
  char* bytes;
};

static struct memory draw_memory(int etype_bytes, size_t etypes) {
  struct memory memory = {.stride = etype_bytes * (1 + draw(2))};
  memory.bytes = calloc(etypes + 1, (size_t)memory.stride);
  MPI_Type_create_resized(etype_of(etype_bytes), 0, memory.stride, &memory.type);
  MPI_Type_commit(&memory.type);
  return memory;
}

static char* byte_at(const struct memory* memory, int etype_bytes, size_t at) {
  return memory->bytes + at / (size_t)etype_bytes * (size_t)memory->stride + at % (size_t)etype_bytes;
}

static void discard(struct memory* memory) {
  MPI_Type_free(&memory->type);
  free(memory->bytes);
}

enum { AT_ALL, AT, ALL, ALONE, I_AT, I_ALL, SPLIT, KINDS };

static void write_once(MPI_File file, int kind, MPI_Offset begin, const struct memory* own, int count) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  OK(MPI_File_seek(file, begin, MPI_SEEK_SET));
  switch (kind) {
    case AT_ALL:
      OK(MPI_File_write_at_all(file, begin, own->bytes, count, own->type, &status));
      break;
    case AT:
      OK(MPI_File_write_at(file, begin, own->bytes, count, own->type, &status));
      break;
    case ALL:
      OK(MPI_File_write_all(file, own->bytes, count, own->type, &status));
      break;
    case ALONE:
      OK(MPI_File_write(file, own->bytes, count, own->type, &status));
      break;
    case I_AT:
      OK(MPI_File_iwrite_at(file, begin, own->bytes, count, own->type, &request));
      OK(MPI_Wait(&request, &status));
      break;
    case I_ALL:
      OK(MPI_File_iwrite_all(file, own->bytes, count, own->type, &request));
      OK(MPI_Wait(&request, &status));
      break;
    default:
      OK(MPI_File_write_all_begin(file, own->bytes, count, own->type));
      OK(MPI_File_write_all_end(file, own->bytes, &status));
  }
  EXPECT(count_of(&status, own->type) == count);
}

static int read_once(MPI_File file, int kind, MPI_Offset begin, const struct memory* to, int count) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  OK(MPI_File_seek(file, begin, MPI_SEEK_SET));
  switch (kind) {
    case AT_ALL:
      OK(MPI_File_read_at_all(file, begin, to->bytes, count, to->type, &status));
      break;
    case AT:
      OK(MPI_File_read_at(file, begin, to->bytes, count, to->type, &status));
      break;
    case ALL:
      OK(MPI_File_read_all(file, to->bytes, count, to->type, &status));
      break;
    case ALONE:
      OK(MPI_File_read(file, to->bytes, count, to->type, &status));
      break;
    case I_AT:
      OK(MPI_File_iread_at(file, begin, to->bytes, count, to->type, &request));
      OK(MPI_Wait(&request, &status));
      break;
    case I_ALL:
      OK(MPI_File_iread_all(file, to->bytes, count, to->type, &request));
      OK(MPI_Wait(&request, &status));
      break;
    default:
      OK(MPI_File_read_all_begin(file, to->bytes, count, to->type));
      OK(MPI_File_read_all_end(file, to->bytes, &status));
  }
  return (int)status.bytes_;
}

/* How many etypes each rank accesses, from which on. */
struct part {
  int begin, count;
};

static struct part draw_part(const struct tiling* tiling, int of) {
  const int all = tiling->of_rank[of] * tiling->tiles, begin = draw(all + 1), count = draw(all - begin + 1);
  return (struct part){begin, tiling->of_rank[of] > 0 ? count : 0};
}

static void one_round(MPI_File file, int round) {
  struct tiling tiling;
  draw_tiling(&tiling);
  MPI_Datatype type = filetype_of(&tiling);
  if (tiling.of_rank[rank] == 0) { /* a view without data is an error to access: it has none here */
    MPI_Type_free(&type);
    MPI_Type_dup(etype_of(tiling.etype_bytes), &type);
  }
  MPI_Info info = draw_hints();
  OK(MPI_File_set_view(file, tiling.displacement, etype_of(tiling.etype_bytes), type, "native", info));
  MPI_Info_free(&info);
  MPI_Type_free(&type);
  const int kind = draw(KINDS), read_kind = draw(KINDS);
  const size_t each = (size_t)tiling.etype_bytes;
  struct part own = {0, 0}, wanted = {0, 0};
  for (int i = 0; i < ranks; ++i) {
    const struct part part = draw_part(&tiling, i);
    if (i == rank) own = part;
    for (size_t j = 0; j < (size_t)part.count * each; ++j) {
      const size_t place = place_of(&tiling, i, (size_t)part.begin * each + j);
      model[place] = byte_of(i, round, j);
      if (place >= model_bytes) model_bytes = place + 1;
    }
  }
  struct memory memory = draw_memory(tiling.etype_bytes, (size_t)own.count);
  for (size_t j = 0; j < (size_t)own.count * each; ++j)
    *byte_at(&memory, tiling.etype_bytes, j) = (char)byte_of(rank, round, j);
  write_once(file, kind, own.begin, &memory, own.count);
  discard(&memory);
  OK(MPI_File_sync(file));
  if (round % 4 == 0) compare_all(round);
  for (int i = 0; i < ranks; ++i) {
    const struct part part = draw_part(&tiling, i);
    if (i == rank) wanted = part;
  }
  memory = draw_memory(tiling.etype_bytes, (size_t)wanted.count);
  const int bytes = read_once(file, read_kind, wanted.begin, &memory, wanted.count);
  int there = 0;
  for (size_t j = 0; j < (size_t)wanted.count * each; ++j) {
    const size_t place = place_of(&tiling, rank, (size_t)wanted.begin * each + j);
    if (place >= model_bytes) break;
    ++there;
    EXPECT(*byte_at(&memory, tiling.etype_bytes, j) == (char)model[place]);
  }
  EXPECT(bytes == there);
  discard(&memory);
  MPI_Barrier(MPI_COMM_WORLD); /* all have read before the next round writes */
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = argc > 1 ? atoi(argv[1]) : 20;
  state = argc > 2 ? (uint64_t)atoi(argv[2]) : 1;
  MPI_File file;
  OK(MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
  OK(MPI_File_set_size(file, 0));
  for (int i = 0; i < rounds; ++i) one_round(file, i);
  compare_all(rounds);
  OK(MPI_File_close(&file));
  if (rank == 0) unlink(NAME);
  return finish();
}
