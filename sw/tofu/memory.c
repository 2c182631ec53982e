/* Registered memory and its steering addresses. */
#include "sw/hal/hal.h"
#include "sw/tofu/context.h"

/* Tags that programs choose, and behind them those that the library does. */
#define CHOSEN_TAGS (TOFU_TAGS / 2)

static int register_memory(struct vcq* vcq, void* addr, size_t size, uint32_t tag, unsigned long int flags,
                           utofu_stadd_t* stadd) {
  if (size == 0) return UTOFU_ERR_INVALID_SIZE;
  struct tofudrv_register request = {.tni = vcq->tni,
                                     .component = vcq->component,
                                     .tag = tag,
                                     .pointer = hal_address(addr),
                                     .bytes = size,
                                     .flags = flags & UTOFU_REG_MEM_FLAG_READ_ONLY ? TOFU_READ_ONLY : 0};
  tofu_request(TOFUDRV_REGISTER, &request, "utofu_reg_mem");
  vcq->tags[tag] = 1;
  *stadd = TOFU_STADD(tag, 0);
  return UTOFU_SUCCESS;
}

int utofu_reg_mem(utofu_vcq_hdl_t vcq_hdl, void* addr, size_t size, unsigned long int flags, utofu_stadd_t* stadd) {
  struct vcq* vcq = vcq_of(vcq_hdl);
  if (!vcq) return UTOFU_ERR_INVALID_VCQ_HDL;
  for (uint32_t tag = CHOSEN_TAGS; tag < TOFU_TAGS; ++tag)
    if (!vcq->tags[tag]) return register_memory(vcq, addr, size, tag, flags, stadd);
  return UTOFU_ERR_FULL;
}

int utofu_reg_mem_with_stag(utofu_vcq_hdl_t vcq_hdl, void* addr, size_t size, unsigned int stag,
                            unsigned long int flags, utofu_stadd_t* stadd) {
  struct vcq* vcq = vcq_of(vcq_hdl);
  if (!vcq) return UTOFU_ERR_INVALID_VCQ_HDL;
  if (stag >= CHOSEN_TAGS) return UTOFU_ERR_INVALID_STAG;
  if (vcq->tags[stag]) return UTOFU_ERR_USED;
  return register_memory(vcq, addr, size, stag, flags, stadd);
}

int utofu_query_stadd(utofu_vcq_id_t vcq_id, unsigned int stag, utofu_stadd_t* stadd) {
  (void)vcq_id;
  if (stag >= CHOSEN_TAGS) return UTOFU_ERR_INVALID_STAG;
  *stadd = TOFU_STADD(stag, 0);
  return UTOFU_SUCCESS;
}

int utofu_dereg_mem(utofu_vcq_hdl_t vcq_hdl, utofu_stadd_t stadd, unsigned long int flags) {
  (void)flags;
  struct vcq* vcq = vcq_of(vcq_hdl);
  if (!vcq) return UTOFU_ERR_INVALID_VCQ_HDL;
  const uint32_t tag = TOFU_STADD_TAG(stadd);
  if (tag >= TOFU_TAGS || !vcq->tags[tag]) return UTOFU_ERR_INVALID_STADD;
  struct tofudrv_deregister request = {.tni = vcq->tni, .component = vcq->component, .tag = tag};
  tofu_request(TOFUDRV_DEREGISTER, &request, "utofu_dereg_mem");
  vcq->tags[tag] = 0;
  return UTOFU_SUCCESS;
}
