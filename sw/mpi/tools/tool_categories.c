/* MPI_T: categories of variables, one for the control variables and one for the performance variables. */
#include <string.h>

#include "sw/mpi/base/errors.h"
#include "sw/mpi/tools/tools.h"

enum { ALGORITHMS, MESSAGES, CATEGORIES };
static const char* const names[] = {"mpi.algorithms", "mpi.messages"};
static const char* const texts[] = {"algorithms of collective operations", "what a process sends and receives"};

static int check(int index) {
  MPI_TRY(mpi_tools_check());
  return index < 0 || index >= CATEGORIES ? MPI_T_ERR_INVALID_INDEX : MPI_SUCCESS;
}

int MPI_T_category_get_num(int* count) {
  MPI_TRY(mpi_tools_check());
  if (!count) return MPI_T_ERR_INVALID;
  *count = CATEGORIES;
  return MPI_SUCCESS;
}

int MPI_T_category_get_info(int index, char* name, int* name_length, char* text, int* text_length, int* controls,
                            int* counters, int* categories) {
  MPI_TRY(check(index));
  mpi_tools_text(names[index], name, name_length);
  mpi_tools_text(texts[index], text, text_length);
  if (controls) *controls = index == ALGORITHMS ? mpi_tools_controls() : 0;
  if (counters) *counters = index == MESSAGES ? mpi_tools_counters() : 0;
  if (categories) *categories = 0;
  return MPI_SUCCESS;
}

int MPI_T_category_get_index(const char* name, int* index) {
  MPI_TRY(mpi_tools_check());
  if (!name || !index) return MPI_T_ERR_INVALID;
  for (*index = 0; *index < CATEGORIES; ++*index)
    if (strcmp(names[*index], name) == 0) return MPI_SUCCESS;
  return MPI_T_ERR_INVALID_NAME;
}

/* A category has all variables of its kind. */
static int list(int index, int most, int* indices, int count) {
  MPI_TRY(check(index));
  if (most > 0 && !indices) return MPI_T_ERR_INVALID;
  for (int i = 0; i < count && i < most; ++i) indices[i] = i;
  return MPI_SUCCESS;
}

int MPI_T_category_get_cvars(int index, int most, int* indices) {
  return list(index, most, indices, index == ALGORITHMS ? mpi_tools_controls() : 0);
}

int MPI_T_category_get_pvars(int index, int most, int* indices) {
  return list(index, most, indices, index == MESSAGES ? mpi_tools_counters() : 0);
}

int MPI_T_category_get_categories(int index, int most, int* indices) { return list(index, most, indices, 0); }

/* Nothing changes while a program runs. */
int MPI_T_category_changed(int* stamp) {
  MPI_TRY(mpi_tools_check());
  if (!stamp) return MPI_T_ERR_INVALID;
  *stamp = 0;
  return MPI_SUCCESS;
}
