/* A GCel's node computes while messages of others pass through it: the time that forwarding takes from it
 *
 * In a row of three ranks the first sends to the last, and the middle one computes; then it does so undisturbed. Links
 * are chosen by Select, bytes are checked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/parix/parix.h"
#include "sw/support/options.h"

#define DATA 1 /* request numbers of links */
#define WORD 2
#define US 1000000ull /* ps */

enum { FIRST, MIDDLE, LAST, RANKS };

/* How long so many pieces of a microsecond take. */
static double compute(size_t us) {
  const uint64_t start = hal_time_ps();
  for (size_t i = 0; i < us; ++i) hal_compute_ps(US);
  return (double)(hal_time_ps() - start) / (double)US;
}

static void send_all(LinkCB_t* data, char* buffer, size_t bytes, size_t count) {
  AInit(data, (int)count, 0);
  int* results = malloc((count + 1) * sizeof *results);
  memset(buffer, 'x', bytes);
  for (size_t i = 0; i < count; ++i) ASend(data, buffer, (int)bytes, &results[i]);
  ASync(data);
  free(results);
}

/* Messages on one link until there is one on the other. Wrong bytes. */
static size_t receive_all(LinkCB_t* data, LinkCB_t* word, char* buffer, size_t bytes, size_t count) {
  size_t wrong = 0;
  for (size_t got = 0; got < count; ++got) {
    const Option_t options[] = {ReceiveOption(data), ReceiveOption(word)};
    if (SelectList(2, options) == 1) return 1; /* the middle's word comes last */
    memset(buffer, 0, bytes);
    wrong += RecvLink(data, buffer, (int)bytes) != (int)bytes;
    for (size_t i = 0; i < bytes; ++i) wrong += buffer[i] != 'x';
  }
  char end = 0;
  return wrong + (RecvLink(word, &end, 1) != 1) + (end != 'e');
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const size_t us = options_size(&options, "compute", "100000", "microseconds that the rank between computes");
  const size_t bytes = options_size(&options, "bytes", "1200", "of each message");
  const size_t count = options_size(&options, "count", "20", "messages from the first to the last");
  options_check(&options);
  if (hal_ranks() != RANKS) hal_abort("parix_stolen wants three ranks in a row: give --np 3");
  const int me = GetRoot()->ProcRoot->MyProcID;
  char* buffer = malloc(bytes + 1);
  size_t wrong = 0;
  if (me == FIRST) send_all(ConnectLink(LAST, DATA, NULL), buffer, bytes, count);
  if (me == LAST) {
    LinkCB_t* data = ConnectLink(FIRST, DATA, NULL);
    wrong = receive_all(data, ConnectLink(MIDDLE, WORD, NULL), buffer, bytes, count);
    printf(wrong > 0 ? "FAIL: %zu wrong\n" : "PASS\n", wrong);
  }
  if (me == MIDDLE) {
    LinkCB_t* word = ConnectLink(LAST, WORD, NULL);
    const double disturbed = compute(us);
    const double alone = compute(us);
    printf("computed for %zu us: in %.1f us with messages passing, in %.1f us without\n", us, disturbed, alone);
    hal_metric("stolen_us", disturbed - alone, "us");
    buffer[0] = 'e';
    SendLink(word, buffer, 1);
  }
  return wrong > 0;
}
