/* Prepared and strided orders. */
#include "sw/tofu/prepared.h"

#include <string.h>

/* The interface makes packets of its own length, as fast as it can. */
static int is_paced(size_t mtu, size_t gap) { return mtu != 0 || gap != 0; }

static int strided(struct prepared* prepared, uint8_t operation, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                   utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks, uint64_t edata,
                   unsigned long int flags) {
  if (length > TOFU_MOST_BYTES) return UTOFU_ERR_INVALID_SIZE;
  if (num_blocks == 0 || num_blocks > ORDER_ENTRIES) return UTOFU_ERR_INVALID_NUMBER;
  *prepared = (struct prepared){.order = {.operation = operation,
                                          .length = (uint32_t)length,
                                          .remote = rmt_stadd,
                                          .remark = edata,
                                          .local = lcl_stadd},
                                .to = rmt_vcq_id,
                                .flags = flags,
                                .stride = stride,
                                .blocks = num_blocks};
  return UTOFU_SUCCESS;
}

/* Into the caller's descriptor, unless `result` is an error. */
static int hand_over(int result, utofu_vcq_hdl_t vcq_hdl, const struct prepared* prepared, void* desc,
                     size_t* desc_size) {
  if (result != UTOFU_SUCCESS) return result;
  if (!vcq_of(vcq_hdl)) return UTOFU_ERR_INVALID_VCQ_HDL;
  if (!desc || !desc_size) return UTOFU_ERR_INVALID_POINTER;
  memcpy(desc, prepared, sizeof *prepared);
  *desc_size = sizeof *prepared;
  return UTOFU_SUCCESS;
}

int utofu_post_toq(utofu_vcq_hdl_t vcq_hdl, void* desc, size_t desc_size, void* cbdata) {
  if (desc_size != sizeof(struct prepared)) return UTOFU_ERR_INVALID_DESC;
  struct prepared prepared; /* the caller's need not be aligned */
  memcpy(&prepared, desc, sizeof prepared);
  return tofu_give_prepared(vcq_hdl, &prepared, cbdata);
}

/* ---- put and get, four forms each ---- */

#define FORMS(name, operation)                                                                                         \
  int utofu_prepare_##name##_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,   \
                                        utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,      \
                                        uint64_t edata, unsigned long int flags, size_t mtu, size_t gap, void* desc,   \
                                        size_t* desc_size) {                                                           \
    if (is_paced(mtu, gap)) return UTOFU_ERR_NOT_SUPPORTED;                                                            \
    struct prepared prepared;                                                                                          \
    const int result =                                                                                                 \
        strided(&prepared, operation, rmt_vcq_id, lcl_stadd, rmt_stadd, length, stride, num_blocks, edata, flags);     \
    return hand_over(result, vcq_hdl, &prepared, desc, desc_size);                                                     \
  }                                                                                                                    \
  int utofu_prepare_##name##_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,       \
                                    utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,          \
                                    uint64_t edata, unsigned long int flags, void* desc, size_t* desc_size) {          \
    return utofu_prepare_##name##_stride_gap(vcq_hdl, rmt_vcq_id, lcl_stadd, rmt_stadd, length, stride, num_blocks,    \
                                             edata, flags, 0, 0, desc, desc_size);                                     \
  }                                                                                                                    \
  int utofu_prepare_##name##_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,          \
                                 utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags,      \
                                 size_t mtu, size_t gap, void* desc, size_t* desc_size) {                              \
    return utofu_prepare_##name##_stride_gap(vcq_hdl, rmt_vcq_id, lcl_stadd, rmt_stadd, length, 0, 1, edata, flags,    \
                                             mtu, gap, desc, desc_size);                                               \
  }                                                                                                                    \
  int utofu_prepare_##name(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,                \
                           utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags,            \
                           void* desc, size_t* desc_size) {                                                            \
    return utofu_prepare_##name##_stride_gap(vcq_hdl, rmt_vcq_id, lcl_stadd, rmt_stadd, length, 0, 1, edata, flags, 0, \
                                             0, desc, desc_size);                                                      \
  }                                                                                                                    \
  int utofu_##name##_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,           \
                                utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,              \
                                uint64_t edata, unsigned long int flags, size_t mtu, size_t gap, void* cbdata) {       \
    if (is_paced(mtu, gap)) return UTOFU_ERR_NOT_SUPPORTED;                                                            \
    struct prepared prepared;                                                                                          \
    const int result =                                                                                                 \
        strided(&prepared, operation, rmt_vcq_id, lcl_stadd, rmt_stadd, length, stride, num_blocks, edata, flags);     \
    return result == UTOFU_SUCCESS ? tofu_give_prepared(vcq_hdl, &prepared, cbdata) : result;                          \
  }                                                                                                                    \
  int utofu_##name##_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,               \
                            utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks, uint64_t edata,  \
                            unsigned long int flags, void* cbdata) {                                                   \
    return utofu_##name##_stride_gap(vcq_hdl, rmt_vcq_id, lcl_stadd, rmt_stadd, length, stride, num_blocks, edata,     \
                                     flags, 0, 0, cbdata);                                                             \
  }                                                                                                                    \
  int utofu_##name##_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,                  \
                         utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags, size_t mtu,  \
                         size_t gap, void* cbdata) {                                                                   \
    return utofu_##name##_stride_gap(vcq_hdl, rmt_vcq_id, lcl_stadd, rmt_stadd, length, 0, 1, edata, flags, mtu, gap,  \
                                     cbdata);                                                                          \
  }
