/* Asks the driver for things that do not belong to the process: the place of another job or process, another's memory,
 * rights that do not exist. Each must be refused, and then the process's own request must still be granted. */
#include <stdio.h>
#include <string.h>

#include "sw/elan3drv/elan3drv.h"
#include "sw/elan3lib/elan3lib.h"
#include "sw/hal/hal.h"

static int wrong;

static void refused(const char* what, int64_t result, const char* reason, const char* words) {
  if (result != 0 && reason && strstr(reason, words)) return;
  printf("FAIL %s: %s\n", what, reason ? reason : "granted");
  wrong = 1;
}

static void forge(const char* what, ELAN_CAPABILITY capability) {
  struct elan3_attach_request request = {.capability = {.job = capability.job,
                                                        .my_process = capability.my_process,
                                                        .processes = capability.processes,
                                                        .nodes = hal_address(capability.nodes)}};
  const int64_t result = hal_ioctl(ELAN3_ATTACH, &request);
  refused(what, result, request.error, "not this process's");
}

static void map(const char* what, void* pointer, uint32_t permission, const char* words) {
  struct elan3_map_request request = {
      .pointer = hal_address(pointer), .address = 0x70000000u, .bytes = E3_PAGE_BYTES, .permission = permission};
  const int64_t result = hal_ioctl(ELAN3_MAP_MAIN, &request);
  refused(what, result, request.error, words);
}

int main(void) {
  static char own[3 * E3_PAGE_BYTES];
  ELAN_CAPABILITY mine, other;
  elan_getenvCap(&mine);
  other = mine, other.job += 1;
  forge("another job", other);
  other = mine, other.my_process = (mine.my_process + 1) % mine.processes;
  forge("another process", other);
  other = mine, other.processes += 1;
  forge("a process more", other);
  int nodes[64];
  memcpy(nodes, mine.nodes, mine.processes * sizeof *nodes);
  nodes[(mine.my_process + 1) % mine.processes] += 1;
  other = mine, other.nodes = nodes;
  forge("another node", other);
  other = mine, other.nodes = (const int*)0x10000;
  forge("nodes in the simulator's memory", other);

  ELAN3_CTX* ctx = elan3_init();
  elan3_attach(ctx, &mine);
  char* page = (char*)(((uintptr_t)own + E3_PAGE_BYTES) & ~(uintptr_t)(E3_PAGE_BYTES - 1));
  map("the simulator's memory", (void*)0x10000, E3_PERM_REMOTE_ALL, "not the process's own");
  map("a right that there is not", page, 8, "no such permission");
  struct elan3_populate_request all = {.address = 0x70000000u, .bytes = ~0ull};
  const int64_t populated = hal_ioctl(ELAN3_POPULATE, &all);
  refused("all of memory", populated, all.error, "32-bit");
  struct elan3_map_request good = {
      .pointer = hal_address(page), .address = 0x70000000u, .bytes = E3_PAGE_BYTES, .permission = E3_PERM_REMOTE_ALL};
  if (hal_ioctl(ELAN3_MAP_MAIN, &good) != 0) {
    printf("FAIL own memory: %s\n", good.error);
    wrong = 1;
  }
  if (!wrong) printf("PASS\n");
  return wrong;
}
