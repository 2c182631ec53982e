/* uTofu, what the other programs do not call: strided and prepared orders, unread notices, capabilities, what is
 * refused. Each rank works on the memory of its right neighbour. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utofu.h>

#include "sw/hal/hal.h"
#include "sw/tofu/tofu_job.h"

#define EXPECT(what) ((what) ? (void)0 : fail(#what, __LINE__))
#define NOTICES (UTOFU_ONESIDED_FLAG_TCQ_NOTICE | UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE)
enum { TAG = 3, BLOCK = 40, STRIDE = 100, BLOCKS = 9, WINDOW = 1024 };

static utofu_vcq_hdl_t queue;
static utofu_vcq_id_t right;
static utofu_stadd_t window_at, scratch_at;
static unsigned char window[WINDOW], scratch[WINDOW];
static unsigned self, left;

static void fail(const char* what, int line) {
  char text[160];
  snprintf(text, sizeof text, "rank %d, line %d: not so: %s", hal_rank(), line, what);
  hal_abort(text);
}

static unsigned char byte_of(unsigned from, size_t at) { return (unsigned char)(from * 91 + at * 3 + 1); }

/* The next notices of both kinds: of the order with this cbdata. */
static struct utofu_mrq_notice ended(const char* remark) {
  void* cbdata = NULL;
  struct utofu_mrq_notice notice;
  EXPECT(tofu_wait_tcq(queue, &cbdata) == UTOFU_SUCCESS && cbdata == remark);
  EXPECT(tofu_wait_mrq(queue, &notice) == UTOFU_SUCCESS);
  EXPECT(utofu_poll_tcq(queue, 0, &cbdata) == UTOFU_ERR_NOT_FOUND); /* one for all blocks */
  EXPECT(utofu_poll_mrq(queue, 0, &notice) == UTOFU_ERR_NOT_FOUND);
  return notice;
}

static void start_again(void) {
  tofu_barrier();
  memset(window, 0, sizeof window);
  for (size_t i = 0; i < WINDOW; ++i) scratch[i] = byte_of(self, i);
  tofu_barrier();
}

static int is_in_a_block(size_t at) { return at / STRIDE < BLOCKS && at % STRIDE < BLOCK; }

static void strides(void) {
  static char remark[] = "blocks";
  start_again();
  EXPECT(utofu_put_stride(queue, right, scratch_at, window_at, BLOCK, STRIDE, BLOCKS, 0x77, NOTICES, remark) == 0);
  EXPECT(ended(remark).edata == 0x77);
  tofu_barrier();
  for (size_t i = 0; i < WINDOW; ++i) EXPECT(window[i] == (is_in_a_block(i) ? byte_of(left, i) : 0));
  start_again();
  for (size_t i = 0; i < WINDOW; ++i) window[i] = byte_of(self + 50, i);
  tofu_barrier();
  EXPECT(utofu_get_stride(queue, right, scratch_at, window_at, BLOCK, STRIDE, BLOCKS, 1, NOTICES, remark) == 0);
  ended(remark);
  const unsigned neighbour = (self + 1) % (unsigned)hal_ranks();
  for (size_t i = 0; i < WINDOW; ++i) EXPECT(scratch[i] == byte_of(is_in_a_block(i) ? neighbour + 50 : self, i));
}

static void prepared_orders(void) {
  static char remark[] = "prepared";
  struct utofu_onesided_caps* caps = NULL;
  EXPECT(utofu_query_onesided_caps(0, &caps) == UTOFU_SUCCESS);
  char* descriptor = malloc(caps->max_toq_desc_size + 1);
  char* unaligned = descriptor + 1;
  size_t size = 0;
  start_again();
  EXPECT(utofu_prepare_put(queue, right, scratch_at, window_at, 8, 0, NOTICES, unaligned, &size) == UTOFU_SUCCESS);
  EXPECT(size > 0 && size <= caps->max_toq_desc_size && window[0] == 0);
  for (int i = 0; i < 3; ++i) { /* the same descriptor again, with what the memory has by then */
    scratch[0] = (unsigned char)(i + 1);
    EXPECT(utofu_post_toq(queue, unaligned, size, remark) == UTOFU_SUCCESS);
    ended(remark);
    tofu_barrier();
    EXPECT(window[0] == i + 1 && window[7] == byte_of(left, 7) && window[8] == 0);
    tofu_barrier();
  }
  const uint64_t word = 0x1122334455667788u + self;
  EXPECT(utofu_prepare_put_piggyback8(queue, right, word, window_at + 64, 8, 0, NOTICES, unaligned, &size) == 0);
  EXPECT(utofu_post_toq(queue, unaligned, size, remark) == UTOFU_SUCCESS);
  ended(remark);
  EXPECT(utofu_prepare_armw8(queue, right, UTOFU_ARMW_OP_ADD, 5, window_at + 128, 0, NOTICES, unaligned, &size) == 0);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT(utofu_post_toq(queue, unaligned, size, remark) == UTOFU_SUCCESS);
    EXPECT(ended(remark).rmt_value == 5 * i);
  }
  EXPECT(utofu_prepare_cswap4(queue, right, 20, 9, window_at + 128, 0, NOTICES, unaligned, &size) == 0);
  EXPECT(utofu_post_toq(queue, unaligned, size, remark) == UTOFU_SUCCESS);
  ended(remark);
  EXPECT(utofu_prepare_put_stride(queue, right, scratch_at + 512, window_at + 512, 4, 16, 5, 0, NOTICES, unaligned,
                                  &size) == UTOFU_SUCCESS);
  EXPECT(utofu_post_toq(queue, unaligned, size, remark) == UTOFU_SUCCESS);
  ended(remark);
  tofu_barrier();
  uint64_t there = 0;
  memcpy(&there, window + 64, sizeof there);
  EXPECT(there == 0x1122334455667788u + left);
  EXPECT(window[128] == 9);
  for (size_t i = 512; i < 600; ++i) EXPECT(window[i] == (i % 16 < 4 && i < 580 ? byte_of(left, i) : 0));
  EXPECT(utofu_post_toq(queue, unaligned, size - 1, remark) == UTOFU_ERR_INVALID_DESC);
  free(descriptor);
}

