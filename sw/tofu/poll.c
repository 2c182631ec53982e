/* Notices: orders that have left (TCQ), and messages that have arrived or have been answered (MRQ). */
#include "sw/hal/hal.h"
#include "sw/tofu/context.h"
#include "sw/tofu/tofu_job.h"

static int tcq_error(uint32_t status) {
  switch ((enum tofu_status)status) {
    case TOFU_OK:
      return UTOFU_SUCCESS;
    case TOFU_BAD_LOCAL_STADD:
      return UTOFU_ERR_TCQ_STADD;
    default:
      return UTOFU_ERR_TCQ_DESC;
  }
}

static int mrq_error(uint32_t status) {
  switch ((enum tofu_status)status) {
    case TOFU_OK:
      return UTOFU_SUCCESS;
    case TOFU_BAD_LOCAL_STADD:
      return UTOFU_ERR_MRQ_LCL_STADD;
    case TOFU_BAD_REMOTE_STADD:
      return UTOFU_ERR_MRQ_RMT_STADD;
    case TOFU_NO_QUEUE:
    case TOFU_UNREACHABLE:
      return UTOFU_ERR_MRQ_PEER;
    default:
      return UTOFU_ERR_MRQ_OTHER;
  }
}

int utofu_poll_tcq(utofu_vcq_hdl_t vcq_hdl, unsigned long int flags, void** cbdata) {
  (void)flags;
  struct vcq* vcq = vcq_of(vcq_hdl);
  if (!vcq) return UTOFU_ERR_INVALID_VCQ_HDL;
  for (;;) {
    const uint32_t slot = vcq->ended % ORDER_ENTRIES;
    const struct tofu_tcq_entry* entry = &vcq->tcq[slot];
    if (vcq->ended == vcq->given || entry->number != vcq->ended + 1) return UTOFU_ERR_NOT_FOUND;
    vcq_took_left(vcq);
    if (!vcq->wanted[slot] && entry->status == TOFU_OK) continue;
    if (cbdata) *cbdata = vcq->remarks[slot];
    return tcq_error(entry->status);
  }
}

int utofu_poll_mrq(utofu_vcq_hdl_t vcq_hdl, unsigned long int flags, struct utofu_mrq_notice* notice) {
  (void)flags;
  struct vcq* vcq = vcq_of(vcq_hdl);
  if (!vcq) return UTOFU_ERR_INVALID_VCQ_HDL;
  const struct tofu_mrq_entry* entry = &vcq->mrq[vcq->arrived % MRQ_ENTRIES];
  if (entry->number != vcq->arrived + 1) return UTOFU_ERR_NOT_FOUND;
  const int far_asked =
      entry->type == TOFU_REMOTE_PUT || entry->type == TOFU_REMOTE_GET || entry->type == TOFU_REMOTE_ATOMIC;
  *notice = (struct utofu_mrq_notice){.notice_type = entry->type,
                                      .vcq_id = vcq_id_make(entry->node, 0, entry->tni, entry->queue),
                                      .edata = entry->remark,
                                      .rmt_value = entry->value,
                                      .lcl_stadd = far_asked ? entry->remote : entry->local,
                                      .rmt_stadd = far_asked ? entry->local : entry->remote};
  const int result = mrq_error(entry->status);
  vcq_took_arrived(vcq);
  return result;
}

const volatile uint32_t* tofu_mrq_word(utofu_vcq_hdl_t vcq_hdl, uint32_t* seen) {
  const struct vcq* vcq = (const struct vcq*)vcq_hdl;
  const volatile uint32_t* word = &vcq->mrq[vcq->arrived % MRQ_ENTRIES].number;
  *seen = vcq->arrived >= MRQ_ENTRIES ? vcq->arrived + 1 - MRQ_ENTRIES : 0; /* of the round before */
  return word;
}

const volatile uint32_t* tofu_tcq_word(utofu_vcq_hdl_t vcq_hdl, uint32_t* seen) {
  const struct vcq* vcq = (const struct vcq*)vcq_hdl;
  const volatile uint32_t* word = &vcq->tcq[vcq->ended % ORDER_ENTRIES].number;
  *seen = vcq->ended >= ORDER_ENTRIES ? vcq->ended + 1 - ORDER_ENTRIES : 0;
  return word;
}

int tofu_wait_mrq(utofu_vcq_hdl_t vcq_hdl, struct utofu_mrq_notice* notice) {
  for (;;) {
    uint32_t seen;
    const volatile uint32_t* word = tofu_mrq_word(vcq_hdl, &seen);
    hal_wait_word(word, seen, UINT64_MAX);
    const int result = utofu_poll_mrq(vcq_hdl, 0, notice);
    if (result != UTOFU_ERR_NOT_FOUND) return result;
  }
}

int tofu_wait_tcq(utofu_vcq_hdl_t vcq_hdl, void** cbdata) {
  for (;;) {
    uint32_t seen;
    const volatile uint32_t* word = tofu_tcq_word(vcq_hdl, &seen);
    hal_wait_word(word, seen, UINT64_MAX);
    const int result = utofu_poll_tcq(vcq_hdl, 0, cbdata);
    if (result != UTOFU_ERR_NOT_FOUND) return result;
  }
}

int utofu_query_num_unread_tcq(utofu_vcq_hdl_t vcq_hdl, size_t* count) {
  const struct vcq* vcq = vcq_of(vcq_hdl);
  if (!vcq) return UTOFU_ERR_INVALID_VCQ_HDL;
  *count = 0;
  for (uint32_t ended = vcq->ended; ended != vcq->given; ++ended) {
    const struct tofu_tcq_entry* entry = &vcq->tcq[ended % ORDER_ENTRIES];
    if (entry->number != ended + 1) break;
    *count += vcq->wanted[ended % ORDER_ENTRIES] || entry->status != TOFU_OK;
  }
  return UTOFU_SUCCESS;
}

int utofu_query_num_unread_mrq(utofu_vcq_hdl_t vcq_hdl, size_t* count) {
  const struct vcq* vcq = vcq_of(vcq_hdl);
  if (!vcq) return UTOFU_ERR_INVALID_VCQ_HDL;
  *count = 0;
  while (*count < MRQ_ENTRIES) {
    const uint32_t at = vcq->arrived + (uint32_t)*count;
    if (vcq->mrq[at % MRQ_ENTRIES].number != at + 1) break;
    ++*count;
  }
  return UTOFU_SUCCESS;
}
