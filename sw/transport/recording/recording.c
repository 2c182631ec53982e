/* Tells of the messages that a transport carries. */
#include "sw/transport/recording/recording.h"

#include "sw/hal/record.h"

/* This process's: the transport that carries them. */
static const struct transport_calls** carrier(void) {
  static const struct transport_calls* calls;
  return &calls;
}

static const struct transport_calls* calls(void) { return *carrier(); }

static void enter(void) { hal_record(HAL_RECORD_ENTER, NULL, 0, 0, 0); }
static void leave(void) { hal_record(HAL_RECORD_LEAVE, NULL, 0, 0, 0); }
static void other(void) { hal_record(HAL_RECORD_OTHER, NULL, 0, 0, 0); }

static struct transport_request* record_send(unsigned to, uint64_t tag, const void* buffer, size_t bytes, int flags) {
  enter();
  struct transport_request* request = calls()->send(to, tag, buffer, bytes, flags);
  hal_record(HAL_RECORD_SEND, request, to, tag, bytes);
  return request;
}

static struct transport_request* record_receive(unsigned from, uint64_t tag, uint64_t mask, void* buffer,
                                                size_t bytes) {
  enter();
  struct transport_request* request = calls()->receive(from, tag, mask, buffer, bytes);
  hal_record(HAL_RECORD_RECEIVE, request, 0, 0, 0);
  return request;
}

static struct transport_request* record_take(const struct transport_status* message, void* buffer) {
  enter();
  struct transport_request* request = calls()->take(message, buffer);
  if (request)
    hal_record(HAL_RECORD_RECEIVE, request, 0, 0, 0);
  else
    leave();
  return request;
}

static void over(const struct transport_request* request, const struct transport_status* got,
                 struct transport_status* status) {
  hal_record(HAL_RECORD_OVER, request, got->from, got->tag, got->bytes);
  if (status) *status = *got;
}

static int record_test(struct transport_request* request, struct transport_status* status) {
  struct transport_status got = status ? *status : (struct transport_status){0};
  enter();
  const int is_over = calls()->test(request, &got);
  if (is_over)
    over(request, &got, status);
  else
    leave();
  return is_over;
}

static void record_wait(struct transport_request* request, struct transport_status* status) {
  struct transport_status got = status ? *status : (struct transport_status){0};
  enter();
  calls()->wait(request, &got);
  over(request, &got, status);
}

static void record_wait_any(struct transport_request* const* requests, size_t count) {
  enter();
  calls()->wait_any(requests, count);
  leave();
}

static int record_probe(unsigned from, uint64_t tag, uint64_t mask, int wait, struct transport_status* status) {
  enter();
  const int is_there = calls()->probe(from, tag, mask, wait, status);
  leave();
  return is_there;
}

static int record_cancel(struct transport_request* request) {
  other();
  return calls()->cancel(request);
}

static void record_put(transport_batch batch, unsigned to, transport_address remote, const void* local, size_t bytes) {
  other();
  calls()->put(batch, to, remote, local, bytes);
}

static void record_get(transport_batch batch, unsigned from, transport_address remote, void* local, size_t bytes) {
  other();
  calls()->get(batch, from, remote, local, bytes);
}

static void record_put_copied(transport_batch batch, unsigned to, transport_address remote, const void* local,
                              size_t bytes) {
  other();
  calls()->put_copied(batch, to, remote, local, bytes);
}

static void record_get_now(unsigned from, transport_address remote, void* local, size_t bytes) {
  other();
  calls()->get_now(from, remote, local, bytes);
}

static uint64_t record_atomic_now(unsigned to, transport_address remote, const struct transport_update* update) {
  other();
  return calls()->atomic_now(to, remote, update);
}

static void record_atomic(transport_batch batch, unsigned to, transport_address remote,
                          const struct transport_update* update, void* before) {
  other();
  calls()->atomic(batch, to, remote, update, before);
}

static void record_put_signal(transport_batch batch, unsigned to, transport_address remote, const void* local,
                              size_t bytes, int copied, const struct transport_signal* signal) {
  other();
  calls()->put_signal(batch, to, remote, local, bytes, copied, signal);
}

static int record_broadcast(void* buffer, size_t bytes, unsigned root) {
  (void)buffer, (void)bytes, (void)root;
  return 0;
}

const struct transport_calls* transport_recorded(const struct transport_calls* of, void (*barrier)(void)) {
  static struct transport_calls recorded;
  *carrier() = of;
  recorded = *of;
  recorded.send = record_send;
  recorded.receive = record_receive;
  recorded.test = record_test;
  recorded.wait = record_wait;
  recorded.wait_any = record_wait_any;
  recorded.probe = record_probe;
  recorded.take = of->take ? record_take : NULL;
  recorded.cancel = record_cancel;
  recorded.put = record_put;
  recorded.get = record_get;
  recorded.put_copied = record_put_copied;
  recorded.get_now = record_get_now;
  recorded.atomic_now = record_atomic_now;
  recorded.atomic = record_atomic;
  recorded.put_signal = record_put_signal;
  recorded.barrier = barrier;
  recorded.broadcast = record_broadcast;
  recorded.group = NULL;
  recorded.reach = NULL;
  return &recorded;
}
