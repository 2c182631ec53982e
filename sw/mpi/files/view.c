/* Views: which bytes of the file a process sees, and in which order. */
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/errors.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/base/type.h"
#include "sw/mpi/datatypes/type_map.h"
#include "sw/mpi/files/file.h"

/* ---- a type as a tile of the file ---- */
/* Displacements and sizes of elements, in the file and in memory. */
static uint64_t scaled(uint64_t bytes, uint64_t to, uint64_t of) { return bytes / of * to + bytes % of * to / of; }

static uint64_t in_file(struct mpi_ratio ratio, uint64_t bytes) { return scaled(bytes, ratio.file, ratio.memory); }

static uint64_t in_memory(struct mpi_ratio ratio, uint64_t bytes) { return scaled(bytes, ratio.memory, ratio.file); }

static void make_tile(struct mpi_view* view, struct mpi_ratio ratio) {
  const MPI_Datatype type = view->filetype;
  view->ratio = ratio;
  view->bytes = in_file(ratio, type->bytes);
  view->extent = type->extent > 0 ? in_file(ratio, (uint64_t)type->extent) : 0;
}

/* Returns what is wrong with a file type, or null. What is only read may overlap (MPI-3.1, 13.3). */
static const char* find_wrong(MPI_Datatype type, int is_read_only) {
  const struct mpi_shape* shape = &type->map->shape;
  if (type->bytes == 0) return NULL;
  if (shape->low < 0) return "has a negative displacement";
  if (!shape->sorted) return "has displacements that decrease";
  if (type->extent <= 0) return "has an extent of 0 or less, so that its copies are at one place";
  if (is_read_only) return NULL;
  if (!shape->disjoint) return "has data that overlap; only files that are open with MPI_MODE_RDONLY may have them";
  if (shape->high - shape->low > type->extent)
    return "has an extent in which its data do not fit, so that its copies overlap";
  return NULL;
}

void mpi_view_default(struct mpi_view* view) {
  *view = (struct mpi_view){
      .etype = MPI_BYTE, .filetype = MPI_BYTE, .representation = mpi_native_representation(), .etype_bytes = 1};
  make_tile(view, (struct mpi_ratio){1, 1});
}

void mpi_view_free(struct mpi_view* view) {
  mpi_type_release(view->etype);
  mpi_type_release(view->filetype);
}

/* ---- positions ---- */
/* Consecutive bytes of a tile. */
struct piece {
  uint64_t offset, bytes, before; /* from the tile's begin; data bytes of the tile before it */
};

static struct piece piece_of(const struct mpi_view* view, struct mpi_run run, size_t before) {
  return (struct piece){in_file(view->ratio, (uint64_t)run.offset), in_file(view->ratio, run.count * run.element),
                        in_file(view->ratio, before)};
}

/* The piece that holds byte `inside` of a tile's data. */
static struct piece piece_with(const struct mpi_view* view, uint64_t inside) {
  const MPI_Datatype type = view->filetype;
  if (type->dense) return (struct piece){0, view->bytes, 0};
  size_t skipped = 0;
  const uint64_t position = in_memory(view->ratio, inside);
  const struct mpi_run run = mpi_map_run(type->map, position, &skipped);
  return piece_of(view, run, position - skipped);
}

/* The last piece that begins at or before an offset from a tile's begin, or the first one. */
static struct piece piece_below(const struct mpi_view* view, uint64_t offset) {
  const MPI_Datatype type = view->filetype;
  if (type->dense) return (struct piece){0, view->bytes, 0};
  size_t before = 0;
  const struct mpi_run run = mpi_map_run_below(type->map, (ptrdiff_t)in_memory(view->ratio, offset), &before);
  return piece_of(view, run, before);
}

uint64_t mpi_view_offset(const struct mpi_view* view, uint64_t position) {
  if (view->bytes == 0) return (uint64_t)view->displacement;
  const uint64_t tile = position / view->bytes, inside = position % view->bytes;
  const struct piece piece = piece_with(view, inside);
  return (uint64_t)view->displacement + tile * view->extent + piece.offset + inside - piece.before;
}

