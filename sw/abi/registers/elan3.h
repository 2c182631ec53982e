/* Elan3 as software sees it: windows, registers, and the records it keeps in memory. Plain C: host software, firmware
 * and the models include this file, and its numbers are in no other file.
 *
 * Names, offsets and layouts: FACTS.md 1.2, 1.3 and 1.5. Details that the facts leave open are marked (A), assumed.
 * All records are little-endian, as the Alpha hosts are. Elan addresses are 32 bits, virtual, per context.
 */
#ifndef SANVP_ELAN3_REGISTERS_H
#define SANVP_ELAN3_REGISTERS_H
/* NOLINTBEGIN(modernize-*): C */

#include <stdint.h>

typedef uint32_t e3_addr; /* an Elan virtual address */

/* ---- PCI windows (base address registers) ---- */
#define E3_BAR_SDRAM 0   /* the card's memory, from its physical address 0 */
#define E3_BAR_COMMAND 1 /* command ports, one page per context */
#define E3_BAR_REGISTERS 2
#define E3_BAR_ROM 3 /* starts with struct e3_position (A): what a driver of the time found by probing the network */
#define E3_BARS 4

#define E3_SDRAM_BYTES (64u << 20)
#define E3_REGISTER_BYTES 0x6000u
#define E3_ROM_BYTES 0x100000u

/* ---- command port: a store of an Elan address is a command ---- */
#define E3_COMMAND_PAGE 0x2000u /* per context */
#define E3_CP_PUT_DMA 0x00u     /* e3_addr of a struct e3_dma */
#define E3_CP_GET_DMA 0x08u
#define E3_CP_RUN_THREAD 0x10u  /* e3_addr of a struct e3_thread */
#define E3_CP_WAIT_EVENT0 0x20u /* e3_addr of a struct e3_wait_event0 */
#define E3_CP_WAIT_EVENT1 0x28u /* e3_addr of a struct e3_event, wait count 1 (A) */
#define E3_CP_SET_EVENT 0x30u   /* e3_addr of a struct e3_event */

/* ---- registers (offsets in E3_BAR_REGISTERS) ---- */
#define E3_REG_DMA_STATUS 0x2a04u
#define E3_REG_COMMAND_STATUS 0x2a08u
#define E3_REG_THREAD_STATUS 0x2a0cu
#define E3_REG_INPUT_STATUS 0x2a10u   /* four words: channel 0 user, 0 system, 1 user, 1 system */
#define E3_REG_SCHEDULE 0x2a50u       /* E3_SCHEDULE_... */
#define E3_REG_INTERRUPT 0x2a58u      /* read: pending interrupts; write: clears the bits written */
#define E3_REG_INTERRUPT_MASK 0x2a60u /* bits of the interrupts that reach the host */
#define E3_REG_LINK_ERROR 0x2a68u
#define E3_REG_LINK_STATE 0x2a78u
#define E3_REG_TRAP_BASE 0x2ba0u     /* SDRAM address of E3_TRAP_RECORDS struct e3_trap */
#define E3_REG_CONTEXT_TABLE 0x2ba4u /* SDRAM address of struct e3_context [contexts] */
#define E3_REG_CONTEXTS 0x2ba8u      /* number of contexts */
#define E3_REG_FLUSH_TLB 0x2bacu     /* a write invalidates the TLB (A) */
#define E3_REG_RESUME 0x2bb0u        /* a write of E3_TRAP_... lets that unit retry the operation that trapped (A) */
#define E3_RESUME_DROP \
  (1u << 8) /* with it: drop the operation; an input channel answers it once with E3_ACK_ERROR (A) */
#define E3_REG_EVENT_COOKIE 0x2bb4u /* oldest cookie of an event interrupt; reading takes it from the queue (A) */
#define E3_REG_QUEUE_STATUS 0x2d80u /* depth of the DMA run queue, low 16 bits, and the thread run queue, high */
#define E3_REG_COUNTERS 0x4000u     /* 8 statistics of 4 bytes */
#define E3_REG_CLOCK_LOW 0x4040u    /* nanoseconds */
#define E3_REG_CLOCK_HIGH 0x4044u

/* The units that the driver has stopped (A: the positions of the bits). A unit that has become idle raises its
 * interrupt. */
