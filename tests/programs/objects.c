/* Objects of MPI as test suites check them: attributes, infos, errors of the program, contents of datatypes, names. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int size;

/* ---- attributes ---- */
static int copies, deleted, last_deleted;
static int copy_next(MPI_Comm comm, int key, void* extra, void* value, void* copied, int* flag) {
  (void)comm, (void)key, (void)extra;
  *(void**)copied = (char*)value + 1;
  *flag = 1;
  ++copies;
  return MPI_SUCCESS;
}
static int count_deletion(MPI_Comm comm, int key, void* value, void* extra) {
  void* there;
  int flag;
  (void)extra;
  MPI_Comm_get_attr(comm, key, &there, &flag);
  CHECK(flag && there == value);
  ++deleted;
  last_deleted = (int)(size_t)value;
  return MPI_SUCCESS;
}
static int refuse(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value;
  return *(int*)extra;
}
/* Some delete attributes that are about to be replaced. */
static int delete_it_as_well(MPI_Comm comm, int key, void* value, void* extra) {
  int* calls = extra;
  (void)value;
  return (*calls)++ == 0 ? MPI_Comm_delete_attr(comm, key) : MPI_SUCCESS;
}
static int copy_of_type(MPI_Datatype type, int key, void* extra, void* value, void* copied, int* flag) {
  (void)type, (void)key;
  ++*(int*)extra;
  *(void**)copied = value;
  *flag = 1;
  return MPI_SUCCESS;
}

static void attributes(void) {
  int keys[3], refusing, error = MPI_ERR_OTHER, flag, type_key, type_copies = 0;
  void* value;
  MPI_Comm comm, second;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int i = 0; i < 3; ++i) {
    MPI_Comm_create_keyval(copy_next, count_deletion, &keys[i], NULL);
    MPI_Comm_set_attr(comm, keys[i], (void*)(size_t)(10 * i));
  }
  MPI_Comm_dup(comm, &second);
  MPI_Comm_get_attr(second, keys[1], &value, &flag);
  CHECK(copies == 3 && flag && value == (void*)11);
  MPI_Comm_free(&second);
  MPI_Comm_free(&comm);
  CHECK(deleted == 6 && last_deleted == 0); /* the last one set is deleted first */
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Keyval_create(MPI_DUP_FN, refuse, &refusing, &error);
  MPI_Attr_put(comm, refusing, NULL);
  CHECK(MPI_Attr_delete(comm, refusing) == MPI_ERR_OTHER && MPI_Comm_free(&comm) == MPI_ERR_OTHER);
  error = MPI_SUCCESS;
  MPI_Comm_free(&comm);

  int key, calls = 0;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_it_as_well, &key, &calls);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, &key);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, &calls);
  MPI_Comm_get_attr(MPI_COMM_SELF, key, &value, &flag);
  CHECK(flag && value == &calls && calls == 2);

  /* A freed key disappears when no object has a value under it. */
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, count_deletion, &key, NULL);
  MPI_Comm_set_attr(comm, key, &key);
  const int freed = key;
  deleted = 0;
  MPI_Comm_free_keyval(&key);
  MPI_Comm_dup(comm, &second);
  CHECK(key == MPI_KEYVAL_INVALID && MPI_Comm_get_attr(second, freed, &value, &flag) == MPI_SUCCESS && flag);
  CHECK(MPI_Comm_delete_attr(second, freed) == MPI_SUCCESS && deleted == 1);
  MPI_Comm_free(&second);
  int again = freed;
  CHECK(MPI_Comm_free_keyval(&again) == MPI_SUCCESS && again == MPI_KEYVAL_INVALID); /* one handle of two */
  MPI_Comm_free(&comm);
  CHECK(deleted == 2);
  again = freed;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(MPI_Comm_free_keyval(&again) == MPI_ERR_KEYVAL);

  MPI_Datatype type, other;
  MPI_Type_create_keyval(copy_of_type, MPI_TYPE_NULL_DELETE_FN, &type_key, &type_copies);
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Type_set_attr(type, type_key, &type_copies);
  MPI_Type_dup(type, &other);
  MPI_Type_get_attr(other, type_key, &value, &flag);
  CHECK(type_copies == 1 && flag && value == &type_copies);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(MPI_Attr_put(MPI_COMM_WORLD, type_key, NULL) == MPI_ERR_KEYVAL);
  MPI_Type_free(&type);
  MPI_Type_free(&other);
  MPI_Type_free_keyval(&type_key);
  CHECK(type_key == MPI_KEYVAL_INVALID);
}