uint64_t mpi_view_position(const struct mpi_view* view, uint64_t offset) {
  if (view->bytes == 0 || offset <= (uint64_t)view->displacement) return 0;
  const uint64_t from = offset - (uint64_t)view->displacement, inside = from % view->extent;
  const uint64_t position = from / view->extent * view->bytes;
  const struct piece piece = piece_below(view, inside);
  if (inside <= piece.offset) return position + piece.before;
  return position + piece.before + (inside - piece.offset < piece.bytes ? inside - piece.offset : piece.bytes);
}

static void add_span(struct mpi_spans* spans, size_t* room, struct hal_file_span span) {
  struct hal_file_span* last = spans->count > 0 ? &spans->all[spans->count - 1] : NULL;
  if (last && last->begin + last->bytes == span.begin) {
    last->bytes += span.bytes;
    return;
  }
  if (spans->count == *room) {
    *room = *room > 0 ? 2 * *room : 16;
    spans->all = mpi_larger_memory(spans->all, *room * sizeof *spans->all);
  }
  spans->all[spans->count++] = span;
}

struct mpi_spans mpi_view_spans(const struct mpi_view* view, uint64_t position, uint64_t bytes) {
  struct mpi_spans spans = {NULL, 0};
  size_t room = 0;
  if (bytes == 0) return spans;
  if (view->filetype->map->shape.consecutive && view->bytes == view->extent) { /* no gaps */
    add_span(&spans, &room, (struct hal_file_span){mpi_view_offset(view, position), bytes});
    return spans;
  }
  while (bytes > 0) {
    const uint64_t tile = position / view->bytes, inside = position % view->bytes;
    const struct piece piece = piece_with(view, inside);
    const uint64_t skipped = inside - piece.before;
    const uint64_t here = piece.bytes - skipped < bytes ? piece.bytes - skipped : bytes;
    const uint64_t begin = (uint64_t)view->displacement + tile * view->extent + piece.offset + skipped;
    add_span(&spans, &room, (struct hal_file_span){begin, here});
    position += here;
    bytes -= here;
  }
  return spans;
}

/* ---- MPI_File_set_view ---- */
static int check_type(const char* call, MPI_File file, MPI_Datatype type, const char* what) {
  if (!type || type->references == 0)
    return mpi_file_fail(file, call, MPI_ERR_TYPE, "the %s is MPI_DATATYPE_NULL or has been freed", what);
  if (!type->committed)
    return mpi_file_fail(file, call, MPI_ERR_TYPE, "the %s has not been committed; call MPI_Type_commit first", what);
  return MPI_SUCCESS;
}

static int find_displacement(const char* call, MPI_File file, MPI_Offset* displacement) {
  const int is_sequential = (file->mode & MPI_MODE_SEQUENTIAL) != 0;
  if (is_sequential && *displacement != MPI_DISPLACEMENT_CURRENT)
    return mpi_file_fail(file, call, MPI_ERR_UNSUPPORTED_OPERATION,
                         "the file is open with MPI_MODE_SEQUENTIAL; its views begin at MPI_DISPLACEMENT_CURRENT");
  if (is_sequential) {
    uint64_t position = 0;
    MPI_TRY(mpi_shared_add(call, file, 0, &position));
    *displacement = (MPI_Offset)mpi_view_offset(&file->view, position);
  }
  if (*displacement < 0)
    return mpi_file_fail(file, call, MPI_ERR_ARG, "the displacement is %lld; it must be 0 or more", *displacement);
  return MPI_SUCCESS;
}

static int make_view(const char* call, MPI_File file, struct mpi_view* view) {
  struct mpi_ratio ratio;
  if (view->representation->bytes(view->representation, view->etype, &view->etype_bytes) != MPI_SUCCESS ||
      mpi_representation_ratio(view->representation, view->filetype, &ratio) != MPI_SUCCESS)
    return mpi_file_fail(file, call, MPI_ERR_UNSUPPORTED_DATAREP,
                         "the types have elements whose sizes differ by other factors in '%s'; make them of one kind",
                         view->representation->name);
  const char* const wrong = find_wrong(view->filetype, (file->mode & MPI_MODE_RDONLY) != 0);
  if (wrong) return mpi_file_fail(file, call, MPI_ERR_TYPE, "the file type %s", wrong);
  make_tile(view, ratio);
  return MPI_SUCCESS;
}