#define E3_SCHEDULE_HALT_DMA (1u << 0)       /* E3_INT_DMA_HALTED */
#define E3_SCHEDULE_HALT_THREAD (1u << 1)    /* E3_INT_THREAD_HALTED */
#define E3_SCHEDULE_STOP_COMMAND (1u << 2)   /* commands wait in their queue */
#define E3_SCHEDULE_DISCARD_USER (1u << 3)   /* packets for user contexts; E3_INT_DISCARD_USER */
#define E3_SCHEDULE_DISCARD_SYSTEM (1u << 4) /* E3_INT_DISCARD_SYSTEM */

#define E3_INT_INPUT_CH0_USER (1u << 0)
#define E3_INT_INPUT_CH0_SYSTEM (1u << 1)
#define E3_INT_INPUT_CH1_USER (1u << 2)
#define E3_INT_INPUT_CH1_SYSTEM (1u << 3)
#define E3_INT_DMA_TRAP (1u << 4)
#define E3_INT_COMMAND_TRAP (1u << 5)
#define E3_INT_THREAD_TRAP (1u << 6)
#define E3_INT_DISCARD_SYSTEM (1u << 7)
#define E3_INT_DISCARD_USER (1u << 8)
#define E3_INT_DMA_HALTED (1u << 9)
#define E3_INT_THREAD_HALTED (1u << 10)
#define E3_INT_COMMAND_HALF_FULL (1u << 11)
#define E3_INT_LINK_ERROR (1u << 12)
#define E3_INT_EVENT (1u << 13)
#define E3_INT_ECC (1u << 14)
#define E3_INT_PCI (1u << 15)

/* The card's position in its network, and which parts of the network work (A). */
#define E3_MOST_LEVELS 20u
struct e3_position {
  uint32_t magic; /* E3_POSITION_MAGIC */
  uint32_t node;
  uint32_t nodes;
  uint32_t arity; /* of the fat tree; 0: another network */
  uint32_t levels;
  uint32_t has_broadcast; /* one root leads down to all nodes */
  uint32_t path_bytes;    /* of a row of the table after this record; 0: no table, up adaptively and down by digits */
  uint32_t wide_ports;    /* 1: a switch has more ports than an Elite, so routes are E3_ELEMENT_WIDE (A) */
  uint8_t broadcast_up[E3_MOST_LEVELS]; /* by level, the up port (0..arity-1) towards that root */
};
#define E3_POSITION_MAGIC 0xe3905171u
/* The table has a row of whole words for each node: the number of switches on the route to it (0: no route), then for
 * each switch the output port, or E3_PATH_ADAPTIVE. */
#define E3_PATH_ADAPTIVE 0xffu
#define E3_MOST_PATH_BYTES 32u

/* ---- records in memory ---- */

/* DMA descriptor, 32 bytes, aligned to 32. Source and destination are those of the data: for a READ the far
 * process and this one, and the far node executes the descriptor as a write. */
struct e3_dma {
  uint32_t type; /* E3_DMA_TYPE(...) */
  uint32_t size; /* bytes, less than 2^31 */
  e3_addr source;
  e3_addr dest;
  e3_addr dest_event;        /* 0: none */
  uint32_t dest_cookie_proc; /* cookie << 16 | virtual process */
  e3_addr src_event;         /* 0: none */
  uint32_t src_cookie_proc;
};
#define E3_DMA_ALIGN 32u
#define E3_DMA_MOST_BYTES 0x7fffffffu

/* type: 1..0 element type, 4..2 direction, 8..5 opcode, 14..9 fail count, 15 issued remotely, 28..16 context */
#define E3_DMA_BYTE 0u /* element types only determine how bytes are swapped between hosts of different endianness */
#define E3_DMA_WORD 2u
#define E3_DMA_WRITE (0u << 2)
#define E3_DMA_READ_REQUEUE (1u << 2)
#define E3_DMA_READ (3u << 2)
#define E3_DMA_READ_BROADCAST (7u << 2)
#define E3_DMA_DIRECTION_MASK (7u << 2)
#define E3_DMA_QUEUED (1u << 5)    /* dest is a struct e3_input_queue */
#define E3_DMA_BROADCAST (1u << 6) /* dest virtual process is a broadcast one */
#define E3_DMA_UNSAFE (1u << 7)    /* no identify transactions: cannot be recovered */
#define E3_DMA_FAIL_COUNT_SHIFT 9
#define E3_DMA_FAIL_COUNT_MASK (0x3fu << E3_DMA_FAIL_COUNT_SHIFT)
#define E3_DMA_REMOTE (1u << 15)
#define E3_DMA_CONTEXT_SHIFT 16
#define E3_DMA_CONTEXT_MASK (0x1fffu << E3_DMA_CONTEXT_SHIFT)
#define E3_DMA_TYPE(element, direction, opcode, fails) \
  ((uint32_t)(element) | (uint32_t)(direction) | (uint32_t)(opcode) | ((uint32_t)(fails) << E3_DMA_FAIL_COUNT_SHIFT))
