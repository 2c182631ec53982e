/* The environment as test suites check it: predefined attributes, versions, thread levels, names, time, and completion
 * in MPI_Finalize. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static int size, at_the_end[3], ended;

static int note_the_end(MPI_Comm comm, int key, void* value, void* extra) {
  int running;
  (void)key, (void)extra;
  MPI_Finalized(&running);
  if (comm != MPI_COMM_SELF || running) MPI_Abort(MPI_COMM_WORLD, 9);
  at_the_end[ended++] = (int)(size_t)value;
  return MPI_SUCCESS;
}

static int* attribute(int key, int* there) {
  int *value = NULL, *again = NULL, flag;
  MPI_Comm copy;
  MPI_Attr_get(MPI_COMM_WORLD, key, &value, there);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy); /* all communicators have them */
  MPI_Comm_get_attr(copy, key, &again, &flag);
  CHECK(flag == *there && again == value);
  MPI_Comm_free(&copy);
  return value;
}

static void attributes(void) {
  int there, *value = attribute(MPI_TAG_UB, &there), word = 3;
  CHECK(there && *value >= 32767);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, *value, &word, 1, MPI_INT, (rank + size - 1) % size, *value,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(word == (rank + size - 1) % size);
  value = attribute(MPI_HOST, &there);
  CHECK(there && (*value == MPI_PROC_NULL || (*value >= 0 && *value < size)));
  value = attribute(MPI_IO, &there);
  CHECK(there && (*value == MPI_ANY_SOURCE || *value == MPI_PROC_NULL || (*value >= 0 && *value < size)));
  value = attribute(MPI_WTIME_IS_GLOBAL, &there);
  CHECK(there && (*value == 0 || *value == 1));
  value = attribute(MPI_UNIVERSE_SIZE, &there);
  CHECK(!there || *value >= size);
  value = attribute(MPI_APPNUM, &there);
  CHECK(!there || *value >= 0);
  value = attribute(MPI_LASTUSEDCODE, &there);
  CHECK(there && *value >= MPI_ERR_LASTCODE);
}

static void names(void) {
  int version, subversion, length;
  char name[MPI_MAX_PROCESSOR_NAME + 1], library[MPI_MAX_LIBRARY_VERSION_STRING], host[256];
  char object[MPI_MAX_OBJECT_NAME + 1], again[MPI_MAX_OBJECT_NAME + 1];
  MPI_Comm comm, parent;
  MPI_Get_version(&version, &subversion);
  CHECK(version == MPI_VERSION && subversion == MPI_SUBVERSION);
  MPI_Get_library_version(library, &length);
  CHECK(length == (int)strlen(library) && length > 0 && length < MPI_MAX_LIBRARY_VERSION_STRING);
  memset(name, 'x', sizeof name);
  MPI_Get_processor_name(name, &length);
  CHECK(length == (int)strlen(name) && length > 0 && length < MPI_MAX_PROCESSOR_NAME);
  gethostname(host, sizeof host);
  CHECK(strcmp(host, name) == 0);
  MPI_Comm_get_name(MPI_COMM_WORLD, object, &length);
  CHECK(strcmp(object, "MPI_COMM_WORLD") == 0 && length == 14);
  MPI_Comm_get_name(MPI_COMM_SELF, object, &length);
  CHECK(strcmp(object, "MPI_COMM_SELF") == 0);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_get_name(comm, object, &length);
  CHECK(length == 0 && object[0] == '\0');
  memset(object, 'n', sizeof object);
  object[MPI_MAX_OBJECT_NAME - 1] = '\0';
  MPI_Comm_set_name(comm, object);
  MPI_Comm_get_name(comm, again, &length);
  CHECK(strcmp(object, again) == 0 && length == MPI_MAX_OBJECT_NAME - 1);
  MPI_Comm_set_name(comm, "short");
  MPI_Comm_get_name(comm, again, &length);
  CHECK(strcmp(again, "short") == 0 && length == 5);
  MPI_Comm_disconnect(&comm);
  CHECK(comm == MPI_COMM_NULL);
  MPI_Comm_get_parent(&parent);
  CHECK(parent == MPI_COMM_NULL);
}

static void threads_and_time(int provided) {
  int level, main_thread, started, over;
  MPI_Query_thread(&level);
  CHECK(level == provided && level >= MPI_THREAD_SINGLE && level <= MPI_THREAD_MULTIPLE);
  CHECK(MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED && MPI_THREAD_FUNNELED < MPI_THREAD_SERIALIZED);
  MPI_Is_thread_main(&main_thread);
  MPI_Initialized(&started);
  MPI_Finalized(&over);
  CHECK(main_thread && started && !over);
  const double before = MPI_Wtime(), tick = MPI_Wtick();
  CHECK(tick > 0 && tick < 1e-3);
  usleep(2000);
  const double slept = MPI_Wtime() - before;
  CHECK(slept >= 0.0019 && slept < 0.1);
  while (MPI_Wtime() - before < 0.003) continue; /* reading the clock takes time */
  MPI_Pcontrol(1, "anything");
}

static void memory(void) {
  int *place, keys;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "alloc_shared_noncontig", "true");
  MPI_Alloc_mem(1000 * (MPI_Aint)sizeof(int), info, &place);
  for (int i = 0; i < 1000; ++i) place[i] = rank;
  MPI_Bcast(place, 1000, MPI_INT, size - 1, MPI_COMM_WORLD);
  CHECK(place[0] == size - 1 && place[999] == size - 1);
  MPI_Free_mem(place);
  MPI_Info_free(&info);
  MPI_Info_get_nkeys(MPI_INFO_ENV, &keys);
  CHECK(keys >= 0);
}

int main(int argc, char** argv) {
  int provided, keys[3], started, over;
  MPI_Initialized(&started);
  MPI_Finalized(&over);
  if (started || over) return 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  attributes();
  names();
  threads_and_time(provided);
  memory();
  for (int i = 0; i < 3; ++i) {
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note_the_end, &keys[i], NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keys[i], (void*)(size_t)(i + 1));
    MPI_Comm_free_keyval(&keys[i]);
  }
  MPI_Finalize();
  MPI_Initialized(&started);
  MPI_Finalized(&over);
  if (!started || !over || ended != 3 || at_the_end[0] != 3 || at_the_end[2] != 1) return 2;
  if (rank == 0) printf("PASS environment on %d ranks\n", size);
  return 0;
}