static void unread(void) {
  size_t left_count = 9, arrived = 9;
  start_again();
  EXPECT(utofu_query_num_unread_tcq(queue, &left_count) == 0 && left_count == 0);
  for (int i = 0; i < 3; ++i)
    EXPECT(utofu_put(queue, right, scratch_at, window_at, 8, 0, i == 1 ? 0 : NOTICES, NULL) == UTOFU_SUCCESS);
  do {
    hal_sleep_ps(HAL_PS_PER_US);
    EXPECT(utofu_query_num_unread_mrq(queue, &arrived) == UTOFU_SUCCESS);
  } while (arrived < 2);
  EXPECT(utofu_query_num_unread_tcq(queue, &left_count) == UTOFU_SUCCESS);
  EXPECT(left_count == 2 && arrived == 2); /* one has asked for none */
  struct utofu_mrq_notice notice;
  for (int i = 0; i < 2; ++i) {
    EXPECT(utofu_poll_tcq(queue, 0, NULL) == UTOFU_SUCCESS && utofu_poll_mrq(queue, 0, &notice) == UTOFU_SUCCESS);
    EXPECT(utofu_query_num_unread_tcq(queue, &left_count) == 0 && left_count == 1u - (unsigned)i);
  }
}

static void refused(void) {
  struct utofu_barrier_caps* caps = NULL;
  EXPECT(utofu_query_barrier_caps(0, &caps) == UTOFU_SUCCESS);
  EXPECT(caps->reduce_ops == UTOFU_BARRIER_CAP_REDUCE_OP_BARRIER && caps->max_double_reduction == 0);
  EXPECT(utofu_query_barrier_caps(99, &caps) == UTOFU_ERR_INVALID_TNI_ID);
  double value = 1;
  utofu_vbg_id_t gate = 0;
  EXPECT(utofu_alloc_vbg(0, 1, 0, &gate) == UTOFU_SUCCESS);
  EXPECT(utofu_reduce_double(gate, UTOFU_REDUCE_OP_SUM, &value, 1, 0) == UTOFU_ERR_NOT_SUPPORTED);
  uint8_t coords[6], mine[6];
  utofu_tni_id_t tni = 9;
  utofu_bg_id_t number = 0;
  uint16_t extra = 1;
  EXPECT(utofu_query_vbg_info(gate, coords, &tni, &number, &extra) == UTOFU_SUCCESS && tni == 0 && extra == 0);
  EXPECT(utofu_query_my_coords(mine) == UTOFU_SUCCESS && memcmp(coords, mine, sizeof mine) == 0);
  EXPECT(utofu_free_vbg(&gate, 1) == UTOFU_SUCCESS);
  EXPECT(utofu_put_gap(queue, right, scratch_at, window_at, 8, 0, 0, 128, 2, NULL) == UTOFU_ERR_NOT_SUPPORTED);
  EXPECT(utofu_put_gap(queue, right, scratch_at, window_at, 8, 0, 0, 0, 0, NULL) == UTOFU_SUCCESS);
  EXPECT(utofu_put_stride(queue, right, scratch_at, window_at, 8, 8, 0, 0, 0, NULL) == UTOFU_ERR_INVALID_NUMBER);
  EXPECT(utofu_get_stride(queue, right, scratch_at, window_at, 1, 1, 100000, 0, 0, NULL) == UTOFU_ERR_INVALID_NUMBER);
  EXPECT(utofu_put_stride(0, right, scratch_at, window_at, 8, 8, 1, 0, 0, NULL) == UTOFU_ERR_INVALID_VCQ_HDL);
  utofu_vcq_hdl_t other = 0;
  EXPECT(utofu_create_vcq(0, UTOFU_VCQ_FLAG_SESSION_MODE, &other) == UTOFU_ERR_NOT_SUPPORTED);
}

int main(void) {
  self = (unsigned)hal_rank();
  left = (self + (unsigned)hal_ranks() - 1) % (unsigned)hal_ranks();
  EXPECT(utofu_create_vcq_with_cmp_id(0, 0, 0, &queue) == UTOFU_SUCCESS);
  EXPECT(utofu_reg_mem_with_stag(queue, window, sizeof window, TAG, 0, &window_at) == UTOFU_SUCCESS);
  EXPECT(utofu_reg_mem(queue, scratch, sizeof scratch, 0, &scratch_at) == UTOFU_SUCCESS);
  tofu_barrier();
  right = tofu_rank_vcq((int)((self + 1) % (unsigned)hal_ranks()), 0, 0);
  utofu_stadd_t there = 0;
  EXPECT(utofu_query_stadd(right, TAG, &there) == UTOFU_SUCCESS && there == window_at);
  strides();
  prepared_orders();
  unread();
  refused();
  tofu_barrier();
  if (self == 0) printf("PASS\n");
  return 0;
}