#define E3_DMA_RETRIES 8u /* the kernel's reload value of the fail count */

#define E3_COOKIE_PROC(cookie, process) (((uint32_t)(cookie) << 16) | ((uint32_t)(process)&0xffffu))
#define E3_COOKIE_STEP 4u   /* bits 1..0: origin of the cookie */
#define E3_COOKIE_THREAD 1u /* the thread processor */
#define E3_COOKIE_REMOTE 2u /* another node */

/* Event, 8 bytes, aligned to 8, in SDRAM. Set-event decrements the count; at zero or below the event fires: it executes
 * the action `type` once, and the count stays. A fresh event has count 1. type 0: no action. */
struct e3_event {
  int32_t count;
  uint32_t type;
};
/* The same with a block that is copied when it fires, 16 bytes. source bit 0: one word instead of 64 bytes. */
struct e3_block_event {
  int32_t count;
  uint32_t type; /* E3_EVENT_COPY | the action after the copy */
  e3_addr source;
  e3_addr dest;
};
#define E3_EVENT_COPY 1u
#define E3_EVENT_CHAIN(event) ((e3_addr)(event))                      /* ..00: another event, aligned to 8 */
#define E3_EVENT_INTERRUPT(cookie) (((uint32_t)(cookie) << 4) | 0x2u) /* .010 */
#define E3_EVENT_DMA(dma) ((e3_addr)(dma) | 0x6u)                     /* 0110: a struct e3_dma, aligned to 32 */
#define E3_EVENT_THREAD(thread) ((e3_addr)(thread) | 0xeu)            /* 1110: a struct e3_thread, aligned to 32 */
#define E3_EVENT_ACTION(type) ((type) & ~E3_EVENT_COPY)
#define E3_EVENT_COPY_WORD 1u /* in `source` */
#define E3_COPY_BLOCK_BYTES 64u

struct e3_wait_event0 {
  e3_addr event;
  int32_t count; /* added to the event's count; if the result is zero or below, the event fires at once */
};

/* Input queue: the far end of queued DMAs and of the packets of a thread. */
struct e3_input_queue {
  uint32_t state;        /* E3_QUEUE_FULL, E3_QUEUE_LOCKED */
  e3_addr back;          /* slot for the next packet */
  uint32_t slot_bytes;   /* 64, 128, ... 320 */
  e3_addr top;           /* address of the last slot */
  e3_addr base;          /* address of the first slot */
  e3_addr front;         /* slot that the reader takes next */
  struct e3_event event; /* set for each packet */
};
#define E3_QUEUE_FULL (1u << 0)
#define E3_QUEUE_LOCKED (1u << 8)
#define E3_QUEUE_BLOCK 64u
#define E3_QUEUE_MOST_BYTES 320u

/* The record from which a thread is started (A: the real one is a saved register frame). Aligned to 32. */
struct e3_thread {
  uint32_t program; /* the driver's number of a loaded program image */
  uint32_t argument[7];
};

/* ---- address translation ---- */

/* One per context, in SDRAM. */
struct e3_context {
  uint32_t root;     /* SDRAM address of a level-1 table: 256 pointers; 0: nothing is mapped */
  uint32_t filter;   /* E3_FILTER_... */
  uint32_t vp_table; /* SDRAM address of uint64_t routes [vp_mask + 1] */
  uint32_t vp_mask;  /* highest virtual process */
};
#define E3_FILTER_SYSTEM (1u << 0)
#define E3_FILTER_DISCARD (1u << 1) /* packets for this context are answered with Discard */
#define E3_FILTER_ACK (1u << 2)     /* ... with OK, and dropped */

