/* The constructor calls of derived datatypes, and their arguments. */
#include "sw/mpi/datatypes/type_contents.h"

#include <stdlib.h>
#include <string.h>

#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/type.h"

/* `list` with space for `more` elements after its `count`, which then counts both. Unchanged if memory does not
 * suffice. */
static void* extended(struct mpi_type_contents* contents, void* list, int* count, const void* elements, int more,
                      size_t each) {
  if (more < 1) return list;
  const size_t old = (size_t)*count * each, added = (size_t)more * each;
  char* longer = realloc(list, old + added);
  if (!longer) {
    contents->incomplete = 1;
    return list;
  }
  memcpy(longer + old, elements, added);
  *count += more;
  return longer;
}

void mpi_contents_begin(MPI_Datatype made, int combiner) {
  made->contents = calloc(1, sizeof *made->contents);
  if (made->contents) made->contents->combiner = combiner;
}

void mpi_contents_integers(MPI_Datatype made, int count, const int* integers) {
  struct mpi_type_contents* contents = made->contents;
  if (!contents) return;
  contents->integers =
      extended(contents, contents->integers, &contents->integers_count, integers, count, sizeof *integers);
}

void mpi_contents_addresses(MPI_Datatype made, int count, const MPI_Aint* addresses) {
  struct mpi_type_contents* contents = made->contents;
  if (!contents) return;
  contents->addresses =
      extended(contents, contents->addresses, &contents->addresses_count, addresses, count, sizeof *addresses);
}

void mpi_contents_types(MPI_Datatype made, int count, const MPI_Datatype* types) {
  struct mpi_type_contents* contents = made->contents;
  if (!contents) return;
  const int before = contents->types_count;
  contents->types = extended(contents, contents->types, &contents->types_count, types, count, sizeof(MPI_Datatype));
  for (int i = before; i < contents->types_count; ++i) mpi_type_hold(contents->types[i]);
}

int mpi_contents_end(const char* call, MPI_Datatype* made) {
  if ((*made)->contents && !(*made)->contents->incomplete) return MPI_SUCCESS;
  mpi_type_release(*made);
  *made = MPI_DATATYPE_NULL;
  return mpi_fail(call, MPI_ERR_NO_MEM, "no memory for what the type was made of; set host.memory");
}

void mpi_contents_free(struct mpi_type_contents* contents) {
  if (!contents) return;
  for (int i = 0; i < contents->types_count; ++i) mpi_type_release(contents->types[i]);
  free(contents->integers);
  free(contents->addresses);
  free(contents->types);
  free(contents);
}

/* ---- MPI_Type_get_envelope ---- */
int MPI_Type_get_envelope(MPI_Datatype type, int* integers, int* addresses, int* types, int* combiner) {
  static const char call[] = "MPI_Type_get_envelope";
  static const struct mpi_type_contents named = {.combiner = MPI_COMBINER_NAMED};
  MPI_TRY(mpi_check_lone_type(call, type));
  MPI_TRY(mpi_check_result(call, integers && addresses && types ? combiner : NULL));
  const struct mpi_type_contents* contents = type->contents ? type->contents : &named;
  *integers = contents->integers_count;
  *addresses = contents->addresses_count;
  *types = contents->types_count;
  *combiner = contents->combiner;
  return MPI_SUCCESS;
}

/* ---- MPI_Type_get_contents: its types are the program's to free ---- */
int MPI_Type_get_contents(MPI_Datatype type, int integers_most, int addresses_most, int types_most, int* integers,
                          MPI_Aint* addresses, MPI_Datatype* types) {
  static const char call[] = "MPI_Type_get_contents";
  MPI_TRY(mpi_check_lone_type(call, type));
  const struct mpi_type_contents* contents = type->contents;
  if (!contents) return mpi_fail(call, MPI_ERR_TYPE, "%s is predefined and has no contents", type->name);
  if (integers_most < contents->integers_count || addresses_most < contents->addresses_count ||
      types_most < contents->types_count)
    return mpi_fail(call, MPI_ERR_ARG, "there are %d integers, %d addresses, %d types; ask MPI_Type_get_envelope",
                    contents->integers_count, contents->addresses_count, contents->types_count);
  if (contents->integers_count > 0) MPI_TRY(mpi_check_result(call, integers));
  if (contents->addresses_count > 0) MPI_TRY(mpi_check_result(call, addresses));
  if (contents->types_count > 0) MPI_TRY(mpi_check_result(call, types));
  for (int i = 0; i < contents->integers_count; ++i) integers[i] = contents->integers[i];
  for (int i = 0; i < contents->addresses_count; ++i) addresses[i] = contents->addresses[i];
  for (int i = 0; i < contents->types_count; ++i) mpi_type_hold(types[i] = contents->types[i]);
  return MPI_SUCCESS;
}
