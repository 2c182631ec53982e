/* MPI's files (MPI-3.1, chapter 13). */
#ifndef SANVP_MPI_FILES_H
#define SANVP_MPI_FILES_H

#include "sw/mpi/mpi_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- values ---- */
typedef struct MPI_file_* MPI_File;
#define MPI_FILE_NULL ((MPI_File)0)
enum {
  MPI_MODE_RDONLY = 1,
  MPI_MODE_RDWR = 2,
  MPI_MODE_WRONLY = 4,
  MPI_MODE_CREATE = 8,
  MPI_MODE_EXCL = 16,
  MPI_MODE_DELETE_ON_CLOSE = 32,
  MPI_MODE_UNIQUE_OPEN = 64,
  MPI_MODE_SEQUENTIAL = 128,
  MPI_MODE_APPEND = 256
};
enum { MPI_SEEK_SET, MPI_SEEK_CUR, MPI_SEEK_END };
#define MPI_DISPLACEMENT_CURRENT (-54278278ll)
#define MPI_CONVERSION_FN_NULL ((MPI_Datarep_conversion_function*)0)

typedef void MPI_File_errhandler_function(MPI_File* file, int* code, ...);
typedef MPI_File_errhandler_function MPI_File_errhandler_fn;
typedef int MPI_Datarep_extent_function(MPI_Datatype type, MPI_Aint* extent, void* extra);
typedef int MPI_Datarep_conversion_function(void* user, MPI_Datatype type, int count, void* data, MPI_Offset position,
                                            void* extra);

/* ---- life, and what a file is: open.c, size.c, hints.c ---- */
int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file);
int MPI_File_close(MPI_File* file);
int MPI_File_delete(const char* name, MPI_Info info);
int MPI_File_set_size(MPI_File file, MPI_Offset bytes);
int MPI_File_preallocate(MPI_File file, MPI_Offset bytes);
int MPI_File_get_size(MPI_File file, MPI_Offset* bytes);
int MPI_File_get_group(MPI_File file, MPI_Group* group);
int MPI_File_get_amode(MPI_File file, int* mode);
int MPI_File_set_info(MPI_File file, MPI_Info info);
int MPI_File_get_info(MPI_File file, MPI_Info* info);
int MPI_File_set_atomicity(MPI_File file, int flag);
int MPI_File_get_atomicity(MPI_File file, int* flag);
int MPI_File_sync(MPI_File file);

/* ---- views: view.c; representations of data: representation.c ---- */
int MPI_File_set_view(MPI_File file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
                      const char* representation, MPI_Info info);
int MPI_File_get_view(MPI_File file, MPI_Offset* displacement, MPI_Datatype* etype, MPI_Datatype* filetype,
                      char* representation);
int MPI_File_get_byte_offset(MPI_File file, MPI_Offset offset, MPI_Offset* displacement);
int MPI_File_get_type_extent(MPI_File file, MPI_Datatype type, MPI_Aint* extent);
int MPI_Register_datarep(const char* representation, MPI_Datarep_conversion_function* read,
                         MPI_Datarep_conversion_function* write, MPI_Datarep_extent_function* extent, void* extra);

/* ---- at an offset: at_offset.c ---- */
int MPI_File_read_at(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type, MPI_Status* status);
int MPI_File_read_at_all(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type,
                         MPI_Status* status);
int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype type,
                      MPI_Status* status);
int MPI_File_write_at_all(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype type,
                          MPI_Status* status);
int MPI_File_iread_at(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type,
                      MPI_Request* request);
int MPI_File_iwrite_at(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype type,
                       MPI_Request* request);
int MPI_File_iread_at_all(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type,
                          MPI_Request* request);
int MPI_File_iwrite_at_all(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype type,
                           MPI_Request* request);

/* ---- at the process's own pointer: at_pointer.c ---- */
int MPI_File_read(MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Status* status);
int MPI_File_read_all(MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Status* status);
int MPI_File_write(MPI_File file, const void* buffer, int count, MPI_Datatype type, MPI_Status* status);
int MPI_File_write_all(MPI_File file, const void* buffer, int count, MPI_Datatype type, MPI_Status* status);
int MPI_File_iread(MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Request* request);
int MPI_File_iwrite(MPI_File file, const void* buffer, int count, MPI_Datatype type, MPI_Request* request);
int MPI_File_iread_all(MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Request* request);
int MPI_File_iwrite_all(MPI_File file, const void* buffer, int count, MPI_Datatype type, MPI_Request* request);
int MPI_File_seek(MPI_File file, MPI_Offset offset, int whence);
int MPI_File_get_position(MPI_File file, MPI_Offset* offset);

/* ---- at the pointer that all share: at_shared_pointer.c ---- */
int MPI_File_read_shared(MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Status* status);
int MPI_File_write_shared(MPI_File file, const void* buffer, int count, MPI_Datatype type, MPI_Status* status);
int MPI_File_iread_shared(MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Request* request);
int MPI_File_iwrite_shared(MPI_File file, const void* buffer, int count, MPI_Datatype type, MPI_Request* request);
int MPI_File_read_ordered(MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Status* status);
int MPI_File_write_ordered(MPI_File file, const void* buffer, int count, MPI_Datatype type, MPI_Status* status);
int MPI_File_seek_shared(MPI_File file, MPI_Offset offset, int whence);
int MPI_File_get_position_shared(MPI_File file, MPI_Offset* offset);

/* ---- collective in two calls: split.c ---- */
int MPI_File_read_at_all_begin(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type);
int MPI_File_read_at_all_end(MPI_File file, void* buffer, MPI_Status* status);
int MPI_File_write_at_all_begin(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype type);
int MPI_File_write_at_all_end(MPI_File file, const void* buffer, MPI_Status* status);
int MPI_File_read_all_begin(MPI_File file, void* buffer, int count, MPI_Datatype type);
int MPI_File_read_all_end(MPI_File file, void* buffer, MPI_Status* status);
int MPI_File_write_all_begin(MPI_File file, const void* buffer, int count, MPI_Datatype type);
int MPI_File_write_all_end(MPI_File file, const void* buffer, MPI_Status* status);
int MPI_File_read_ordered_begin(MPI_File file, void* buffer, int count, MPI_Datatype type);
int MPI_File_read_ordered_end(MPI_File file, void* buffer, MPI_Status* status);
int MPI_File_write_ordered_begin(MPI_File file, const void* buffer, int count, MPI_Datatype type);
int MPI_File_write_ordered_end(MPI_File file, const void* buffer, MPI_Status* status);

/* ---- errors: file_errors.c; handles of Fortran: fortran_handles.c ---- */
int MPI_File_create_errhandler(MPI_File_errhandler_function* function, MPI_Errhandler* handler);
int MPI_File_set_errhandler(MPI_File file, MPI_Errhandler handler);
int MPI_File_get_errhandler(MPI_File file, MPI_Errhandler* handler);
int MPI_File_call_errhandler(MPI_File file, int code);
MPI_Fint MPI_File_c2f(MPI_File file);
MPI_File MPI_File_f2c(MPI_Fint number);

#ifdef __cplusplus
}
#endif
#endif