/* Virtual address: 31..24 level 1, 23..18 level 2, 17..12 level 3, 11..0 offset in a page of 4 KiB. */
#define E3_PAGE_BYTES 4096u
#define E3_L1_ENTRIES 256u
#define E3_L2_ENTRIES 64u
#define E3_L3_ENTRIES 64u
#define E3_L1_INDEX(address) ((address) >> 24)
#define E3_L2_INDEX(address) (((address) >> 18) & 63u)
#define E3_L3_INDEX(address) (((address) >> 12) & 63u)
/* Levels 1 and 2 hold uint32_t: SDRAM address | E3_PTP_VALID. Level 3 holds uint64_t page table entries. */
#define E3_PTP_VALID 1u
#define E3_PTE_VALID 1ull
#define E3_PTE_PERMISSION_SHIFT 2
#define E3_PTE_PERMISSION(entry) (((entry) >> E3_PTE_PERMISSION_SHIFT) & 7u)
#define E3_PTE_LOCAL (1ull << 5) /* the frame is in SDRAM, else on the PCI bus */
#define E3_PTE_FRAME 0x0000fffffffff000ull
#define E3_PTE_MODIFIED (1ull << 55)
#define E3_PTE_REFERENCED (1ull << 63)

/* The rights of processes other than the page's own; each permission includes those before it. The page's own process
 * may read and write all but READ-only pages. */
enum e3_permission {
  E3_PERM_NULL = 0,
  E3_PERM_LOCAL_READ = 1,
  E3_PERM_READ = 2,      /* read-only for all processes */
  E3_PERM_NO_REMOTE = 3, /* read and write by the page's own process only */
  E3_PERM_REMOTE_READ = 4,
  E3_PERM_REMOTE_WRITE = 5,
  E3_PERM_REMOTE_EVENT = 6, /* the above, and set-event */
  E3_PERM_REMOTE_ALL = 7
};

/* ---- routes ---- */

/* Virtual-process table entry: flit 0 in bits 15..0, flit 1 in 31..16, flit 2 in 47..32, the destination's context in
 * 61..48; or, with E3_ROUTE_POINTER, the SDRAM address of uint16_t flits[8] in bits 31..0. */
#define E3_ROUTE_VALID (1ull << 63)
#define E3_ROUTE_POINTER (1ull << 62)
#define E3_ROUTE_CONTEXT_SHIFT 48
#define E3_ROUTE_CONTEXT(entry) ((uint32_t)((entry) >> E3_ROUTE_CONTEXT_SHIFT) & 0x1fffu)
#define E3_ROUTE_FLITS 8u
#define E3_ROUTE_SMALL_FLITS 3u

/* Flit 0: 15 high priority, 14..11 age, 10..9 timeout, 8..7 index of the first valid nibble of flit 1, 6..0 element. */
#define E3_FLIT0_PRIORITY (1u << 15)
#define E3_FLIT0_TIMEOUT_SHIFT 9
#define E3_FLIT0_FIRST_SHIFT 7
#define E3_ELEMENT_MASK 0x7fu
#define E3_ELEMENT_ADAPTIVE 0x30u
#define E3_ELEMENT_TREE_UP 0x20u
#define E3_ELEMENT_MY_LINK 0x10u
#define E3_ELEMENT_RANGE(top, bottom) (0x40u | ((top) << 3) | (bottom))
#define E3_ELEMENT_PORT(port) (port)
/* A what-if (A): the form that an Elan3 would need on switches with more than the Elite's 8 ports. The other flits then
 * hold bytes instead of nibbles, low byte first: the output port of each switch plus one, and zeros after the last. */
#define E3_ELEMENT_WIDE 0x08u
#define E3_WIDE_PORTS 255u /* maximum ports of a switch */
#define E3_WIDE_HOPS ((E3_ROUTE_FLITS - 1u) * 2u)
/* The rest, 4 bits each, low nibble first, 4 a flit; leading pad nibbles are not zero. */
#define E3_NIBBLE_PORT(port) (8u | (port))
#define E3_NIBBLE_ADAPTIVE 3u
#define E3_NIBBLE_TREE_UP 2u
#define E3_NIBBLE_MY_LINK 1u
#define E3_NIBBLE_RANGE_FIRST(bottom) (4u | ((bottom)&3u)) /* then the second */
#define E3_NIBBLE_RANGE_SECOND(top, bottom) (((top) << 1) | ((bottom) >> 2))
#define E3_NIBBLE_PAD 1u

/* ---- packets ---- */

