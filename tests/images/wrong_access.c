/* Accesses the command port of its Elan3 in a way that it does not allow, selected by its argument. */
#include <string.h>

#include "sw/elan3lib/context.h"
#include "sw/elanlib/elan.h"
#include "sw/hal/hal.h"

int main(int argc, char** argv) {
  const uint64_t port = elan_ctx(elan_baseInit())->command_port;
  const char* what = argc > 1 ? argv[1] : "";
  const uint32_t words[3] = {0};
  if (strcmp(what, "read") == 0) hal_read32(port + E3_CP_SET_EVENT);
  if (strcmp(what, "nothing") == 0) hal_write32(port + 0x18, 1);
  if (strcmp(what, "wide") == 0) hal_write_block(port + E3_CP_PUT_DMA, words, sizeof words);
  if (strcmp(what, "middle") == 0) hal_write32(port + E3_CP_PUT_DMA + 2, 1);
  return 0;
}
