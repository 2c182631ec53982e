/* The cost of file accesses (docs/files.md), for the files of hal/, and for libraries that access files by themselves.
 * The contents of files are those of the simulating computer; here accesses take their time. */
#ifndef SANVP_HAL_FILES_H
#define SANVP_HAL_FILES_H

/* NOLINTBEGIN(modernize-deprecated-headers,modernize-use-using): C */
#include <stddef.h>
#include <stdint.h>
/* NOLINTEND(modernize-deprecated-headers,modernize-use-using) */

#ifdef __cplusplus
extern "C" {
#endif

enum hal_files { HAL_FILES_FREE, HAL_FILES_ON_DISK, HAL_FILES_ON_IO_NODES };
enum hal_file_way { HAL_FILE_READ, HAL_FILE_WRITE, HAL_FILE_SYNC }; /* as host::Disk::Way */

int hal_files_take_time(void);

/* ---- in two steps, for a library that does other work meanwhile ----
 * Moves parts of a file, one after the other in memory, at one instant: no other process of the job sees some of them
 * moved. Takes no time. Returns the bytes moved, up to the file's end, or -errno if none were. */
struct hal_file_span {
  uint64_t begin, bytes;
};
int64_t hal_file_move(int descriptor, enum hal_file_way way, void* data, const struct hal_file_span* spans,
                      size_t count);
/* Adds to a number, which is the file's whole contents; an empty file counts as `first`. Like the above. Returns 0 or
 * -errno. */
int hal_file_add(int descriptor, uint64_t first, uint64_t more, uint64_t* before);
/* The request that moves them on this machine, made now: when it ends (hal_time_ps); 0: at once. Files other than
 * regular ones take no time. */
uint64_t hal_file_begin(int descriptor, enum hal_file_way way, uint64_t begin, uint64_t bytes);
void hal_file_wait(uint64_t end_ps);

/* ---- I/O nodes: a library that reaches them ----
 * From now on it makes the requests of this process: returns when the request has been served. */
/* NOLINTNEXTLINE(modernize-use-using): C */
typedef void hal_file_carrier(enum hal_file_way way, uint64_t file, uint64_t begin, uint64_t bytes);
void hal_files_go_through(hal_file_carrier* carrier);
/* A request to this node's own disk, as hal_file_begin. */
uint64_t hal_disk_begin(enum hal_file_way way, uint64_t file, uint64_t begin, uint64_t bytes);
int hal_io_servers(void); /* the number of the job's last ranks that serve files and do not run the program */
uint64_t hal_io_stripe(void);

#ifdef __cplusplus
}
#endif
#endif
