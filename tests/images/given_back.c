/* Uses its card, gives memory back that the card may reach, and uses it again. The metric "give back" stands for a
 * program's munmap: tests/models/driver.cpp takes it as that of so many "bytes" at a bus address. */
#include <gm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/ds_link/ds_link.h"
#include "sw/elanlib/elan.h"
#include "sw/hal/hal.h"
#include "sw/tofu/tofu_job.h"

enum { PAGE = 4096, PORT = 2, SIZE = 13, TAG = 1 };
static _Alignas(PAGE) unsigned char page[PAGE], other[PAGE];

static void give_back(const void* at, size_t bytes) {
  hal_metric("bytes", (double)bytes, "");
  hal_metric("give back", (double)hal_bus_address(at), "");
}

/* All of the heap, where the libraries have what their cards write to. */
static void give_heap_back(void) {
  void* begin = NULL;
  void* something = calloc(1, 1);
  const size_t bytes = hal_region(something, &begin);
  give_back(begin, bytes);
}

/* ---- Elan3: a page that comes back with the next access ---- */

static void put(ELAN_BASE* base, E3_Addr at, const char* done) {
  elan_wait(elan_put(base, at, at, PAGE, 1), ELAN_POLL_EVENT);
  hal_metric(done, 1, "");
}

static void use_elan(void) {
  ELAN_BASE* base = elan_baseInit();
  const E3_Addr at = elan_address(base, page, PAGE);
  elan_gsync(elan_allGroup(base));
  if (hal_rank() == 0) {
    put(base, at, "first");
    put(base, at, "second");
    give_back(other, PAGE);
    put(base, at, "third");
    give_back(page, PAGE);
    put(base, at, "fourth");
    put(base, at, "fifth");
  }
  elan_gsync(elan_allGroup(base));
}

/* ---- GM: registered memory ---- */

static int sent;

static void ended(struct gm_port* port, void* context, gm_status_t status) {
  (void)port;
  (void)context;
  sent += status == GM_SUCCESS;
}

static void send_page(struct gm_port* port, const void* from, const char* done) {
  const int before = sent;
  gm_send_to_peer_with_callback(port, from, SIZE, PAGE, GM_LOW_PRIORITY, (unsigned)hal_rank_node(1) + 1, ended, NULL);
  while (sent == before) gm_unknown(port, gm_blocking_receive(port));
  hal_metric(done, 1, "");
}

static void use_gm(int heap) {
  struct gm_port* port = NULL;
  if (gm_open(&port, 0, PORT, "", GM_API_VERSION) != GM_SUCCESS) hal_abort("no port");
  gm_register_memory(port, page, PAGE);
  gm_register_memory(port, other, PAGE);
  for (int i = 0; i < 4; ++i) gm_provide_receive_buffer(port, gm_dma_malloc(port, 2 * PAGE), SIZE, GM_LOW_PRIORITY);
  while (hal_rank() == 1) gm_unknown(port, gm_blocking_receive(port));
  send_page(port, page, "first");
  if (heap)
    give_heap_back();
  else
    give_back(page, PAGE);
  send_page(port, other, "second");
  send_page(port, page, "third");
}

/* ---- TOFU: registered memory, and a queue ---- */

static int put_page(utofu_vcq_hdl_t queue, utofu_stadd_t at) {
  if (utofu_put(queue, tofu_rank_vcq(1, 0, 0), at, at, PAGE, 0, UTOFU_ONESIDED_FLAG_TCQ_NOTICE, NULL) != 0)
    hal_abort("no put");
  return tofu_wait_tcq(queue, NULL);
}

static void use_tofu(void) {
  utofu_vcq_hdl_t queue;
  utofu_stadd_t at, at_other;
  if (utofu_create_vcq_with_cmp_id(0, 0, 0, &queue) != UTOFU_SUCCESS) hal_abort("no queue");
  utofu_reg_mem_with_stag(queue, page, PAGE, TAG, 0, &at);
  utofu_reg_mem_with_stag(queue, other, PAGE, TAG + 1, 0, &at_other);
  tofu_barrier();
  if (hal_rank() == 0) {
    hal_metric("first", put_page(queue, at), "");
    give_back(page, PAGE);
    hal_metric("second", put_page(queue, at), "");
    hal_metric("third", put_page(queue, at_other), "");
    give_heap_back();
    put_page(queue, at_other);
  }
  tofu_barrier();
}

/* ---- DS links: a control block ---- */

static void use_ds_link(void) {
  unsigned char byte = 5;
  if (hal_rank() == 1) ChanIn(ds_channel_from(0, 0), &byte, 1);
  Channel* to = ds_channel_to(1, 0);
  if (hal_rank() == 0) ChanOut(to, &byte, 1);
  hal_metric("first", byte, "");
  if (hal_rank() == 1) return;
  give_heap_back();
  ChanOut(to, &byte, 1);
}

int main(int argc, char** argv) {
  (void)argc;
  memset(page, 1, sizeof page);
  if (strcmp(hal_card(), "elan3") == 0) use_elan();
  if (strcmp(hal_card(), "lanai") == 0) use_gm(strcmp(argv[1], "heap") == 0);
  if (strcmp(hal_card(), "tofu") == 0) use_tofu();
  if (strcmp(hal_card(), "ds_link") == 0) use_ds_link();
  return 0;
}
