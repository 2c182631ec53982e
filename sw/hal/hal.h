/* The hardware abstraction layer: the whole interface of host software to the machine. One source of each library
 * runs on every CPU model that offers these calls; today `native`, where an image is a shared object of which each
 * instruction is counted.
 *
 * A rank sees ordinary memory through ordinary pointers; devices and other ranks it sees through these calls only.
 * Physical addresses of a node's memory and of its devices are uint64_t ("bus addresses").
 */
#ifndef SANVP_HAL_H
#define SANVP_HAL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define SANVP_NORETURN [[noreturn]]
extern "C" {
#else
#define SANVP_NORETURN _Noreturn
#endif

/* ---- identity ---- */
int hal_rank(void);  /* in this job; -1 in a driver */
int hal_ranks(void); /* of this job */
int hal_job(void);   /* jobs of a run are numbered from 0 */
int hal_node(void);
int hal_nodes(void);            /* of the machine */
int hal_rank_node(int rank);    /* where another rank of this job runs */
int hal_process(void);          /* number of this process among those of its node, from 0; -1 in a driver */
int hal_rank_process(int rank); /* the same of another rank, on its own node */

/* ---- random seeds ---- */
/* The seed of a generator of random numbers: by the run's --seed, job, rank and the consumer's name. Each
 * consumer has a generator of its own, so that one more does not shift the numbers of another. */
uint64_t hal_seed(const char* consumer);
uint64_t hal_job_seed(const char* consumer); /* the same in all ranks of a job */

/* ---- time ---- */
#define HAL_PS_PER_NS 1000ull
#define HAL_PS_PER_US 1000000ull
#define HAL_PS_PER_MS 1000000000ull
#define HAL_PS_PER_S 1000000000000ull
uint64_t hal_time_ps(void); /* simulated, this CPU's own */
/* CPU time in addition to that of the counted code (docs/cpu.md), for work that a program only states. */
void hal_compute_ps(uint64_t ps);
void hal_instructions(uint64_t count); /* the same by their number: host.instruction_time each */
void hal_memory_copied(size_t bytes);  /* a copy in main memory by the CPU: host.copy_rate */
void hal_sleep_ps(uint64_t ps);        /* yields the CPU for that long */
/* What is computed in between takes no time: a measuring program's checks of what it has received. No call of hal.h or
 * of a library but the C library may stand there. */
void hal_untimed_begin(void);
void hal_untimed_end(void);

/* ---- devices: uncached loads and stores over the I/O bus ---- */
/* The card of this machine's nodes, by the name of its part: "elan3", "lanai" ...; "" where they have none. */
const char* hal_card(void);
/* Ends the job with one line where the machine has another card than the one that a library is for. `call` is the
 * library's own that the program made. */
void hal_require_card(const char* call, const char* card);
uint64_t hal_device(int bar); /* bus address of the NIC's window; 0 where there is none */
uint32_t hal_read32(uint64_t address);
uint64_t hal_read64(uint64_t address);
void hal_write32(uint64_t address, uint32_t value);
void hal_write64(uint64_t address, uint64_t value);
/* Bursts: write-combined stores, and loads of consecutive words. */
void hal_write_block(uint64_t address, const void* from, size_t bytes);
void hal_read_block(uint64_t address, void* to, size_t bytes);

/* ---- memory ---- */
/* Bus address of this process's memory at `pointer`. A whole page is contiguous; across pages ask again. */
uint64_t hal_bus_address(const volatile void* pointer);
/* Whether bytes [pointer, pointer + bytes) are this process's memory: its heap, its globals, its stack. */
int hal_is_own(const volatile void* pointer, size_t bytes);
/* The piece of this process's memory that the byte at `pointer` lies in: all of its heap, of its stack, of its globals.
 * Returns its bytes, and in `begin` where it begins; 0 where the byte is none of its own. Where a piece lies differs
 * from run to run and from computer to computer: what costs simulated time is counted from its begin. */
size_t hal_region(const volatile void* pointer, void** begin);
/* This process's globals and static variables: `bytes` of them, in all processes of a program in the same order. */
void* hal_globals(size_t* bytes);
/* Memory that all processes of this job on this node see at the same address, zeroed; the same piece for the same
 * name. Null when the node's memory is full or the name is known with another size. */
void* hal_shared(const char* name, size_t bytes);

/* ---- waiting for memory: polling without simulation events ---- */
/* Sleeps until the word's line is written and *word differs from `seen`, or `until_ps` (UINT64_MAX: never).
 * Returns whether it differs. A device's write is noticed host.poll_latency later. */
int hal_wait_word(const volatile uint32_t* word, uint32_t seen, uint64_t until_ps);
/* Sleeps until any of the lines of these words is written, or `until_ps`. Returns at once where one differs. */
int hal_wait_words(const volatile uint32_t* const* words, const uint32_t* seen, int count, uint64_t until_ps);
/* To be called after a store that another process of the node (or its driver) may be waiting for. */
void hal_stored(const volatile void* pointer, size_t bytes);
/* Stores a word that other processes of the node look at, and wakes those that wait for it. A process that sees it sees
 * everything that this process stored before. */
void hal_store_word(volatile uint32_t* word, uint32_t value);

/* ---- nodes that die ---- */
/* The machine's monitoring tells the processes of a job of a node of theirs that has died or is cut off, fault.detect
 * after that. Whether this one knows of a node; a word that counts those it knows of, for hal_wait_words. A process
 * that knows of one and waits for longer than host.patience is ended, with its job and a message that names the node: a
 * library need not look, unless it can do better. */
int hal_is_dead(int node);
const volatile uint32_t* hal_deaths(void);
/* A library has found out by itself that a node does not answer: from now on it is dead for this process, whatever the
 * monitoring says. */
void hal_count_as_dead(int node);
/* A library ends its waits for dead nodes by itself: from now on host.patience limits no wait of this process. */
void hal_ends_waits_for_the_dead(void);

/* A library's progress hook while its process computes, run whenever that yields: serves requests of other processes.
 * Null: nothing. */
void hal_while_computing(void (*look)(void));
void hal_look_for_others(void); /* ... now, where it has not for long */

/* ---- the operating system ---- */
/* A call into the node's driver (driver.h); costs host.system_call. The driver's result; -1 where there is none. */
int64_t hal_ioctl(unsigned request, void* argument);
/* A parameter for software, `-s key=value`, such as "mpi.bcast"; `fallback` where it was not given. The other two
 * stand in the manifest. `key` is a string literal: those of all programs are known before they run. The text lives as
 * long as the process. */
const char* hal_setting(const char* key, const char* fallback, const char* documentation, const char* source);
/* Ends this process; the job goes on until all its processes have ended. Status 0: all is well. */
SANVP_NORETURN void hal_exit(int status);
/* Ends the whole job, wherever its other processes are. Status 0: all is well. */
SANVP_NORETURN void hal_end_job(int status);
/* Ends the job with a message of one line that names what is wrong and what to do. */
SANVP_NORETURN void hal_abort(const char* message);
/* A result: it stands in --json and stats.csv under this name, with its unit ("MB/s", "ns"; "" for a plain number). Of
 * one name the rank's last call counts; what several ranks tell is a column of ranks.csv, and its mean stands for the
 * job. */
void hal_metric(const char* name, double value, const char* unit);
/* Of a program that offers traffic: a message has arrived that was under way for that time; and the time that it
 * measures, after its warm-up. The run then says whether the traffic had settled by then, and how far its rate may be
 * off. They take no simulated time. */
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
/* Within such a call: it sleeps for an operation, begun by the call of this name, and for a rank; HAL_NO_RANK and
 * HAL_NO_TAG as above. */
void hal_call_waits_for(const char* name, int peer, int64_t tag);
/* The call that this process must make before its end, such as "MPI_Finalize"; null: made. A note names processes
 * that end without it. `call` lives as long as the process. */
void hal_owes(const char* call);
/* The program has sent a message to a rank of this job; a message to a rank has been received there, or cancelled. A
 * note reports those that are left when all processes have ended. */
void hal_message_sent(int to);
void hal_message_over(int to);
/* Within such a call: it has polled without success. A program that only polls, for
 * host.looks, counts as waiting: if all others wait, too, the run ends with a report of what each rank waits
 * for. Reading a clock restarts the count: the program may poll until a time. */
void hal_tested_without_progress(void);

#ifdef __cplusplus
}
#endif
#endif
