/* Error codes: the standard's, each of which is its own class, and above them the program's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/abi/mpi_error_texts.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/memory.h"

#define TEXT(code, meaning) [code] = #code ": " meaning,
static const char* const texts[MPI_ERR_LASTCODE + 1] = {MPI_ERROR_TEXTS(TEXT)};

/* ---- those of the program ---- */
struct own_code {
  int error_class;
  char text[MPI_MAX_ERROR_STRING];
};

struct own_codes {
  struct own_code* at; /* the first has the code FIRST_OWN */
  int count;
};

#define FIRST_OWN (MPI_ERR_LASTCODE + 1)

static struct own_codes* own_codes(void) {
  static struct own_codes all;
  return &all;
}

static struct own_code* own_code(int code) { return code < FIRST_OWN ? NULL : &own_codes()->at[code - FIRST_OWN]; }

int mpi_last_error_code(void) { return MPI_ERR_LASTCODE + own_codes()->count; }

const char* mpi_error_name(int code) {
  static char name[48];
  const char* const text = code >= 0 && code <= MPI_ERR_LASTCODE ? texts[code] : NULL;
  if (text)
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
  else
    snprintf(name, sizeof name, "MPI error %d", code);
  const struct own_code* const own = text ? NULL : own_code(code);
  if (own && own->error_class < FIRST_OWN) return mpi_error_name(own->error_class);
  return name;
}

static int check_code(const char* call, int code, const void* place) {
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, place));
  if (code < 0 || code > mpi_last_error_code())
    return mpi_fail(call, MPI_ERR_ARG, "there is no error %d; codes are 0..%d", code, mpi_last_error_code());
  return MPI_SUCCESS;
}

/* ---- MPI_Add_error_class, MPI_Add_error_code, MPI_Add_error_string ---- */
static int add(const char* call, int* code) {
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, code));
  struct own_codes* all = own_codes();
  all->at = mpi_larger_memory(all->at, ((size_t)all->count + 1) * sizeof *all->at);
  *code = FIRST_OWN + all->count++;
  *own_code(*code) = (struct own_code){.error_class = *code, .text = ""};
  return MPI_SUCCESS;
}

int mpi_error_code_of(int error_class, const char* text) {
  struct own_codes* all = own_codes();
  for (int i = 0; i < all->count; ++i)
    if (strcmp(all->at[i].text, text) == 0) return FIRST_OWN + i;
  all->at = mpi_larger_memory(all->at, ((size_t)all->count + 1) * sizeof *all->at);
  struct own_code* own = &all->at[all->count];
  own->error_class = error_class;
  snprintf(own->text, sizeof own->text, "%s", text);
  return FIRST_OWN + all->count++;
}

int MPI_Add_error_class(int* error_class) { return add("MPI_Add_error_class", error_class); }

int MPI_Add_error_code(int error_class, int* code) {
  MPI_TRY(check_code("MPI_Add_error_code", error_class, code));
  MPI_TRY(add("MPI_Add_error_code", code));
  own_code(*code)->error_class = error_class;
  return MPI_SUCCESS;
}

int MPI_Add_error_string(int code, const char* text) {
  MPI_TRY(check_code("MPI_Add_error_string", code, text));
  struct own_code* own = own_code(code);
  if (!own)
    return mpi_fail("MPI_Add_error_string", MPI_ERR_ARG,
                    "error %d is of the standard and has its text; make one with MPI_Add_error_code", code);
  snprintf(own->text, sizeof own->text, "%s", text);
  return MPI_SUCCESS;
}

/* ---- MPI_Error_class, MPI_Error_string ---- */
int MPI_Error_class(int code, int* error_class) {
  MPI_TRY(check_code("MPI_Error_class", code, error_class));
  const struct own_code* own = own_code(code);
  *error_class = own ? own->error_class : code;
  return MPI_SUCCESS;
}

int MPI_Error_string(int code, char* text, int* length) {
  MPI_TRY(check_code("MPI_Error_string", code, text && length ? text : NULL));
  const struct own_code* own = own_code(code);
  strcpy(text, own ? own->text : texts[code]);
  *length = (int)strlen(text);
  return MPI_SUCCESS;
}
