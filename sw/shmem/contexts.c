/* Contexts: each is a batch of the transport, which its quiet completes, and the team whose numbers it takes. */
#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/shmem/internal.h"

#define OPTIONS (SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE)

struct context {
  transport_batch batch;
  const struct team* team;
  long options;
  shmem_ctx_t handle;
};

static struct handles* all(void) {
  static struct handles handles;
  return &handles;
}

static struct context* find(const char* call, shmem_ctx_t handle) {
  int was = 0;
  struct context* context = handle_object(all(), (uintptr_t)handle, &was);
  if (context) return context;
  if (was) shmem_fail(call, "the context has been destroyed; destroy it after its last call, or create another");
  if (handle == SHMEM_CTX_INVALID)
    shmem_fail(call, "the context is SHMEM_CTX_INVALID; test what shmem_ctx_create or shmem_team_create_ctx returns");
  shmem_fail(call,
             "the context is not valid; pass SHMEM_CTX_DEFAULT, or one of shmem_ctx_create or shmem_team_create_ctx");
}

static transport_batch batch_of(const char* call, shmem_ctx_t handle) {
  shmem_check_running(call);
  return handle == SHMEM_CTX_DEFAULT ? 0 : find(call, handle)->batch;
}

struct target shmem_target(const char* call, shmem_ctx_t handle, int pe) {
  if (handle == SHMEM_CTX_DEFAULT) {
    shmem_check(call, pe);
    return (struct target){0, (unsigned)pe};
  }
  shmem_check_running(call);
  const struct context* context = find(call, handle);
  const struct pe_set* set = &context->team->set;
  if (pe >= 0 && (unsigned)pe < set->size) return (struct target){context->batch, pe_of(set, (unsigned)pe)};
  char text[200];
  snprintf(text, sizeof text,
           "there is no processing element %d in the context's team; they are 0 to %u, see shmem_team_n_pes", pe,
           set->size - 1);
  shmem_fail(call, text);
}

/* ---- create, destroy ---- */
static int create(const char* call, struct team* team, long options, shmem_ctx_t* handle) {
  if (!handle) shmem_fail(call, "the pointer for the context is null; pass the address of a shmem_ctx_t");
  if (options & ~OPTIONS)
    shmem_fail(call, "unknown option; combine SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE and SHMEM_CTX_NOSTORE by |");
  struct context* context = shmem_memory(call, sizeof *context);
  *context = (struct context){.batch = transport_batch_open(), .team = team, .options = options};
  *handle = context->handle = (shmem_ctx_t)handle_give(call, all(), context);
  return 0;
}

int shmem_ctx_create(long options, shmem_ctx_t* context) {
  const char* call = "shmem_ctx_create";
  return create(call, shmem_team_of(call, SHMEM_TEAM_WORLD), options, context);
}

int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t* context) {
  const char* call = "shmem_team_create_ctx";
  shmem_check_running(call);
  if (team != SHMEM_TEAM_INVALID) return create(call, shmem_team_of(call, team), options, context);
  if (context) *context = SHMEM_CTX_INVALID;
  return 1;
}

int shmem_ctx_get_team(shmem_ctx_t context, shmem_team_t* team) {
  const char* call = "shmem_ctx_get_team";
  shmem_check_running(call);
  if (!team) shmem_fail(call, "the pointer for the team is null; pass the address of a shmem_team_t");
  *team = context == SHMEM_CTX_INVALID   ? SHMEM_TEAM_INVALID
          : context == SHMEM_CTX_DEFAULT ? SHMEM_TEAM_WORLD
                                         : find(call, context)->team->handle;
  return context == SHMEM_CTX_INVALID;
}

static void end(struct context* context) {
  transport_quiet(context->batch);
  transport_batch_close(context->batch);
  handle_destroy(all(), (uintptr_t)context->handle);
  free(context);
}

void shmem_ctx_destroy(shmem_ctx_t context) {
  const char* call = "shmem_ctx_destroy";
  shmem_check_running(call);
  if (context == SHMEM_CTX_INVALID) return;
  if (context == SHMEM_CTX_DEFAULT) shmem_fail(call, "the default context stays; pass one of shmem_ctx_create");
  end(find(call, context));
}

void shmem_end_contexts_of(const char* call, const struct team* team) {
  for (size_t i = 0; i < all()->count; ++i) {
    struct context* context = all()->slots[i].object;
    if (!context || context->team != team) continue;
    if (context->options & SHMEM_CTX_PRIVATE)
      shmem_fail(call, "a context of the team with SHMEM_CTX_PRIVATE is still there; destroy it first");
    end(context);
  }
}

/* ---- order: a put completes when its bytes are in place, so a fence is a quiet ---- */
void shmem_ctx_quiet(shmem_ctx_t context) {
  if (context != SHMEM_CTX_INVALID) transport_quiet(batch_of("shmem_ctx_quiet", context));
}

void shmem_ctx_fence(shmem_ctx_t context) {
  if (context != SHMEM_CTX_INVALID) transport_quiet(batch_of("shmem_ctx_fence", context));
}

void shmem_quiet(void) { transport_quiet(batch_of("shmem_quiet", SHMEM_CTX_DEFAULT)); }

void shmem_fence(void) { transport_quiet(batch_of("shmem_fence", SHMEM_CTX_DEFAULT)); }

void shmem_quiet_all(void) {
  transport_quiet(0);
  for (size_t i = 0; i < all()->count; ++i) {
    const struct context* context = all()->slots[i].object;
    if (context) transport_quiet(context->batch);
  }
}
