/* Mistakes with files, one by name, where the handler ends the job. */
#include "tests/images/mpi_check.h"

#define NAME "mpi_file_mistakes.data"

static MPI_File opened(int mode) {
  MPI_File file;
  EXPECT(MPI_File_open(MPI_COMM_WORLD, NAME, mode | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file) == MPI_SUCCESS);
  return file;
}

static void no_file(void) {
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "no/such", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
}

static void read_only(void) {
  MPI_File file = opened(MPI_MODE_WRONLY | MPI_MODE_CREATE), second;
  char byte = 0;
  MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_RDONLY, MPI_INFO_NULL, &second);
  MPI_File_close(&file);
  MPI_File_write_at(second, 0, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void two_ways(void) { opened(MPI_MODE_RDONLY | MPI_MODE_RDWR); }

static void closed(void) {
  MPI_File file = opened(MPI_MODE_WRONLY | MPI_MODE_CREATE), stale = file;
  MPI_Offset size;
  MPI_File_close(&file);
  MPI_File_get_size(stale, &size);
}

static void not_begun(void) {
  char byte;
  MPI_File_read_all_end(opened(MPI_MODE_RDWR | MPI_MODE_CREATE), &byte, MPI_STATUS_IGNORE);
}

static void decreasing(void) {
  const int lengths[] = {1, 1}, offsets[] = {2, 0};
  MPI_Datatype type;
  MPI_Type_indexed(2, lengths, offsets, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_File_set_view(opened(MPI_MODE_RDWR | MPI_MODE_CREATE), 0, MPI_INT, type, "native", MPI_INFO_NULL);
}

static void uncommitted(void) {
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_File_set_view(opened(MPI_MODE_RDWR | MPI_MODE_CREATE), 0, MPI_INT, type, "native", MPI_INFO_NULL);
}

static const struct {
  const char* name;
  void (*make)(void);
} mistakes[] = {{"no_file", no_file},     {"read_only", read_only},   {"two_ways", two_ways},      {"closed", closed},
                {"not_begun", not_begun}, {"decreasing", decreasing}, {"uncommitted", uncommitted}};

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "before_init") == 0) MPI_File_delete(NAME, MPI_INFO_NULL);
  begin(&argc, &argv);
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i)
    if (argc > 1 && strcmp(argv[1], mistakes[i].name) == 0) mistakes[i].make();
  return finish();
}
