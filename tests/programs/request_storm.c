/* A storm of requests, drawn by all ranks alike from a seed: persistent and others, null and inactive ones among them,
 * looked at by all calls that look or wait; with datatypes that differ at both ends, receives that are too large and
 * too small, buffers for MPI_Bsend that just suffice, sends whose requests are freed, sends and receives that
 * are cancelled. Looked at are all bytes, statuses, counts, errors.
 *
 *   request_storm [SEED [ROUNDS [MESSAGES of a round [ELEMENTS of a message]]]]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "areas.h"

enum {
  COMMS = 3,
  TAGS = 5,
  FROM_ANY = TAGS - 1,
  MOST_WILD = 1200,
  NEVER_SENT = 70,
  NEVER_RECEIVED,
  NEVERS = 4,
  UNIT = 12
};
enum mode { STANDARD, SYNCHRONOUS, BUFFERED, MODES };
enum how { IMMEDIATE, PERSISTENT, FREED, AT_ONCE, HOWS }; /* AT_ONCE: for buffered sends; otherwise immediate */

struct message {
  int from, to, comm, tag, sent, room; /* ranks of MPI_COMM_WORLD; signatures */
  enum mode mode;
  enum how how_sent;
  int persistent; /* the receive */
  int parts, basics[3];
  struct map map;
  struct area area;
  int elements;
  int taken, ended, error; /* the state of a receive */
  MPI_Status status;
};
enum what { NOTHING, SEND, RECEIVE };
struct slot {
  enum what what; /* NOTHING: null or inactive */
  int persistent;
  struct message* message;
};

static int size, seed = 1, rounds = 2, messages = 120, most_elements = 40, round_now;
static MPI_Comm comms[COMMS];
static struct message* all;
static MPI_Request* requests;
static struct slot* slots;
static MPI_Status* statuses;
static int* indices;
static int slot_count;

static int in_comm(int comm, int world) { return comm == 1 ? size - 1 - world : world; }
static int is_from_any(const struct message* m) { return m->tag == FROM_ANY; }
static int is_buffered(const struct message* m) { return m->mode == BUFFERED; }

static void wrong(const struct message* m, const char* what, long is, long wanted) {
  fprintf(stderr,
          "request_storm %d, round %d, rank %d: message %d from %d to %d comm %d tag %d sent %d room %d mode %d how %d "
          "%d: %s is %ld, not %ld\n",
          seed, round_now, rank, (int)(m - all), m->from, m->to, m->comm, m->tag, m->sent, m->room, m->mode,
          m->how_sent, m->persistent, what, is, wanted);
  MPI_Abort(MPI_COMM_WORLD, 9);
}
static void expect(const struct message* m, const char* what, long is, long wanted) {
  if (is != wanted) wrong(m, what, is, wanted);
}

static void draw_messages(void) {
  for (int i = 0; i < messages; ++i) {
    struct message* m = &all[i];
    *m = (struct message){.from = draw(size), .comm = draw(COMMS), .tag = draw(TAGS)};
    m->to = (m->from + 1 + draw(size - 1)) % size;
    m->sent = draw(4) == 0 ? 0 : draw(draw(6) ? 6 : most_elements) * UNIT;
    const int fit = draw(10);
    m->room = fit < 4 ? m->sent : fit < 9 ? m->sent + draw(5) * UNIT : m->sent / (2 * UNIT) * UNIT;
    m->mode = (enum mode)draw(MODES);
    m->how_sent = (enum how)draw(HOWS);
    m->persistent = draw(2);
    m->parts = 1 + draw(3);
    for (int p = 0; p < m->parts; ++p) m->basics[p] = draw(BASICS);
    if (!is_from_any(m)) continue;
    m->parts = 1; /* any of them may come */
    m->basics[0] = BYTES_BASIC;
    m->room = MOST_WILD;
    if (m->sent > MOST_WILD) m->sent = MOST_WILD;
  }
}

static long bytes_in(const struct message* m, int signatures) {
  long bytes = 0;
  for (int p = 0; p < m->parts; ++p) bytes += basic_of(m->basics[p]).bytes;
  return bytes * signatures;
}

static void make_buffer(struct message* m, int signatures) {
  struct basic basics[3];
  long low = 0, high = 0;
  for (int p = 0; p < m->parts; ++p) basics[p] = basic_of(m->basics[p]);
  m->map = draw_map(&own, basics, m->parts, UNIT, 0);
  keep_apart(&m->map, basics, m->parts, signatures + 1);
  m->elements = signatures / (m->map.count / m->parts);
  bounds_of(&m->map, 0, m->elements, &low, &high);
  m->area = area_of(low, high);
}
static void forget_buffer(struct message* m) {
  area_free(&m->area);
  forget_map(&m->map);
}

