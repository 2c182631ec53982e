/* Memory of any process, by the cards alone: the channel's puts, gets and atomic operations. Processes of this node are
 * reached by records only, except for atomic operations, which the card does all or none of. */
#include "sw/transport/messages/calls.h"

static unsigned reach(unsigned process) {
  const struct messages* m = messages_state();
  const unsigned atomics = m->channel->atomic ? TRANSPORT_ATOMICS : 0;
  if (process == m->self || messages_peer(process)->intra_node) return atomics;
  return atomics | (m->puts ? TRANSPORT_PUTS : 0) | (m->gets ? TRANSPORT_GETS : 0);
}

static uint64_t expose(const volatile void* pointer, size_t bytes) {
  const struct messages* m = messages_state();
  return m->channel->expose ? m->channel->expose(m->card, pointer, bytes, SHARE_PROGRAM) : 0;
}

static void unexpose(const volatile void* pointer, size_t bytes) {
  const struct messages* m = messages_state();
  if (m->channel->unexpose) m->channel->unexpose(m->card, pointer, bytes, SHARE_PROGRAM);
}

static uint64_t atomics_at(void) { return messages_state()->channel->atomic ? 1 : 0; }

static struct transport_request* put_at(unsigned to, uint64_t remote, const void* local, size_t bytes) {
  const int small = bytes <= SMALL_BYTES;
  if (!small && messages_expose(local, bytes) == 0) return NULL;
  struct transport_request* request = messages_request(FETCHES, to, (char*)local, bytes);
  messages_direct(&(struct direct){.kind = DIRECT_PUT,
                                   .peer = messages_peer(to),
                                   .remote = remote,
                                   .local = (char*)local,
                                   .bytes = bytes,
                                   .small = small,
                                   .exposed = !small,
                                   .request = request});
  return request;
}

static struct transport_request* get_at(unsigned from, uint64_t remote, void* local, size_t bytes) {
  if (messages_expose(local, bytes) == 0) return NULL;
  struct transport_request* request = messages_request(FETCHES, from, local, bytes);
  messages_direct(&(struct direct){.kind = DIRECT_GET,
                                   .peer = messages_peer(from),
                                   .remote = remote,
                                   .local = local,
                                   .bytes = bytes,
                                   .exposed = 1,
                                   .request = request});
  return request;
}

static struct transport_request* atomic_at(unsigned to, uint64_t atomics, uint64_t remote,
                                           enum word_operation operation, unsigned width, uint64_t operand,
                                           uint64_t comparand) {
  (void)atomics;
  struct transport_request* request = messages_request(FETCHES, to, NULL, width);
  messages_direct(&(struct direct){.kind = DIRECT_ATOMIC,
                                   .peer = messages_peer(to),
                                   .remote = remote,
                                   .bytes = width,
                                   .request = request,
                                   .operation = operation,
                                   .operand = operand,
                                   .comparand = comparand});
  return request;
}

static int fetched(struct transport_request* request, uint64_t* before, struct transport_status* status) {
  if (!request->done) messages_progress();
  if (!request->done && messages_hopeless(request->peer) == 0) return 0;
  *before = request->value;
  return messages_test(request, status);
}

const struct transport_reach_calls messages_reach_calls = {.reach = reach,
                                                           .expose = expose,
                                                           .unexpose = unexpose,
                                                           .atomics_at = atomics_at,
                                                           .put = put_at,
                                                           .get = get_at,
                                                           .atomic = atomic_at,
                                                           .fetched = fetched};
