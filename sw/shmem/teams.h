/* OpenSHMEM: teams, and contexts. A handle is a number in the form of a pointer, and is never reused: the use of a
 * destroyed team or context is reported. */
#ifndef SANVP_SHMEM_TEAMS_H
#define SANVP_SHMEM_TEAMS_H

#include "sw/shmem/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)1)
#define SHMEM_CTX_SERIALIZED (1L << 0)
#define SHMEM_CTX_PRIVATE (1L << 1)
#define SHMEM_CTX_NOSTORE (1L << 2)

#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
#define SHMEM_TEAM_WORLD ((shmem_team_t)1)
#define SHMEM_TEAM_SHARED ((shmem_team_t)2) /* the caller alone: processes of a node share no memory */
#define SHMEM_TEAM_NUM_CONTEXTS (1L << 0)

typedef struct {
  int num_contexts; /* that the program wants at once; there is no limit here */
} shmem_team_config_t;

/* ---- teams ---- */
int shmem_team_my_pe(shmem_team_t team);
int shmem_team_n_pes(shmem_team_t team);
int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t* config);
int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team);
int shmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size,
                             const shmem_team_config_t* config, long config_mask, shmem_team_t* new_team);
int shmem_team_split_2d(shmem_team_t parent_team, int xrange, const shmem_team_config_t* xaxis_config, long xaxis_mask,
                        shmem_team_t* xaxis_team, const shmem_team_config_t* yaxis_config, long yaxis_mask,
                        shmem_team_t* yaxis_team);
void shmem_team_destroy(shmem_team_t team);
int shmem_team_sync(shmem_team_t team);

/* ---- contexts; those of a team number processing elements as the team does ---- */
int shmem_ctx_create(long options, shmem_ctx_t* context);
int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t* context);
int shmem_ctx_get_team(shmem_ctx_t context, shmem_team_t* team);
void shmem_ctx_destroy(shmem_ctx_t context);
void shmem_ctx_fence(shmem_ctx_t context);
void shmem_ctx_quiet(shmem_ctx_t context);

#ifdef __cplusplus
}
#endif
#endif