/* The first bytes of a message. */
static void put_message(const struct message* m, enum where where, int id, long bytes) {
  const struct place p = {&m->map, 0, 0, m->elements};
  long at = 0;
  for (long n = 0; n < m->elements; ++n)
    for (int e = 0; e < m->map.count; ++e)
      for (int b = 0; b < m->map.bytes[e] && at < bytes; ++b, ++at)
        element(side_of(&m->area, where), &p, n, e)[b] = (unsigned char)word_of(id, round_now, 0, at);
}

static int new_slot(enum what what, struct message* m, int persistent) {
  requests[slot_count] = MPI_REQUEST_NULL;
  slots[slot_count] = (struct slot){what, persistent, m};
  return slot_count++;
}

/* ---- sends ---- */
static void start_send(struct message* m) {
  typedef int call(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  static call* const immediate[MODES] = {MPI_Isend, MPI_Issend, MPI_Ibsend};
  static call* const prepare[MODES] = {MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init};
  make_buffer(m, m->sent);
  put_message(m, THERE, (int)(m - all), bytes_in(m, m->sent));
  want_what_is_there(&m->area);
  const MPI_Comm comm = comms[m->comm];
  const int to = in_comm(m->comm, m->to);
  void* buffer = area_start(&m->area);
  if (is_buffered(m) && m->how_sent == AT_ONCE) {
    CHECK(MPI_Bsend(buffer, m->elements, m->map.type, to, m->tag, comm) == MPI_SUCCESS);
    memset(m->area.memory, 1, (size_t)m->area.bytes); /* the buffer may be reused */
    forget_buffer(m);
    return;
  }
  const int at = new_slot(SEND, m, m->how_sent == PERSISTENT);
  call* const start = (m->how_sent == PERSISTENT ? prepare : immediate)[m->mode];
  CHECK(start(buffer, m->elements, m->map.type, to, m->tag, comm, &requests[at]) == MPI_SUCCESS);
  if (m->how_sent == PERSISTENT) CHECK(MPI_Startall(1, &requests[at]) == MPI_SUCCESS);
  if (next(&own, 2)) forget_map(&m->map);
  if (m->how_sent != FREED) return;
  MPI_Request_free(&requests[at]); /* the buffer stays until all messages have been received */
  CHECK(requests[at] == MPI_REQUEST_NULL);
  slots[at].what = NOTHING;
}

/* ---- receives ---- */
static void start_receive(struct message* m) {
  const int from = is_from_any(m) ? MPI_ANY_SOURCE : in_comm(m->comm, m->from);
  MPI_Request* request = &requests[new_slot(RECEIVE, m, m->persistent)];
  void* buffer = area_start(&m->area);
  (m->persistent ? MPI_Recv_init : MPI_Irecv)(buffer, m->elements, m->map.type, from, m->tag, comms[m->comm], request);
  if (m->persistent) CHECK(MPI_Start(request) == MPI_SUCCESS);
}

/* The first message of its source, tag and communicator that no receive has taken: the one that this receive must have
 * got. */
static struct message* got(const struct message* m) {
  for (int i = 0; i < messages; ++i)
    if (all[i].to == rank && all[i].comm == m->comm && all[i].tag == m->tag && !all[i].taken &&
        in_comm(m->comm, all[i].from) == m->status.MPI_SOURCE)
      return &all[i];
  wrong(m, "source", m->status.MPI_SOURCE, in_comm(m->comm, m->from));
  return NULL;
}

static void check_counts(const struct message* m, long bytes) {
  int count = -5, elements = -5;
  long each = 0, whole, rest, basics;
  for (int e = 0; e < m->map.count; ++e) each += m->map.bytes[e];
  whole = bytes / each, rest = bytes % each, basics = whole * m->map.count;
  for (int e = 0; rest > 0; rest -= m->map.bytes[e++]) ++basics;
  MPI_Get_count(&m->status, m->map.type, &count);
  MPI_Get_elements(&m->status, m->map.type, &elements);
  expect(m, "count", count, bytes % each ? MPI_UNDEFINED : whole);
  expect(m, "elements", elements, basics);
}

static void check_receive(struct message* m) {
  int class, cancelled;
  expect(m, "end", m->ended, 1);
  struct message* o = got(m);
  if (!is_from_any(m)) expect(m, "order", o - all, m - all);
  o->taken = 1;
  const long room = bytes_in(m, m->room), sent = bytes_in(o, o->sent);
  MPI_Error_class(m->error, &class);
  MPI_Test_cancelled(&m->status, &cancelled);
  expect(m, "tag", m->status.MPI_TAG, m->tag);
  expect(m, "cancelled", cancelled, 0);
  expect(m, "error class", class, sent > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
  if (sent > room) return;
  check_counts(m, sent);
  put_message(m, WANTED, (int)(o - all), sent);
  expect(m, "wrong byte", area_wrong(&m->area), -1);
}

/* ---- tests and waits ---- */
static void check_empty(const MPI_Status* status) {
  int count = 77, cancelled = 77;
  MPI_Get_count(status, MPI_INT, &count);
  MPI_Test_cancelled(status, &cancelled);
  CHECK(status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG && count == 0 && !cancelled);
}
static void conclude(int at, int error, const MPI_Status* status) {
  struct slot* slot = &slots[at];
  if (slot->what == NOTHING) check_empty(status);
  if (slot->what != RECEIVE) CHECK(error == MPI_SUCCESS);
  CHECK((requests[at] != MPI_REQUEST_NULL) == slot->persistent);
  if (slot->what == RECEIVE) {
    CHECK(!slot->message->ended);
    slot->message->ended = 1;
    slot->message->error = error;
    slot->message->status = *status;
  }
  slot->what = NOTHING;
}
/* Completes those of the requests from `first` on that have ended. */
static void conclude_several(int first, int error, int count, const int* which) {
  if (error != MPI_SUCCESS) CHECK(error == MPI_ERR_IN_STATUS);
  for (int i = 0; i < count; ++i)
    conclude(first + (which ? which[i] : i), error ? statuses[i].MPI_ERROR : MPI_SUCCESS, &statuses[i]);
}
static void conclude_any(int first, int error, int which, int active) {
  CHECK((which == MPI_UNDEFINED) == (active == 0));
  if (active == 0)
    check_empty(statuses);
  else
    conclude(first + which, error, statuses);
}
static int active_in(int first, int count) {
  int active = 0;
  for (int i = first; i < first + count; ++i) active += slots[i].what != NOTHING;
  return active;
}

enum { TEST, TEST_ANY, TEST_SOME, TEST_ALL, GET_STATUS, WAIT, WAIT_ANY, WAIT_SOME, LOOKS, FIRST_WAIT = WAIT };
static void look(int first, int count, int kind) {
  MPI_Request* q = &requests[first];
  const int active = active_in(first, count), is_active = active_in(first, 1);
  int flag = 0, which = -7, done = -7, error = MPI_SUCCESS;
  if (kind == TEST) {
    error = MPI_Test(q, &flag, statuses);
    if (flag) conclude(first, error, statuses);
    CHECK(flag || is_active);
  } else if (kind == TEST_ANY) {
    error = MPI_Testany(count, q, &which, &flag, statuses);
    if (flag) conclude_any(first, error, which, active);
    CHECK(flag || (active > 0 && which == MPI_UNDEFINED));
  } else if (kind == TEST_SOME || kind == WAIT_SOME) {
    error = (kind == TEST_SOME ? MPI_Testsome : MPI_Waitsome)(count, q, &done, indices, statuses);
    CHECK((done == MPI_UNDEFINED) == (active == 0) && (kind == TEST_SOME || done != 0));
    if (active > 0) conclude_several(first, error, done, indices);
  } else if (kind == TEST_ALL) {
    error = MPI_Testall(count, q, &flag, statuses);
    if (flag) conclude_several(first, error, count, NULL);
    CHECK(flag || active > 0);
  } else if (kind == GET_STATUS) {
    error = MPI_Request_get_status(*q, &flag, statuses);
    if (!is_active) check_empty(statuses);
    CHECK(flag || is_active);
  } else if (kind == WAIT) {
    error = MPI_Wait(q, statuses);
    conclude(first, error, statuses);
  } else {
    error = MPI_Waitany(count, q, &which, statuses);
    conclude_any(first, error, which, active);
  }
}
static void look_somewhere(int kinds) {
  if (slot_count == 0) return;
  const int first = (int)next(&own, (unsigned)slot_count), count = 1 + (int)next(&own, (unsigned)(slot_count - first));
  look(first, count, (int)next(&own, (unsigned)kinds));
}

/* ---- a round ---- */
static int buffer_bytes(void) {
  int bytes = 0, part;
  for (int i = 0; i < messages; ++i)
    for (int p = 0; all[i].from == rank && is_buffered(&all[i]) && p < all[i].parts; ++p) {
      MPI_Pack_size(all[i].sent, basic_of(all[i].basics[p]).type, MPI_COMM_WORLD, &part);
      bytes += part + (p == 0 ? MPI_BSEND_OVERHEAD : 0);
    }
  return bytes;
}

static void rest(void) {
  if (next(&own, 4)) return;
  const struct timespec time = {0, (long)next(&own, 1u << (8 + next(&own, 13)))};
  nanosleep(&time, NULL);
}

/* Receives are ahead of sends at some ranks, behind them at others; both in the order of the messages. */
static void start_all(void) {
  const int half = messages / 2, ahead = ((int)next(&own, 3) - 1) * half;
  int received = 0, sent = 0;
  for (int step = -half; step < messages + half; ++step) {
    for (; received <= step + (ahead > 0 ? ahead : 0) && received < messages; ++received)
      if (all[received].to == rank) start_receive(&all[received]);
    for (; sent <= step - (ahead < 0 ? ahead : 0) && sent < messages; ++sent)
      if (all[sent].from == rank) start_send(&all[sent]);
    if (next(&own, 10) == 0) new_slot(NOTHING, NULL, 0);
    if (next(&own, 4) == 0) look_somewhere(FIRST_WAIT);
    rest();
  }
}

static void cancel(MPI_Request* request) {
  MPI_Status status;
  int cancelled = 0, flag = 0;
  MPI_Cancel(request);
  if (next(&own, 2)) MPI_Wait(request, &status), flag = 1;
  while (!flag) MPI_Test(request, &flag, &status);
  MPI_Test_cancelled(&status, &cancelled);
  CHECK(cancelled && *request == MPI_REQUEST_NULL);
}

static void one_round(void) {
  MPI_Request nevers[NEVERS];
  int unused[NEVERS], bytes;
  void* was;
  draw_messages();
  slot_count = 0;
  const int room = buffer_bytes();
  char* buffer = malloc((size_t)room + 1);
  MPI_Buffer_attach(buffer, room);
  for (int i = 0; i < NEVERS; ++i) {
    unused[i] = -1;
    if (i == 0) {
      MPI_Issend(&unused[i], 1, MPI_INT, (rank + 1) % size, NEVER_RECEIVED, comms[1], &nevers[i]);
      continue;
    }
    MPI_Irecv(&unused[i], 1, MPI_INT, i % 2 ? MPI_ANY_SOURCE : (rank + 1) % size, NEVER_SENT, comms[i % COMMS],
              &nevers[i]);
  }
  for (int i = 0; i < messages; ++i)
    if (all[i].to == rank) make_buffer(&all[i], all[i].room);
  start_all();
  while (active_in(0, slot_count) > 0)
    if (next(&own, 3))
      look(0, slot_count, (int)next(&own, LOOKS));
    else
      look_somewhere(LOOKS);
  for (int i = 0; i < NEVERS; ++i) cancel(&nevers[i]);
  for (int i = 0; i < NEVERS; ++i) CHECK(unused[i] == -1);
  MPI_Barrier(MPI_COMM_WORLD); /* all messages have been received */
  for (int i = 0; i < messages; ++i) {
    if (all[i].to == rank) check_receive(&all[i]);
    if (all[i].from == rank) expect(&all[i], "changed byte", area_wrong(&all[i].area), -1);
    forget_buffer(&all[i]);
  }
  MPI_Buffer_detach(&was, &bytes);
  CHECK(was == buffer && bytes == room);
  free(buffer);
  for (int i = 0; i < slot_count; ++i)
    if (requests[i] != MPI_REQUEST_NULL) MPI_Request_free(&requests[i]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  read_numbers(argc, argv, rank, (int*[]){&seed, &rounds, &messages, &most_elements}, 4);
  const size_t most = (size_t)messages * 4; /* requests, including null ones */
  all = calloc((size_t)messages, sizeof *all);
  requests = malloc(most * sizeof(MPI_Request));
  slots = malloc(most * sizeof *slots);
  statuses = malloc(most * sizeof *statuses);
  indices = malloc(most * sizeof *indices);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[1]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[2]);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* for calls without a communicator */
  for (int c = 0; c < COMMS; ++c) MPI_Comm_set_errhandler(comms[c], MPI_ERRORS_RETURN);
  for (round_now = 0; size > 1 && round_now < rounds; ++round_now) one_round();
  for (int c = 0; c < COMMS; ++c) MPI_Comm_free(&comms[c]);
  free(all), free(requests), free(slots), free(statuses), free(indices);
  if (rank == 0) printf("PASS request_storm %d on %d ranks\n", seed, size);
  return MPI_Finalize();
}