/* ---- infos ---- */
static void infos(void) {
  MPI_Info info, other;
  char text[MPI_MAX_INFO_VAL + 1], wanted[32], key[MPI_MAX_INFO_KEY + 1];
  int flag, count, length;
  MPI_Info_create(&info);
  for (int i = 0; i < 100; ++i) {
    sprintf(key, "key %d", i);
    sprintf(text, "value %d", i);
    MPI_Info_set(info, key, "another one");
    MPI_Info_set(info, key, text);
  }
  MPI_Info_delete(info, "key 0");
  MPI_Info_dup(info, &other);
  MPI_Info_free(&info);
  CHECK(info == MPI_INFO_NULL);
  MPI_Info_get_nkeys(other, &count);
  CHECK(count == 99);
  for (int i = 0; i < count; ++i) {
    MPI_Info_get_nthkey(other, i, key);
    MPI_Info_get(other, key, MPI_MAX_INFO_VAL, text, &flag);
    sprintf(wanted, "value %d", i + 1);
    CHECK(flag && strcmp(text, wanted) == 0);
  }
  MPI_Info_get(other, "key 50", 3, text, &flag); /* truncated */
  CHECK(flag && strcmp(text, "val") == 0);
  MPI_Info_get_valuelen(other, "key 50", &length, &flag);
  CHECK(flag && length == (int)strlen("value 50"));
  MPI_Info_get_valuelen(other, "key 0", &length, &flag);
  CHECK(!flag);
  CHECK(MPI_Info_delete(other, "key 0") == MPI_ERR_INFO_NOKEY && MPI_Info_get_nthkey(other, 99, key) == MPI_ERR_ARG);
  memset(key, 'k', sizeof key);
  memset(text, 'v', sizeof text);
  key[MPI_MAX_INFO_KEY] = text[MPI_MAX_INFO_VAL] = '\0'; /* one character too long: the constants include the null */
  CHECK(MPI_Info_set(other, key, "value") == MPI_ERR_INFO_KEY && MPI_Info_set(other, "", "v") == MPI_ERR_INFO_KEY);
  CHECK(MPI_Info_set(other, "long", text) == MPI_ERR_INFO_VALUE);
  CHECK(MPI_Info_set(other, "nothing", NULL) == MPI_ERR_INFO_VALUE);
  CHECK(MPI_Info_set(other, "empty", "") == MPI_SUCCESS);
  MPI_Info_get_valuelen(other, "empty", &length, &flag);
  CHECK(flag && length == 0);
  key[MPI_MAX_INFO_KEY - 1] = text[MPI_MAX_INFO_VAL - 1] = '\0';
  CHECK(MPI_Info_set(other, key, text) == MPI_SUCCESS);
  MPI_Info_get_valuelen(other, key, &length, &flag);
  CHECK(flag && length == MPI_MAX_INFO_VAL - 1);
  MPI_Info_free(&other);
}

/* ---- handles as integers: each number is of one kind only ---- */
static void numbers(void) {
  const MPI_Fint comm = MPI_Comm_c2f(MPI_COMM_WORLD), type = MPI_Type_c2f(MPI_INT);
  CHECK(MPI_Comm_f2c(comm) == MPI_COMM_WORLD && MPI_Type_f2c(type) == MPI_INT);
  CHECK(MPI_Comm_f2c(type) == MPI_COMM_NULL && MPI_Type_f2c(comm) == MPI_DATATYPE_NULL);
}

/* ---- errors of the program ---- */
static void errors(void) {
  int class, code, of, length, *last, flag;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Add_error_class(&class);
  MPI_Add_error_code(class, &code);
  MPI_Add_error_string(code, "no more dragons");
  MPI_Error_class(code, &of);
  MPI_Error_string(code, text, &length);
  CHECK(class > MPI_ERR_LASTCODE && of == class && strcmp(text, "no more dragons") == 0 && length == 15);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
  CHECK(flag && *last == code);
  CHECK(MPI_Error_class(code + 1, &of) == MPI_ERR_ARG && MPI_Add_error_string(MPI_ERR_TAG, "mine") == MPI_ERR_ARG);
  for (code = 0; code <= MPI_ERR_LASTCODE; ++code) CHECK(MPI_Error_string(code, text, &length) == 0 && length > 0);
}

