/* Shared by the files of MPI-IO. */
#ifndef SANVP_MPI_FILE_H
#define SANVP_MPI_FILE_H

#include "sw/abi/hal/files.h"
#include "sw/mpi/base/object.h"
#include "sw/mpi/datatypes/datatype.h"
#include "sw/mpi/mpi_files.h"

/* ---- representations of data in a file (representation.c) ---- */
struct mpi_representation {
  const char* name;
  /* Bytes of one element in the file; 0, and a message for the program, if it cannot be there. */
  int (*bytes)(const struct mpi_representation* self, MPI_Datatype type, size_t* bytes);
  int (*to_file)(const struct mpi_representation* self, const void* from, size_t count, MPI_Datatype type, void* to);
  /* `bytes` of the file: fewer, perhaps, than the elements have. */
  int (*from_file)(const struct mpi_representation* self, const void* from, size_t bytes, void* to, MPI_Datatype type);
  int is_native;                      /* memory and file have the same bytes */
  struct mpi_own_representation* own; /* the program's */
};
const struct mpi_representation* mpi_representation_named(const char* name); /* null: no such name */
const struct mpi_representation* mpi_native_representation(void);
/* Factor from memory to file, as a fraction, of all displacements in a type. An MPI error where its elements have
 * different ones. */
struct mpi_ratio {
  size_t file, memory;
};
int mpi_representation_ratio(const struct mpi_representation* representation, MPI_Datatype type,
                             struct mpi_ratio* ratio);

/* ---- views (view.c) ---- */
/* The file as a process sees it: from `displacement` on, copies of a tile with data as the file type has them. */
struct mpi_view {
  MPI_Offset displacement;
  MPI_Datatype etype, filetype;
  const struct mpi_representation* representation;
  size_t etype_bytes;     /* in the file */
  struct mpi_ratio ratio; /* of the file type */
  uint64_t bytes, extent; /* of a tile: data, and from one to the next */
};
/* The offset in the file of byte `position` of the view's data. */
uint64_t mpi_view_offset(const struct mpi_view* view, uint64_t position);
/* The parts of the file that hold bytes [position, position + bytes) of the view's data, in order; adjacent ones are
 * one. To be freed. */
struct mpi_spans {
  struct hal_file_span* all;
  size_t count;
};
struct mpi_spans mpi_view_spans(const struct mpi_view* view, uint64_t position, uint64_t bytes);
/* How many of the view's data bytes lie before this byte of the file. */
uint64_t mpi_view_position(const struct mpi_view* view, uint64_t offset);
void mpi_view_default(struct mpi_view* view);
void mpi_view_free(struct mpi_view* view);

/* ---- files ---- */
enum mpi_cb { CB_AUTOMATIC, CB_ENABLE, CB_DISABLE };
struct mpi_hints {
  int cb_nodes;           /* aggregators of collective accesses; 0: one on each node */
  int64_t cb_buffer_size; /* bytes that each of them has at a time */
  int cb[2];              /* enum mpi_cb, of HAL_FILE_READ and HAL_FILE_WRITE */
};
enum mpi_split {
  SPLIT_NONE,
  SPLIT_READ_AT,
  SPLIT_WRITE_AT,
  SPLIT_READ,
  SPLIT_WRITE,
  SPLIT_READ_ORDERED,
  SPLIT_WRITE_ORDERED
};

struct MPI_file_ {
  struct mpi_object object;
  MPI_Comm comm; /* the program's, duplicated */
  int descriptor, mode, atomic;
  char* name;
  struct MPI_errhandler_* handler;
  struct mpi_view view;
  uint64_t position; /* of the own pointer, in bytes of the view's data */
  uint64_t first;    /* of both pointers, when the file was opened */
  struct mpi_hints hints;
  int shared; /* descriptor of the file that holds the shared pointer; -1: it could not be opened */
  char* shared_name;
  enum mpi_split split;
  MPI_Status split_status;
  struct MPI_file_* next; /* among the free ones */
};