/* Transaction: type 2 bytes, context 2, address 4, data 0 8 16 32 or 64, CRC 2. A packet has up to 5, then the EOP. */
#define E3_TR_SEND_ACK (1u << 15)
#define E3_TR_SIZE_SHIFT 12 /* 0, 1: 8, 2: 16, 3: 32, 4: 64 bytes of data */
#define E3_TR_SIZE_MASK (7u << E3_TR_SIZE_SHIFT)
#define E3_TR_LAST (1u << 10)
#define E3_TR_WRITE_BLOCK (1u << 9) /* bits 6..0: valid bytes, 0 for 64 */
#define E3_TR_PARTIAL_MASK 0x7fu
#define E3_TR_WAIT_EOP (1u << 8)
#define E3_TR_OPCODE_MASK 0xffu
enum e3_transaction {
  E3_TR_SET_EVENT = 0x0, /* address: event; with address 0 nothing is done */
  E3_TR_REMOTE_DMA = 0x1,
  E3_TR_LOCK_QUEUE = 0x2,
  E3_TR_UNLOCK_QUEUE = 0x3,
  E3_TR_SEND_DISCARD = 0x4,
  E3_TR_TRACE_ROUTE = 0x5,
  E3_TR_DMA_IDENTIFY = 0x6,
  E3_TR_THREAD_IDENTIFY = 0x7,
  E3_TR_GTE = 0x8,
  E3_TR_LT = 0x9,
  E3_TR_EQ = 0xa,
  E3_TR_NEQ = 0xb,
  E3_TR_WRITE_WORD = 0xc,
  E3_TR_WRITE_DOUBLE_WORD = 0xd,
  E3_TR_TEST_AND_WRITE = 0xe, /* data: uint32_t expected, value; the acknowledgement returns the old word */
  E3_TR_ATOMIC_ADD_WORD = 0xf /* data: uint32_t value; the acknowledgement returns the old word */
};
#define E3_BLOCK_BYTES 64u
#define E3_PACKET_BLOCKS 5u

enum e3_ack { E3_ACK_OK = 0, E3_ACK_TEST_FAIL = 1, E3_ACK_DISCARD = 2, E3_ACK_ERROR = 3 };

/* ---- traps ---- */

/* One record for each unit, at E3_REG_TRAP_BASE. The unit waits until the driver writes its number to E3_REG_RESUME. */
struct e3_trap {
  uint32_t cause; /* enum e3_trap_cause */
  uint32_t context;
  e3_addr address;   /* of the access */
  e3_addr object;    /* of the DMA descriptor, event, thread or queue concerned */
  uint32_t access;   /* the missing enum e3_permission; for E3_CAUSE_NO_ANSWER the us without an answer; for
                      * E3_CAUSE_BUS enum e3_bus_status */
  uint32_t process;  /* virtual process at the other end */
  struct e3_dma dma; /* of a DMA trap: the descriptor with its current values */
};
enum e3_trap_unit { E3_TRAP_COMMAND, E3_TRAP_DMA, E3_TRAP_THREAD, E3_TRAP_INPUT0, E3_TRAP_INPUT1, E3_TRAP_RECORDS };
enum e3_trap_cause {
  E3_CAUSE_NONE,
  E3_CAUSE_PAGE,        /* not mapped */
  E3_CAUSE_PERMISSION,  /* mapped, not permitted */
  E3_CAUSE_ALIGNMENT,   /* a record is misaligned */
  E3_CAUSE_DESCRIPTOR,  /* a DMA descriptor is invalid */
  E3_CAUSE_ROUTE,       /* no valid route to the virtual process */
  E3_CAUSE_FAIL_COUNT,  /* all retries failed, but the far card answered */
  E3_CAUSE_QUEUE,       /* a run queue overflowed, or the command port: the store to `address` was lost */
  E3_CAUSE_INSTRUCTION, /* a thread executed an illegal instruction */
  E3_CAUSE_REFUSED, /* the far node's driver refused it finally (E3_RESUME_DROP there): not mapped, or not permitted */
  E3_CAUSE_NO_ANSWER, /* every retry was lost, or a packet had no answer for link.timeout: no route, or no card */
  E3_CAUSE_BUS        /* mapped to main memory, and the host's bus refused the access (A) */
};
/* How the bus refused an access (A). */
enum e3_bus_status {
  E3_BUS_NO_STATUS,
  E3_BUS_ERROR,
  E3_BUS_ADDRESS, /* nothing answers at the address */
  E3_BUS_COMMAND, /* it cannot be read, or written */
  E3_BUS_BURST,   /* not in that length */
  E3_BUS_BYTE_ENABLES
};

/* NOLINTEND(modernize-*) */
#endif
