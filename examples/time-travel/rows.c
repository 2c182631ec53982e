/* A library with a mistake, for docs/time-travel.md: it writes its DMA descriptor again before the card has read it.
 * Rank 0 puts its rows into the memory of rank 1, on the registers of the Elan3. */
#include <elan3lib.h>
#include <stdio.h>

enum { ROWS = 3, BYTES = 64 };

static char rows[ROWS][BYTES] __attribute__((aligned(64)));
static E3_DMA descriptor __attribute__((aligned(E3_DMA_ALIGN))); /* in main memory */
static volatile uint32_t arrived;

__attribute__((noinline)) static void put(ELAN3_CTX* ctx, int row, E3_Addr event) {
  const E3_Addr place = elan3_main2elan(ctx, rows[row]); /* the same in both ranks */
  descriptor = (E3_DMA){.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, 0, E3_DMA_RETRIES),
                        .size = BYTES,
                        .source = place,
                        .dest = place,
                        .dest_event = event,
                        .dest_cookie_proc = elan3_local_cookie(ctx, 1)};
  elan3_putdma(ctx, elan3_main2elan(ctx, &descriptor)); /* the mistake: nothing waits until the card has it */
}

int main(void) {
  ELAN_CAPABILITY capability;
  elan_getenvCap(&capability);
  ELAN3_CTX* ctx = elan3_init();
  elan3_block_inputter(ctx, 1);
  elan3_attach(ctx, &capability);
  elan3_addvp(ctx, 0, capability.processes);
  elan3_addressable(ctx, rows, sizeof rows);
  elan3_addressable(ctx, &descriptor, sizeof descriptor);
  const E3_Addr event = elan3_gallocElan(ctx, 64, sizeof(E3_BlockCopyEvent));
  const E3_Addr value = elan3_gallocElan(ctx, 64, 64);
  elan3_initevent_word(ctx, event, value, 1, &arrived);
  elan3_primeevent(ctx, event, ROWS);
  elan3_block_inputter(ctx, 0);
  if (capability.my_process == 0) {
    for (int row = 0; row < ROWS; ++row) snprintf(rows[row], BYTES, "row %d", row);
    for (int row = 0; row < ROWS; ++row) put(ctx, row, event);
  } else {
    elan3_waitevent_word(ctx, &arrived, 1);
    for (int row = 0; row < ROWS; ++row) printf("%d: %s\n", row, rows[row]);
  }
  return 0;
}