FORMS(put, TOFU_PUT)
FORMS(get, TOFU_GET)

/* ---- the others ---- */

static int one(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t to, const struct tofu_order* order, unsigned long int flags,
               void* desc, size_t* desc_size) {
  const struct prepared prepared = {.order = *order, .to = to, .flags = flags, .blocks = 1};
  return hand_over(UTOFU_SUCCESS, vcq_hdl, &prepared, desc, desc_size);
}

int utofu_prepare_put_piggyback(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, void* lcl_data,
                                utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags,
                                void* desc, size_t* desc_size) {
  if (length > TOFU_INLINE_BYTES) return UTOFU_ERR_INVALID_SIZE;
  struct tofu_order order = {
      .operation = TOFU_PUT_INLINE, .length = (uint32_t)length, .remote = rmt_stadd, .remark = edata};
  memcpy(order.data, lcl_data, length);
  return one(vcq_hdl, rmt_vcq_id, &order, flags, desc, desc_size);
}

int utofu_prepare_put_piggyback8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint64_t lcl_data,
                                 utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags,
                                 void* desc, size_t* desc_size) {
  if (length > sizeof lcl_data) return UTOFU_ERR_INVALID_SIZE;
  return utofu_prepare_put_piggyback(vcq_hdl, rmt_vcq_id, &lcl_data, rmt_stadd, length, edata, flags, desc, desc_size);
}

static int atomic(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t to, int arithmetic, uint32_t width, uint64_t operand,
                  uint64_t comparand, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags, void* desc,
                  size_t* desc_size) {
  if (rmt_stadd % width != 0) return UTOFU_ERR_INVALID_STADD;
  const struct tofu_order order = {.operation = TOFU_ATOMIC,
                                   .arithmetic = (uint8_t)arithmetic,
                                   .length = width,
                                   .remote = rmt_stadd,
                                   .remark = edata,
                                   .operand = operand,
                                   .comparand = comparand};
  return one(vcq_hdl, to, &order, flags, desc, desc_size);
}

int utofu_prepare_armw4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op,
                        uint32_t op_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags, void* desc,
                        size_t* desc_size) {
  if (!tofu_is_atomic(armw_op)) return UTOFU_ERR_INVALID_OP;
  return atomic(vcq_hdl, rmt_vcq_id, (int)armw_op, 4, op_value, 0, rmt_stadd, edata, flags, desc, desc_size);
}

int utofu_prepare_armw8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op,
                        uint64_t op_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags, void* desc,
                        size_t* desc_size) {
  if (!tofu_is_atomic(armw_op)) return UTOFU_ERR_INVALID_OP;
  return atomic(vcq_hdl, rmt_vcq_id, (int)armw_op, 8, op_value, 0, rmt_stadd, edata, flags, desc, desc_size);
}

int utofu_prepare_cswap4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint32_t old_value, uint32_t new_value,
                         utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags, void* desc,
                         size_t* desc_size) {
  return atomic(vcq_hdl, rmt_vcq_id, TOFU_COMPARE_AND_SWAP, 4, new_value, old_value, rmt_stadd, edata, flags, desc,
                desc_size);
}

int utofu_prepare_cswap8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint64_t old_value, uint64_t new_value,
                         utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags, void* desc,
                         size_t* desc_size) {
  return atomic(vcq_hdl, rmt_vcq_id, TOFU_COMPARE_AND_SWAP, 8, new_value, old_value, rmt_stadd, edata, flags, desc,
                desc_size);
}

int utofu_prepare_nop(utofu_vcq_hdl_t vcq_hdl, unsigned long int flags, void* desc, size_t* desc_size) {
  const struct tofu_order order = {.operation = TOFU_NOP};
  return one(vcq_hdl, 0, &order, flags, desc, desc_size);
}