int MPI_File_set_view(MPI_File file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
                      const char* representation, MPI_Info info) {
  static const char call[] = "MPI_File_set_view";
  MPI_TRY(mpi_check_file(call, file));
  MPI_TRY(check_type(call, file, etype, "etype"));
  MPI_TRY(check_type(call, file, filetype, "file type"));
  MPI_TRY(find_displacement(call, file, &displacement));
  if (etype->bytes == 0 || filetype->bytes % etype->bytes != 0)
    return mpi_file_fail(file, call, MPI_ERR_TYPE, "the file type has %zu bytes, no multiple of the etype's %zu",
                         filetype->bytes, etype->bytes);
  struct mpi_view view = {.displacement = displacement, .etype = etype, .filetype = filetype};
  view.representation = representation ? mpi_representation_named(representation) : NULL;
  if (!view.representation)
    return mpi_file_fail(file, call, MPI_ERR_UNSUPPORTED_DATAREP,
                         "there is no representation '%s'; take native, internal, external32 or one of "
                         "MPI_Register_datarep",
                         representation ? representation : "(null)");
  MPI_TRY(make_view(call, file, &view));
  MPI_TRY(mpi_hints_read(call, file, info));
  mpi_type_hold(etype);
  mpi_type_hold(filetype);
  mpi_view_free(&file->view);
  file->view = view;
  file->position = file->first = 0;
  MPI_Barrier(file->comm); /* no process uses the old view's shared pointer any more */
  const int error = file->comm->rank == 0 ? mpi_shared_reset(call, file) : MPI_SUCCESS;
  MPI_Barrier(file->comm);
  return error;
}

/* ---- queries ---- */
/* Predefined types are given as they are, others as copies for the program to free. */
static int given(MPI_Datatype type, MPI_Datatype* to) {
  *to = type;
  if (type->predefined) return MPI_SUCCESS;
  MPI_TRY(MPI_Type_dup(type, to));
  return MPI_Type_commit(to);
}

int MPI_File_get_view(MPI_File file, MPI_Offset* displacement, MPI_Datatype* etype, MPI_Datatype* filetype,
                      char* representation) {
  static const char call[] = "MPI_File_get_view";
  MPI_TRY(mpi_check_file(call, file));
  if (!displacement || !etype || !filetype || !representation)
    return mpi_file_fail(file, call, MPI_ERR_ARG, "the place for a result is a null pointer");
  *displacement = file->view.displacement;
  MPI_TRY(given(file->view.etype, etype));
  MPI_TRY(given(file->view.filetype, filetype));
  strcpy(representation, file->view.representation->name);
  return MPI_SUCCESS;
}

int MPI_File_get_byte_offset(MPI_File file, MPI_Offset offset, MPI_Offset* displacement) {
  static const char call[] = "MPI_File_get_byte_offset";
  MPI_TRY(mpi_check_file(call, file));
  if (offset < 0 || !displacement)
    return mpi_file_fail(file, call, MPI_ERR_ARG, "the offset is %lld, or the place for the result null", offset);
  if ((file->mode & MPI_MODE_SEQUENTIAL) != 0)
    return mpi_file_fail(file, call, MPI_ERR_UNSUPPORTED_OPERATION,
                         "the file is open with MPI_MODE_SEQUENTIAL and has no offsets");
  *displacement = (MPI_Offset)mpi_view_offset(&file->view, (uint64_t)offset * file->view.etype_bytes);
  return MPI_SUCCESS;
}

int MPI_File_get_type_extent(MPI_File file, MPI_Datatype type, MPI_Aint* extent) {
  static const char call[] = "MPI_File_get_type_extent";
  struct mpi_ratio ratio;
  MPI_TRY(mpi_check_file(call, file));
  MPI_TRY(check_type(call, file, type, "type"));
  if (!extent) return mpi_file_fail(file, call, MPI_ERR_ARG, "the place for a result is a null pointer");
  if (mpi_representation_ratio(file->view.representation, type, &ratio) != MPI_SUCCESS)
    return mpi_file_fail(file, call, MPI_ERR_UNSUPPORTED_DATAREP, "its elements differ in size in '%s'",
                         file->view.representation->name);
  *extent = (MPI_Aint)in_file(ratio, (uint64_t)type->extent);
  return MPI_SUCCESS;
}
