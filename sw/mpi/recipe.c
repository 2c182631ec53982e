/* What programs made their datatypes of. */
#include "sw/mpi/recipe.h"

#include <stdlib.h>
#include <string.h>

struct mpi_recipe {
  int combiner;
  int integers_count, addresses_count, types_count;
  int* integers;
  MPI_Aint* addresses;
  MPI_Datatype* types;
};

/* `list` with `more` elements behind its `count`; both are counted then. */
static void* extended(void* list, int* count, const void* elements, int more, size_t each) {
  const size_t old = (size_t)*count * each, added = more > 0 ? (size_t)more * each : 0;
  char* longer = realloc(list, old + added + 1);
  if (added > 0) memcpy(longer + old, elements, added);
  *count += more > 0 ? more : 0;
  return longer;
}

void mpi_recipe_begin(MPI_Datatype made, int combiner) {
  made->recipe = calloc(1, sizeof *made->recipe);
  made->recipe->combiner = combiner;
}

void mpi_recipe_integers(MPI_Datatype made, int count, const int* integers) {
  struct mpi_recipe* recipe = made->recipe;
  recipe->integers = extended(recipe->integers, &recipe->integers_count, integers, count, sizeof *integers);
}

void mpi_recipe_addresses(MPI_Datatype made, int count, const MPI_Aint* addresses) {
  struct mpi_recipe* recipe = made->recipe;
  recipe->addresses = extended(recipe->addresses, &recipe->addresses_count, addresses, count, sizeof *addresses);
}

void mpi_recipe_types(MPI_Datatype made, int count, const MPI_Datatype* types) {
  struct mpi_recipe* recipe = made->recipe;
  recipe->types = extended(recipe->types, &recipe->types_count, types, count, sizeof(MPI_Datatype));
  for (int i = 0; i < count; ++i) mpi_type_hold(types[i]);
}

void mpi_recipe_free(struct mpi_recipe* recipe) {
  if (!recipe) return;
  for (int i = 0; i < recipe->types_count; ++i) mpi_type_release(recipe->types[i]);
  free(recipe->integers);
  free(recipe->addresses);
  free(recipe->types);
  free(recipe);
}

static int check(const char* call, MPI_Datatype type) {
  MPI_TRY(mpi_check_running(call));
  return mpi_check_type(call, type);
}

/* ---- MPI_Type_get_envelope ---- */
int MPI_Type_get_envelope(MPI_Datatype type, int* integers, int* addresses, int* types, int* combiner) {
  static const char call[] = "MPI_Type_get_envelope";
  static const struct mpi_recipe named = {.combiner = MPI_COMBINER_NAMED};
  MPI_TRY(check(call, type));
  MPI_TRY(mpi_check_result(call, integers && addresses && types ? combiner : NULL));
  const struct mpi_recipe* recipe = type->recipe ? type->recipe : &named;
  *integers = recipe->integers_count;
  *addresses = recipe->addresses_count;
  *types = recipe->types_count;
  *combiner = recipe->combiner;
  return MPI_SUCCESS;
}

/* ---- MPI_Type_get_contents: its types are the program's to free ---- */
int MPI_Type_get_contents(MPI_Datatype type, int integers_most, int addresses_most, int types_most, int* integers,
                          MPI_Aint* addresses, MPI_Datatype* types) {
  static const char call[] = "MPI_Type_get_contents";
  MPI_TRY(check(call, type));
  const struct mpi_recipe* recipe = type->recipe;
  if (!recipe) return mpi_fail(call, MPI_ERR_TYPE, "%s is predefined and has no contents", type->name);
  if (integers_most < recipe->integers_count || addresses_most < recipe->addresses_count ||
      types_most < recipe->types_count)
    return mpi_fail(call, MPI_ERR_ARG, "there are %d integers, %d addresses, %d types; ask MPI_Type_get_envelope",
                    recipe->integers_count, recipe->addresses_count, recipe->types_count);
  for (int i = 0; i < recipe->integers_count; ++i) integers[i] = recipe->integers[i];
  for (int i = 0; i < recipe->addresses_count; ++i) addresses[i] = recipe->addresses[i];
  for (int i = 0; i < recipe->types_count; ++i) mpi_type_hold(types[i] = recipe->types[i]);
  return MPI_SUCCESS;
}
