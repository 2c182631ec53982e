/* Barrier in hardware, on the thread processor of a group's first node (FACTS.md 1.6, network conditional): a broadcast
 * asks every node whether its processes have arrived at this one; the combined acknowledgement says whether all have.
 * Then a second broadcast releases them.
 */
#include "sw/elanlib/firmware/barrier_records.h"
#include "sw/hal/elan3_thread.h"

#define CYCLES_BACK_OFF 50u /* before it retries; doubles (A) */
#define CYCLES_MOST_BACK_OFF 1600u

static int ask(uint32_t all_members, e3_addr address, uint64_t number) {
  elan3_open(all_members);
  elan3_send_transaction(E3_TR_EQ | E3_TR_SEND_ACK | E3_TR_LAST, address, &number, sizeof number);
  return elan3_close(0);
}

/* The events wait for the end of the packet, which says whether all nodes took it: else some would have theirs twice.
 */
static int release(uint32_t all_members, e3_addr event) {
  elan3_open(all_members);
  elan3_send_transaction(E3_TR_SET_EVENT | E3_TR_WAIT_EOP | E3_TR_SEND_ACK | E3_TR_LAST, event, 0, 0);
  return elan3_close(0);
}

/* Retries at growing intervals. */
static void wait_cycles(uint32_t* back_off) {
  elan3_cycles(*back_off);
  if (*back_off < CYCLES_MOST_BACK_OFF) *back_off *= 2;
  elan3_break();
}

void elan3_thread_main(const struct e3_thread* thread, e3_addr address) {
  (void)address;
  const e3_addr record = thread->argument[0];
  for (;;) {
    elan3_wait_event(record + (e3_addr)offsetof(struct barrier_record, start));
    uint64_t number;
    uint32_t all_members;
    elan3_load(record + (e3_addr)offsetof(struct barrier_record, arrived), &number, sizeof number);
    elan3_load(record + (e3_addr)offsetof(struct barrier_record, all_members), &all_members, sizeof all_members);
    uint32_t back_off = CYCLES_BACK_OFF;
    while (ask(all_members, record + (e3_addr)offsetof(struct barrier_record, arrived), number) != E3_ACK_OK)
      wait_cycles(&back_off);
    back_off = CYCLES_BACK_OFF;
    while (release(all_members, record + (e3_addr)offsetof(struct barrier_record, release)) != E3_ACK_OK)
      wait_cycles(&back_off);
  }
}