/* ---- errors (file_errors.c): for the file's handler; null: that of MPI_FILE_NULL. Returns the code ---- */
int mpi_file_fail(MPI_File file, const char* call, int code, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
/* Reports a call of POSIX that failed with this errno. */
int mpi_file_fail_errno(MPI_File file, const char* call, int error, const char* what);
int mpi_error_of_errno(int error);
int mpi_check_file(const char* call, MPI_File file);
struct MPI_errhandler_* mpi_file_default_handler(void);

/* ---- accesses (access.c) ---- */
struct mpi_access {
  const char* call;
  MPI_File file;
  enum hal_file_way way;
  uint64_t position; /* in bytes of the view's data */
  void* buffer;      /* only read where `way` is HAL_FILE_WRITE */
  int count;
  MPI_Datatype type;
  uint64_t bytes; /* in the file; mpi_access_check sets it */
};
/* What an access has moved, and when its last request ends. */
struct mpi_moved {
  int error;
  size_t bytes; /* of memory */
  uint64_t end_ps;
};
/* The access of a call, from its arguments `file`, `buffer`, `count` and `type`. */
#define MPI_ACCESS_READ(name)                                                                        \
  (struct mpi_access) {                                                                              \
    .call = name, .file = file, .way = HAL_FILE_READ, .buffer = buffer, .count = count, .type = type \
  }
#define MPI_ACCESS_WRITE(name)                                                                               \
  (struct mpi_access) {                                                                                      \
    .call = name, .file = file, .way = HAL_FILE_WRITE, .buffer = (void*)buffer, .count = count, .type = type \
  }
/* Arguments, mode of the file. */
int mpi_access_check(struct mpi_access* access);
/* Offset of the program in etypes. */
int mpi_access_place(struct mpi_access* access, MPI_Offset offset);
/* The file's bytes of the elements: the buffer itself, or a copy to be freed; null: an error, in `error`. For a read it
 * is to be filled. */
char* mpi_access_staging(const struct mpi_access* access, int* error);
/* `bytes` of a read are in the staging: they go into the buffer, and it is freed. */
struct mpi_moved mpi_access_finish(const struct mpi_access* access, char* staging, uint64_t bytes);
struct mpi_moved mpi_access_move(const struct mpi_access* access);
/* Makes the access, waits, fills in the status. */
int mpi_access_make(const struct mpi_access* access, MPI_Status* status);
int mpi_access_make_all(const struct mpi_access* access, MPI_Status* status); /* collective: two_phase.c */
int mpi_access_start(const struct mpi_access* access, MPI_Request* request);
/* Reads or writes parts of the file: bytes, or -errno. Their requests are made; *end_ps gets the end of the last. */
int64_t mpi_file_move(MPI_File file, enum hal_file_way way, char* data, const struct hal_file_span* spans, size_t count,
                      uint64_t* end_ps);

/* ---- the shared pointer (shared_pointer.c), in bytes of the view's data ----
 * Adds to it; returns an error, and its old value. */
int mpi_shared_add(const char* call, MPI_File file, uint64_t bytes, uint64_t* before);
int mpi_shared_set(const char* call, MPI_File file, uint64_t position);
int mpi_shared_reset(const char* call, MPI_File file); /* to 0, where it has been used */
void mpi_shared_make(MPI_File file);                   /* the first process */
void mpi_shared_open(MPI_File file);                   /* collective, behind that */
void mpi_shared_close(MPI_File file);                  /* collective */
/* Collective, in the order of ranks: sets the access's position. */
int mpi_shared_order(struct mpi_access* access);

/* ---- hints (hints.c) ---- */
int mpi_hints_read(const char* call, MPI_File file, MPI_Info info);

/* A whence of seek calls. */
int mpi_seek_target(const char* call, MPI_File file, MPI_Offset offset, int whence, uint64_t current, uint64_t* to);

#endif
