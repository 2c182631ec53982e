/* The hardware abstraction layer: the whole interface of host software to the machine. One source of each library
 * runs on every CPU model that offers these calls; today `native`, where an image is a shared object of which each
 * instruction is counted.
 *
 * A rank sees ordinary memory through ordinary pointers; devices and other ranks it sees through these calls only.
 * Physical addresses of a node's memory and of its devices are uint64_t ("bus addresses"). They need not be the
 * process's own addresses, and there is no way back from one to a pointer: code that gives a device one remembers
 * the pointer.
 */
#ifndef SANVP_HAL_H
#define SANVP_HAL_H

/* NOLINTBEGIN(modernize-deprecated-headers): C */
#include <stddef.h>
#include <stdint.h>
/* NOLINTEND(modernize-deprecated-headers) */

#ifdef __cplusplus
#define SANVP_NORETURN [[noreturn]]
extern "C" {
#else
#define SANVP_NORETURN _Noreturn
#endif

/* ---- identity ---- */
int hal_rank(void);  /* in this job; -1 in a driver */
int hal_ranks(void); /* of this job */
/* The same, and the servers of files that the machine runs for the job on its I/O nodes (sw/io). They are numbered
 * behind the ranks: what a transport connects. */
int hal_job_processes(void);
int hal_job(void); /* the jobs of a run are numbered from 0 */
int hal_node(void);
int hal_nodes(void);            /* of the machine */
int hal_rank_node(int rank);    /* where another rank of this job runs */
int hal_process(void);          /* number of this process among those of its node, from 0; -1 in a driver */
int hal_rank_process(int rank); /* the same for another rank, on its own node */

/* ---- random seeds ---- */
/* The seed of a generator of random numbers: by the run's --seed, job, rank and the consumer's name. Each
 * consumer has a separate generator, so that a new consumer does not shift the numbers of others. */
uint64_t hal_seed(const char* consumer);
uint64_t hal_job_seed(const char* consumer); /* the same in all ranks of a job */

/* ---- time ---- */
#define HAL_PS_PER_NS 1000ull
#define HAL_PS_PER_US 1000000ull
#define HAL_PS_PER_MS 1000000000ull
#define HAL_PS_PER_S 1000000000000ull
uint64_t hal_time_ps(void); /* simulated, on this CPU */
/* CPU time in addition to that of the counted code (docs/cpu.md), for work that a program declares but does not do. */
void hal_compute_ps(uint64_t ps);
void hal_instructions(uint64_t count); /* the same as a number of instructions: host.instruction_time each */
void hal_memory_copied(size_t bytes);  /* a copy in main memory by the CPU: host.copy_rate */
void hal_sleep_ps(uint64_t ps);        /* yields the CPU for that long */
/* Computation in between takes no time, such as a measuring program's checks of received data. Only calls of the C
 * library are permitted there, none of hal.h or other libraries. */
void hal_untimed_begin(void);
void hal_untimed_end(void);

/* ---- devices: uncached loads and stores over the I/O bus ---- */
/* The card of this machine's nodes, by the name of its part: "elan3", "lanai" ...; "" if they have none. */
const char* hal_card(void);
/* Ends the job with one line if the machine does not have the card that a library requires. `call` is the library's
 * call that the program made. */
void hal_require_card(const char* call, const char* card);
uint64_t hal_device(int bar); /* bus address of the NIC's window; 0 if there is none */
uint32_t hal_read32(uint64_t address);
uint64_t hal_read64(uint64_t address);
void hal_write32(uint64_t address, uint32_t value);
void hal_write64(uint64_t address, uint64_t value);
/* Bursts: write-combined stores, and loads of consecutive words. A process reaches only those parts of the card that
 * the driver has granted to it (driver.h), everything where the card has no driver; another access ends it. */
void hal_write_block(uint64_t address, const void* from, size_t bytes);
void hal_read_block(uint64_t address, void* to, size_t bytes);

/* ---- memory ---- */
/* Bus address of this process's memory at `pointer`. Memory is contiguous in bus addresses over a whole region, as
 * hal_region gives it, so one bus address stands for a whole buffer; and a page's bus address is a multiple of its
 * size.
 */
uint64_t hal_bus_address(const volatile void* pointer);
/* Whether bytes [pointer, pointer + bytes) are this process's memory: its heap, its globals, its stack. */
int hal_is_own(const volatile void* pointer, size_t bytes);
/* The region of this process's memory that contains the byte at `pointer`: its whole heap, stack or globals. Returns
 * the region's size, and its start in `begin`; 0 if the byte is not this process's. Addresses of regions differ from
 * run to run and from computer to computer, so costs in simulated time must depend on offsets from the start only. */
size_t hal_region(const volatile void* pointer, void** begin);
/* This process's globals and static variables: `bytes` of them, in the same order in all processes of a program. */
void* hal_globals(size_t* bytes);
/* Its constants, and what else of the program nothing writes: the same bytes in all processes of a program. */
const void* hal_constants(size_t* bytes);
/* Memory that all processes of this job on this node see at the same address, zeroed; the same piece for the same
 * name. Null when the node's memory is full or the name is known with another size. */
void* hal_shared(const char* name, size_t bytes);

/* ---- waiting for memory: polling without simulation events ---- */
/* Sleeps until the word's line is written and *word differs from `seen`, or `until_ps` (UINT64_MAX: never).
 * Returns whether it differs. A device's write is noticed host.poll_latency later. */
int hal_wait_word(const volatile uint32_t* word, uint32_t seen, uint64_t until_ps);
/* Sleeps until any of the lines of these words is written, or `until_ps`. Returns at once if a word differs. */
int hal_wait_words(const volatile uint32_t* const* words, const uint32_t* seen, int count, uint64_t until_ps);
/* To be called after a store that another process of the node (or its driver) may be waiting for. */
void hal_stored(const volatile void* pointer, size_t bytes);
/* Stores a word that other processes of the node read, and wakes those that wait for it. A process that sees it also
 * sees everything that this process stored before. */
void hal_store_word(volatile uint32_t* word, uint32_t value);

/* ---- nodes that die ---- */
/* The machine's monitoring notifies the processes of a job when one of its nodes has died or is cut off, fault.detect
 * later. These return whether this process has been notified of a node, and a word that counts such nodes, for
 * hal_wait_words. If a notified process waits for longer than host.patience, its job ends with a message that names the
 * node, so a library need not check unless it can do better. */
int hal_is_dead(int node);
const volatile uint32_t* hal_deaths(void);
/* A library has detected by itself that a node does not answer: from now on it is dead for this process, whatever the
 * monitoring reports. */
void hal_count_as_dead(int node);
/* A library ends its waits for dead nodes by itself: from now on host.patience limits no wait of this process. */
void hal_ends_waits_for_the_dead(void);

/* A library's progress hook while its process computes, run whenever that yields: serves requests of other processes.
 * Null: nothing. */
void hal_while_computing(void (*look)(void)); /* NOLINT(modernize-redundant-void-arg): C */
void hal_look_for_others(void);               /* ... now, if it has not run for long */

/* ---- threads ---- */
/* From now on several threads of this process may make calls of its libraries (hal_call_begin) at once: they have their
 * turns, and hal_wait_words lets others in. Returns 0, and changes nothing, where a process is one thread: in an image.
 */
int hal_serve_threads(void);
#ifdef __riscv
#define HAL_HAS_THREADS 1
#else
#define HAL_HAS_THREADS 0 /* code for threads is left out */
#endif
/* For libraries, where that has returned 1: waits let no other thread in while `*word` is `value`, since the library is
 * in the midst of a change; and each thread has its own contents of some memory, which are 0 when it comes in. */
void hal_threads_alone_while(const int* word, int value);
void hal_threads_own(void* memory, size_t bytes);
/* What this call has done may be what another thread waits for. Threads that wait look again when a call ends; after
 * this, also before it waits itself. */
void hal_threads_tell(void); /* NOLINT(modernize-redundant-void-arg): C */
/* Whether the caller is the thread that runs main. */
int hal_is_first_thread(void);

/* ---- the operating system ---- */
/* A call into the node's driver (driver.h); costs host.system_call. Returns the driver's result; -1 without a driver.
 * A request's number contains the size of its argument, as Linux's _IOWR does, and the driver gets a copy of so many
 * bytes, which then come back. An argument is a struct of members with fixed widths; addresses of the process's memory
 * are uint64_t (hal_address). It begins with the driver's reason to refuse, a text: empty without a driver. */
#define HAL_REQUEST(number, type) ((int)sizeof(type) << 16 | (number)) /* number: 16 bits, type: less than 32 KiB */
#define HAL_REQUEST_BYTES(request) ((request) >> 16)
#define HAL_ERROR_BYTES 128
int64_t hal_ioctl(unsigned request, void* argument);
/* The process's own address of its memory, as drivers take it. */
static inline uint64_t hal_address(const volatile void* pointer) { return (uintptr_t)pointer; }
/* A parameter for software, `-s key=value`, such as "mpi.bcast"; `fallback` if it was not given. The other two
 * arguments appear in the manifest. `key` is a string literal, so that the keys of all programs are known before they
 * run. The text lives as long as the process. */
const char* hal_setting(const char* key, const char* fallback, const char* documentation, const char* source);
/* A declaration that tells `sanvp describe` of a setting of a library: literals, in the section .sanvp.settings of the
 * image. The section is not loaded (its flags are empty; the compiler's own stand behind #), so that it moves no
 * address. */
#define HAL_SETTING_TOLD(key, fallback, documentation, source)                                          \
  static const char told_setting[] __attribute__((section(".sanvp.settings,\"\",@progbits #"), used)) = \
      key "\n" fallback "\n" documentation "\n" source
/* Both. */
#define HAL_SETTING(key, fallback, documentation, source)   \
  ({                                                        \
    HAL_SETTING_TOLD(key, fallback, documentation, source); \
    hal_setting(key, fallback, documentation, source);      \
  })
/* Ends this process; the job goes on until all its processes have ended. Status 0: success. */
SANVP_NORETURN void hal_exit(int status);
/* Ends the whole job, wherever its other processes are. Status 0: success. */
SANVP_NORETURN void hal_end_job(int status);
/* Ends the job with a message of one line: what is wrong, and what to do. */
SANVP_NORETURN void hal_abort(const char* message);
/* A result, in --json and stats.csv under this name and with its unit ("MB/s", "ns"; "" for a plain number). The rank's
 * last call with a name counts. Results of several ranks are a column of ranks.csv, and their mean is the job's. */
void hal_metric(const char* name, double value, const char* unit);
/* For programs that offer traffic: a message has arrived, which was under way during that time; and the window that the
 * program measures, after its warm-up. The run reports whether the traffic was in steady state by then, and the error
 * of its rate. They take no simulated time. */
void hal_accepted(size_t bytes, uint64_t from_ps, uint64_t until_ps);
void hal_measures(uint64_t from_ps, uint64_t until_ps);
/* The ends of a slice in `--trace`, on this CPU's track; they nest. */
void hal_trace_begin(const char* name);
void hal_trace_end(void);
/* The ends of a call of a library by the program: for --profile, --trace, and for reports of what each rank waits for.
 * They take no simulated time. A library may call others: the outermost call counts. `name` lives as long as the
 * process; `peer` is a rank, or HAL_NO_RANK; `tag` is HAL_NO_TAG
 * where there is none. */
#define HAL_NO_RANK (-1)
#define HAL_NO_TAG (-1)
void hal_call_begin(const char* name, int peer, int64_t tag, uint64_t bytes);
void hal_call_end(void);
/* The same in one block, for a library that calls functions of the program, such as handlers of errors: what those
 * throw ends the call, too. An image throws nothing. */
#ifdef __riscv
static inline void hal_call_leave(const int* is_under_way) {
  if (*is_under_way) hal_call_end();
}
#define HAL_CALL_BEGIN(name, peer, tag, bytes)                    \
  int is_under_way_ __attribute__((cleanup(hal_call_leave))) = 1; \
  hal_call_begin(name, peer, tag, bytes)
#define HAL_CALL_END() is_under_way_ = 0, hal_call_end()
#else
#define HAL_CALL_BEGIN(name, peer, tag, bytes) hal_call_begin(name, peer, tag, bytes)
#define HAL_CALL_END() hal_call_end()
#endif
/* Within such a call: it sleeps for an operation, begun by the call of this name, and for a rank; HAL_NO_RANK and
 * HAL_NO_TAG as above. */
void hal_call_waits_for(const char* name, int peer, int64_t tag);
/* The call that this process must make before its end, such as "MPI_Finalize"; null: made. A note names processes
 * that end without it. `call` lives as long as the process. */
void hal_owes(const char* call);
/* Messages of the program within this job, by ranks and by tags that tell communicators apart: sent; a receive begins,
 * which takes a message whose tag is the same under the mask, from a rank or from any (HAL_NO_RANK); its message is the
 * program's, or a send is cancelled (receive 0), or a receive is (from HAL_NO_RANK). `receive` tells those under way
 * apart. A note reports messages that are left when all processes have ended, the report of a hang those that no
 * receive takes. */
void hal_message_sent(int to, uint64_t tag, uint64_t bytes);
void hal_receive_posted(uint64_t receive, int from, uint64_t tag, uint64_t mask);
void hal_message_over(int from, int to, uint64_t tag, uint64_t receive);
/* A call of a library by the program, as a checker in the simulator sees it (`sanvp run --check-mpi`): at its begin,
 * and at its end. The checker reads this process's memory, and writes nothing. */
enum hal_check_what { HAL_CHECK_BEGIN, HAL_CHECK_END, HAL_CHECK_LAYOUT };
struct hal_checked_call {
  uint64_t id;        /* tells it from others that are under way: the stack pointer of its caller */
  uint64_t name;      /* address of a text that lives as long as the process */
  uint64_t place;     /* where it returns to */
  uint64_t thread;    /* tells threads apart */
  uint64_t arguments; /* address of so many uint64_t: integers, sign-extended, and addresses */
  int32_t count;
  int32_t what;   /* enum hal_check_what */
  int64_t result; /* at its end */
};
int hal_checks(void); /* whether this run checks */
/* Takes no simulated time. Returns whether the checker must have HAL_CHECK_LAYOUT first: what the library's objects
 * look like. */
int hal_check(const struct hal_checked_call* call);
/* Within such a call: it has polled without success. A program that only polls, for
 * host.looks, counts as waiting: if all others wait, too, the run ends with a report of what each rank waits
 * for. Reading a clock restarts the count: the program may poll until a time. */
void hal_tested_without_progress(void);

#ifdef __cplusplus
}
#endif
#endif
