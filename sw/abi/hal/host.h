/* Between a native image and the simulator that has loaded it: a table of calls, handed over once. Images link hal.c,
 * which turns hal.h into calls of this table, so an image needs no symbol of the simulator, and the simulator has no
 * global "current rank": each image's copy of `hal_host_calls` is its own.
 *
 * An image is a shared object, loaded once per process, so that each process has its own globals. Its exports:
 *   hal_attach         every image (hal.c)
 *   hal_run_main       a program (run_main.c)
 *   hal_run_constructors its constructors, if they were left out when it was loaded
 *   hal_driver_*       a driver (driver.h)
 *   elan3_thread_main  firmware of the Elan3's thread processor (elan3_thread.h)
 */
#ifndef SANVP_HAL_HOST_H
#define SANVP_HAL_HOST_H

/* NOLINTBEGIN(modernize-deprecated-headers,modernize-use-using): C */
#include <stddef.h>
#include <stdint.h>
/* NOLINTEND(modernize-deprecated-headers,modernize-use-using) */

#ifdef __cplusplus
extern "C" {
#endif

/* Changes with this table, and with the interface between drivers and libraries of images. */
#define HAL_ABI_VERSION 24u

/* The processor's registers where code yielded: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 ... r15. */
struct hal_registers {
  uint64_t general[16];
};

struct hal_checked_call; /* arguments.h */

/* `self` is the simulator's own object for the process. */
struct hal_calls {
  uint64_t (*time_ps)(void* self);
  void (*compute_ps)(void* self, uint64_t ps);
  void (*instructions)(void* self, uint64_t count);
  void (*memory_copied)(void* self, size_t bytes);
  /* A call of the C library reads memory in up to two places, writes it in one (null: none), and computes for so
   * long. */
  void (*walked)(void* self, const void* one, const void* other, const void* written, size_t bytes, int64_t price_ps);
  void (*sleep_ps)(void* self, uint64_t ps);

  uint64_t (*device)(void* self, int bar);
  void (*io_read)(void* self, uint64_t address, void* to, size_t bytes);
  void (*io_write)(void* self, uint64_t address, const void* from, size_t bytes);

  uint64_t (*bus_address)(void* self, const volatile void* pointer);
  int (*is_own)(void* self, const volatile void* pointer, size_t bytes);
  size_t (*region)(void* self, const volatile void* pointer, void** begin);
  void* (*shared)(void* self, const char* name, size_t bytes);
  /* The heap behind malloc and friends (heap.c): memory of the node that only this process uses. */
  void* (*allocate)(void* self, size_t bytes, size_t alignment);
  int (*release)(void* self, void* pointer);              /* 0: it is no block, or freed, or written over */
  size_t (*usable_size)(void* self, const void* pointer); /* 0: not of this heap */

  int (*wait_words)(void* self, const volatile uint32_t* const* words, const uint32_t* seen, int count,
                    uint64_t until_ps);
  void (*stored)(void* self, const volatile void* pointer, size_t bytes);
  void (*store_word)(void* self, volatile uint32_t* word, uint32_t value);

  int64_t (*ioctl)(void* self, unsigned request, void* argument);
  const char* (*setting)(void* self, const char* key, const char* fallback, const char* documentation,
                         const char* source);
  void (*exit)(void* self, int status);           /* does not return */
  void (*end_job)(void* self, int status);        /* does not return */
  void (*abort)(void* self, const char* message); /* does not return */
  void (*output)(void* self, int is_error, const char* text, size_t bytes);
  void (*metric)(void* self, const char* name, double value, const char* unit);
  void (*trace)(void* self, const char* name); /* null: the end of the innermost slice */
  void (*call_begin)(void* self, const char* name, int peer, int64_t tag, uint64_t bytes);
  void (*call_end)(void* self);
  void (*call_waits_for)(void* self, const char* name, int peer, int64_t tag);
  void (*tested_without_progress)(void* self);
  void (*owes)(void* self, const char* call);
  void (*message_sent)(void* self, int to, uint64_t tag, uint64_t bytes);
  void (*receive_posted)(void* self, uint64_t receive, int from, uint64_t tag, uint64_t mask);
  void (*message_over)(void* self, int from, int to, uint64_t tag, uint64_t receive);
  /* Whether the program's own code, and no library's, is at work, and its library has not looked for others for long.
   */
  int (*may_look)(void* self);
  /* The quantum is used up, in a loop or at the entry of a function; `returns_to` is behind the call of sanvp_give_way.
   * Returns whether the program's own code runs there, not a library's. */
  int (*gave_way)(void* self, const struct hal_registers* registers, const void* returns_to);
  /* A loop that only reads memory has seen no change: returns when that has been written, or at `until_ps`. */
  int (*spun)(void* self, const struct hal_registers* registers, const void* returns_to, uint64_t until_ps);
  /* The process has changed its working folder, file mask or locale: they are its own, and change with it. */
  void (*surroundings_changed)(void* self);
  /* Whether the simulator has this descriptor open. */
  int (*keeps_descriptor)(void* self, int descriptor);
  /* The signals, 1 << number, that the program handles or ignores. */
  void (*signals_handled)(void* self, uint64_t signals);
  /* By the run's seed and this name, of the process or of all its job. */
  uint64_t (*seed)(void* self, int of_job, const char* consumer);
  void (*accepted)(void* self, double bytes, uint64_t from_ps, uint64_t until_ps);
  void (*measures)(void* self, uint64_t from_ps, uint64_t until_ps);
  /* Whether the machine's monitoring has told this process that a node is dead; where to count such nodes. */
  int (*is_dead)(void* self, int node);
  void (*watch_deaths)(void* self, volatile uint32_t* word);
  /* The process itself has detected that a node does not answer. */
  void (*count_as_dead)(void* self, int node);
  /* Its library ends waits for dead nodes by itself. */
  void (*ends_own_waits)(void* self);
  /* A request to this node's disk, made now: an enum hal_file_way, and bytes of a file, which any number tells from
   * others. Returns when it ends, and does not wait; 0: there is no disk. */
  uint64_t (*disk)(void* self, int way, uint64_t file, uint64_t begin, uint64_t bytes);
  /* Sleeps until the end of such a request. */
  void (*disk_wait)(void* self, uint64_t until_ps);
  /* A call of the program, for the run's checker. */
  int (*check)(void* self, const struct hal_checked_call* call);
  /* For a run that is recorded: an enum hal_recorded (recorded.h). */
  void (*record)(void* self, int what, uint64_t request, unsigned peer, uint64_t tag, uint64_t bytes);
};

/* The price of a call of the C library, on this machine's CPU (library_costs.h). */
struct hal_library_price {
  int64_t call_ps;
  int64_t unit_fs; /* of each byte, or other unit */
};

struct hal_host {
  uint32_t version; /* HAL_ABI_VERSION */
  void* self;       /* the first argument of every call */

  /* Constant for the process. */
  int rank, ranks, job, node, nodes, process; /* ranks: with io_servers */
  const int* rank_nodes;                      /* [ranks] */
  const int* rank_processes;                  /* [ranks] */
  const char* card;                           /* "": none */
  int files;                                  /* enum hal_files (files.h): the cost model of file accesses */
  int io_servers;    /* the last so many ranks serve files (sw/io); they are none of the program's */
  int64_t io_stripe; /* bytes of a file on one of them, then the next ones are on the next */

  int checks;  /* whether calls are checked (hal_check) */
  int records; /* whether messages are recorded */

  const struct hal_calls* calls;           /* the same of all processes */
  const struct hal_library_price* library; /* [HAL_LIBRARY_CALLS] of library.h */
  /* For drivers alone; null elsewhere. */
  const struct hal_kernel* kernel;
};

struct hal_identity; /* driver.h */

struct hal_kernel {
  /* Loads a firmware image by name for the NIC's processor; its number, or -1. */
  int (*load_firmware)(void* self, const char* name);
  /* Ends the job of a process of this node (hal_process()) with this text: the hardware refused an operation. */
  void (*kill)(void* self, int process, const char* message);
  /* A node does not answer a process of this node. Returns whether the process can continue without it: it is told
   * then. */
  int (*lose_node)(void* self, int process, int node);
  /* Why firmware trapped last: its name and the reason. */
  void (*firmware_complaint)(void* self, char* text, size_t room);
  int (*process_count)(void* self);
  void (*process_identity)(void* self, int process, struct hal_identity* to);
  uint64_t (*process_memory)(void* self, int process, uint64_t address, size_t bytes);
  int (*process_read)(void* self, int process, void* to, uint64_t address, size_t bytes);
  int (*process_write)(void* self, int process, uint64_t address, const void* from, size_t bytes);
  void (*grant)(void* self, int process, uint64_t bus_address, size_t bytes);
  void (*revoke)(void* self, int process, uint64_t bus_address, size_t bytes);
};

/* Exported by every image. */
extern const uint32_t hal_abi_version; /* HAL_ABI_VERSION of its time */
extern int64_t* sanvp_counter;         /* spent.c */
void hal_attach(const struct hal_host* host);

#ifdef __cplusplus
}
#endif
#endif
