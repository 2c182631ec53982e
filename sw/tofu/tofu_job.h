/* This project's extensions of uTofu: the queues of a job's ranks, a barrier of all of them, and sleeping instead of
 * polling. */
#ifndef SANVP_TOFU_JOB_H
#define SANVP_TOFU_JOB_H

#include "sw/tofu/utofu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Component of the queues that MPI and shmem use. */
#define TOFU_JOB_COMPONENT 7u

/* The VCQ that rank `rank` of this job has opened, or will open, with these arguments. */
utofu_vcq_id_t tofu_rank_vcq(int rank, utofu_tni_id_t tni_id, utofu_cmp_id_t cmp_id);

/* First by the sender's own abc point: packets of all orders by this path stay in order, whatever nic.routing says. */
utofu_path_id_t tofu_own_path(void);

/* A word that is written when the next notice of a queue arrives, and its value before that: for hal_wait_words. */
const volatile uint32_t* tofu_mrq_word(utofu_vcq_hdl_t vcq_hdl, uint32_t* seen);
const volatile uint32_t* tofu_tcq_word(utofu_vcq_hdl_t vcq_hdl, uint32_t* seen);
/* Sleep until there is a notice, and poll it. */
int tofu_wait_mrq(utofu_vcq_hdl_t vcq_hdl, struct utofu_mrq_notice* notice);
int tofu_wait_tcq(utofu_vcq_hdl_t vcq_hdl, void** cbdata);

/* A barrier of all ranks of the job, by gates: in step k each signals the rank 2^k ahead (dissemination). The first
 * call wires this rank's gates; others may signal them before. */
void tofu_barrier_begin(void);
int tofu_barrier_done(void);
/* For hal_wait_words, as above. */
const volatile uint32_t* tofu_barrier_word(uint32_t* seen);
void tofu_barrier(void);

#ifdef __cplusplus
}
#endif
#endif