/* ---- datatypes: their constructors; distributed arrays ---- */
static void contents(void) {
  int integers[8], counts[3], combiner, lengths[] = {1, 2};
  MPI_Aint addresses[4], offsets[] = {0, 8};
  MPI_Datatype vector, structure, types[2];
  MPI_Type_vector(3, 2, 4, MPI_DOUBLE, &vector);
  types[0] = MPI_INT;
  types[1] = vector;
  MPI_Type_create_struct(2, lengths, offsets, types, &structure);
  MPI_Type_free(&vector); /* the structure keeps it */
  MPI_Type_get_envelope(structure, &counts[0], &counts[1], &counts[2], &combiner);
  CHECK(counts[0] == 3 && counts[1] == 2 && counts[2] == 2 && combiner == MPI_COMBINER_STRUCT);
  CHECK(MPI_Type_get_contents(structure, 8, 4, 2, integers, NULL, types) == MPI_ERR_ARG);
  CHECK(MPI_Type_get_contents(structure, 8, 4, 2, NULL, addresses, types) == MPI_ERR_ARG);
  CHECK(MPI_Type_get_contents(structure, 8, 4, 2, integers, addresses, NULL) == MPI_ERR_ARG);
  MPI_Type_get_contents(structure, 8, 4, 2, integers, addresses, types);
  CHECK(integers[0] == 2 && integers[2] == 2 && addresses[1] == 8 && types[0] == MPI_INT);
  MPI_Type_free(&structure);
  MPI_Type_get_envelope(types[1], &counts[0], &counts[1], &counts[2], &combiner);
  MPI_Type_get_contents(types[1], 8, 0, 2, integers, NULL, types); /* there are no addresses */
  CHECK(combiner == MPI_COMBINER_VECTOR && integers[1] == 2 && integers[2] == 4 && types[0] == MPI_DOUBLE);
  MPI_Type_free(&types[1]);
  CHECK(MPI_Type_get_contents(MPI_INT, 8, 4, 2, integers, addresses, types) == MPI_ERR_TYPE);
}

/* Rows in pairs, cyclically to two processes; columns in halves. */
static void dealt_out(void) {
  enum { ROWS = 7, COLUMNS = 6 };
  const int sizes[] = {ROWS, COLUMNS}, how[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK}, grid[] = {2, 2};
  const int blocks[] = {2, MPI_DISTRIBUTE_DFLT_DARG};
  int all[ROWS * COLUMNS], part[ROWS * COLUMNS], bytes, taken = 0;
  MPI_Aint lower, extent;
  for (int i = 0; i < ROWS * COLUMNS; ++i) all[i] = i;
  for (int process = 0; process < 4; ++process) {
    MPI_Datatype type;
    int position = 0;
    MPI_Type_create_darray(4, process, 2, sizes, how, blocks, grid, MPI_ORDER_C, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_size(type, &bytes);
    MPI_Type_get_extent(type, &lower, &extent);
    CHECK(lower == 0 && extent == (MPI_Aint)sizeof all);
    MPI_Pack(all, 1, type, part, sizeof part, &position, MPI_COMM_SELF);
    CHECK(position == bytes);
    for (int i = 0; i < bytes / (int)sizeof(int); ++i, ++taken) {
      const int row = part[i] / COLUMNS, column = part[i] % COLUMNS;
      CHECK(row / 2 % 2 * 2 + column / 3 == process && (i == 0 || part[i] > part[i - 1]));
    }
    MPI_Type_free(&type);
  }
  CHECK(taken == ROWS * COLUMNS);
}

int main(int argc, char** argv) {
  int provided, level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Query_thread(&level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(provided == MPI_THREAD_FUNNELED && level == provided);
  attributes();
  infos();
  numbers();
  errors();
  contents();
  dealt_out();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("PASS objects on %d ranks\n", size);
  return MPI_Finalize();
}
