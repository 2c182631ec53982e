/* Locks: a queue of waiting processes, first come, first served. Each lock has a home, the process whose copy of the
 * lock holds the tail of the queue. A new process swaps itself in there, links itself behind its predecessor, and polls
 * its own copy until that one releases it: no network traffic. (The MCS lock: Mellor-Crummey and Scott, 1991.)
 */
#include "sw/hal/hal.h"
#include "sw/shmem/internal.h"

/* How a lock's 8 bytes are used; all zero if it is free. Processes are counted from 1; 0 is none. */
struct lock {
  uint32_t last; /* at home: last of the queue */
  struct {
    uint16_t next;    /* the process after this one, which writes it */
    uint16_t waiting; /* the one before this process clears it */
  } self;             /* 0 whenever this process is not in the queue; while it is, others write here */
};
_Static_assert(sizeof(struct lock) == sizeof(long), "a lock is a long");

struct place {
  const char* call;
  struct lock* here;
  unsigned home;
};

static transport_address there(const struct place* place, unsigned pe, size_t field) {
  return symmetric_address(place->call, place->here, sizeof *place->here, pe) + field;
}

/* The home is found by an address that all processes compute alike. */
static struct place find(const char* call, long* lock) {
  shmem_check_running(call);
  const struct place place = {.call = call, .here = (struct lock*)lock};
  const unsigned home = (unsigned)(there(&place, 0, 0) / sizeof *lock % transport_count());
  return (struct place){.call = call, .here = (struct lock*)lock, .home = home};
}

static uint32_t me(void) { return transport_self() + 1; }

static uint32_t exchange_last(const struct place* place, enum word_operation operation, uint32_t value,
                              uint32_t comparand) {
  return (uint32_t)transport_atomic_now(
      place->home, there(place, place->home, offsetof(struct lock, last)),
      &(struct transport_update){
          .operation = operation, .width = sizeof place->here->last, .operand = value, .comparand = comparand});
}

static void tell(const struct place* place, uint32_t process, size_t field, uint16_t value) {
  transport_put_copied(0, process - 1, there(place, process - 1, field), &value, sizeof value);
}

/* Waits until a field of the caller's own copy is, or is not, 0. */
static void wait_for(const struct place* place, volatile const uint16_t* field, int zero) {
  const volatile uint32_t* word = (const volatile uint32_t*)&place->here->self;
  for (uint32_t seen = *word; (*field == 0) != zero; seen = *word) transport_wait_words(&word, &seen, 1);
}

#define NEXT offsetof(struct lock, self.next)
#define WAITING offsetof(struct lock, self.waiting)

void shmem_set_lock(long* lock) {
  const struct place place = find("shmem_set_lock", lock);
  place.here->self.waiting = 1;
  const uint32_t before = exchange_last(&place, WORD_SET, me(), 0);
  if (before == me()) shmem_fail("shmem_set_lock", "the caller has this lock already; clear it first");
  if (before == 0) {
    place.here->self.waiting = 0;
    return;
  }
  tell(&place, before, NEXT, (uint16_t)me());
  wait_for(&place, &place.here->self.waiting, 1);
}

int shmem_test_lock(long* lock) {
  const struct place place = find("shmem_test_lock", lock);
  return exchange_last(&place, WORD_COMPARE_AND_SET, me(), 0) != 0;
}

/* Writes made under the lock, in any context, are complete before the next process gets it. */
void shmem_clear_lock(long* lock) {
  const struct place place = find("shmem_clear_lock", lock);
  shmem_quiet_all();
  const volatile uint16_t* next = &place.here->self.next;
  if (*next == 0) {
    const uint32_t last = exchange_last(&place, WORD_COMPARE_AND_SET, 0, me());
    if (last == me()) return;
    if (last == 0) shmem_fail("shmem_clear_lock", "no process has this lock; set it first");
    wait_for(&place, next, 0); /* a successor is about to link itself */
  }
  tell(&place, *next, WAITING, 0);
  place.here->self.next = 0;
}
