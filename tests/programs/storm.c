/* A storm of messages, drawn by all ranks alike from a seed: hundreds to thousands under way at once, of all sizes
 * about the borders of protocols, of all modes and layouts, on several communicators, with wildcards, probes,
 * persistent requests, exchanges and collective operations in between, to ranks that sleep. Every byte is looked at,
 * and the order of the messages of each source, tag and communicator.
 *
 *   storm [SEED [ROUNDS [MESSAGES of a round [KIBIBYTES of a round]]]]
 *
 * What a receive may match is told by its stream, so that each has one answer, or one order of answers:
 *   comm WORLD, REVERSED, HALF   tag's bit 0: received from MPI_ANY_SOURCE; bit 1: received late
 *   comm ANY_TAG                 all from one source, with MPI_ANY_TAG; late at odd ranks
 *   comm ANYTHING                all with both wildcards; late in odd rounds
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "draw.h"

enum { WORLD, REVERSED, HALF, ANY_TAG, ANYTHING, EXCHANGES, COMMS };
enum { TAGS = 8, FROM_ANY = 1, LATE = 2, NEVER_SENT = 77, UNTOUCHED = 0xee, COLLECTIVES = 6 };
enum { SEND, SYNCHRONOUS, BUFFERED, BUFFERED_AT_ONCE, PERSISTENT, MODES };
enum { MOST_WILD = 20000 }; /* bytes of a message on ANYTHING, whose receives must have room for any */

struct message {
  int from, to, comm, tag, bytes, mode, way; /* ranks of MPI_COMM_WORLD; way: how it is received */
  int out_piece, in_piece;                   /* bytes between holes of the layouts; 0: no holes */
  unsigned char *out, *in;
  MPI_Request* request; /* of the receive, if it has one */
  MPI_Status status;
  int taken; /* by a receive that may match any */
};

static int size, seed = 1, rounds = 3, messages = 300, kibibytes = 2048, round_now;
static MPI_Comm comms[COMMS];
static struct message* all;
static MPI_Request* requests;
static struct message** owners; /* of each request: the message that is received, or null */
static int request_count;

/* ---- what is drawn ---- */

static int draw_bytes(void) {
  static const int borders[] = {64, 128, 256, 288, 320, 512, 1024, 1365, 2048, 4096, 8192, 16384, 32768, 65536};
  const int what = draw(20);
  if (what < 6) return draw(65);
  if (what < 13) return borders[draw((int)(sizeof borders / sizeof *borders))] - 17 + draw(35);
  if (what < 18) return 8 * draw(1000);
  return 8 * draw(25 * 1024);
}

static int in_half(int world) { return world % 2; }
/* The rank in a communicator of a rank of MPI_COMM_WORLD. */
static int in_comm(int comm, int world) {
  if (comm == REVERSED) return size - 1 - world;
  return comm == HALF ? world / 2 : world;
}

static int is_late(const struct message* m) {
  if (m->comm == ANY_TAG) return m->to % 2;
  if (m->comm == ANYTHING) return round_now % 2;
  return (m->tag & LATE) != 0;
}
static int is_from_any(const struct message* m) {
  return m->comm == ANYTHING || (m->comm != ANY_TAG && m->tag & FROM_ANY);
}

static void draw_messages(void) {
  static const int pieces[] = {0, 0, 0, 4, 8, 24, 96};
  const int shape = draw(4), middle = draw(size);
  long room = kibibytes * 1024L;
  for (int i = 0; i < messages; ++i) {
    struct message* m = &all[i];
    memset(m, 0, sizeof *m);
    m->from = draw(size);
    m->to = draw(size);
    if (shape == 1) m->to = middle;
    if (shape == 2) m->to = (m->from + 1 + draw(2)) % size;
    if (shape == 3 && draw(3)) m->from = middle;
    m->comm = draw(EXCHANGES);
    if (m->comm == HALF && in_half(m->from) != in_half(m->to)) m->comm = WORLD;
    m->tag = draw(TAGS);
    m->bytes = draw_bytes();
    if (m->bytes > room || (m->bytes > MOST_WILD && is_from_any(m))) m->bytes %= 200;
    room -= m->bytes;
    m->mode = draw(MODES);
    m->way = draw(5);
    m->out_piece = pieces[draw(7)];
    m->in_piece = pieces[draw(7)];
    if (m->out_piece == 0 || m->bytes % m->out_piece) m->out_piece = m->bytes;
    if (m->in_piece == 0 || m->bytes % m->in_piece || is_from_any(m)) m->in_piece = m->bytes;
  }
}

/* ---- layouts: pieces with holes as large between them ---- */
static size_t place(int i, int piece, int bytes) {
  return piece == bytes ? (size_t)i : (size_t)(i + i / piece * piece);
}
static size_t span(int piece, int bytes) { return 2 * (size_t)bytes + 8 + (piece == bytes); }

static MPI_Datatype layout(int piece, int bytes, int* count) {
  MPI_Datatype type = MPI_BYTE;
  *count = bytes;
  if (piece == bytes) return type;
  *count = 1;
  if (piece == 8)
    MPI_Type_vector(bytes / 8, 1, 2, MPI_DOUBLE, &type);
  else
    MPI_Type_create_hvector(bytes / piece, piece, 2 * piece, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  return type;
}
static void forget(MPI_Datatype* type) {
  if (*type != MPI_BYTE) MPI_Type_free(type);
}

static unsigned char byte_of(int id, int i) {
  return (unsigned char)(((unsigned)i + 40503u * (unsigned)(id + 1000 * round_now)) * 2654435761u >> 24);
}

static void wrong(const struct message* m, const char* what, int at, int is) {
  fprintf(stderr,
          "storm %d, round %d: message %d from %d to %d comm %d tag %d bytes %d mode %d way %d pieces %d %d: %s at %d "
          "is %d\n",
          seed, round_now, (int)(m - all), m->from, m->to, m->comm, m->tag, m->bytes, m->mode, m->way, m->out_piece,
          m->in_piece, what, at, is);
  MPI_Abort(MPI_COMM_WORLD, 9);
}

/* ---- sends ---- */
static void start_send(struct message* m) {
  int count;
  const MPI_Comm comm = comms[m->comm];
  const int to = in_comm(m->comm, m->to);
  MPI_Request* request = &requests[request_count];
  MPI_Datatype type = layout(m->out_piece, m->bytes, &count);
  m->out = malloc(span(m->out_piece, m->bytes));
  for (int i = 0; i < m->bytes; ++i) m->out[place(i, m->out_piece, m->bytes)] = byte_of((int)(m - all), i);
  owners[request_count] = NULL;
  if (m->mode == SEND) MPI_Isend(m->out, count, type, to, m->tag, comm, request);
  if (m->mode == SYNCHRONOUS) MPI_Issend(m->out, count, type, to, m->tag, comm, request);
  if (m->mode == BUFFERED) MPI_Ibsend(m->out, count, type, to, m->tag, comm, request);
  if (m->mode == PERSISTENT) {
    (m->bytes % 2 ? MPI_Ssend_init : MPI_Send_init)(m->out, count, type, to, m->tag, comm, request);
    MPI_Start(request);
  }
  request_count += m->mode != BUFFERED_AT_ONCE;
  if (m->mode == BUFFERED_AT_ONCE) {
    MPI_Bsend(m->out, count, type, to, m->tag, comm);
    memset(m->out, UNTOUCHED, span(m->out_piece, m->bytes)); /* it is the program's again */
  }
  forget(&type);
}

/* ---- receives ---- */
static int room_of(const struct message* m) { return is_from_any(m) ? MOST_WILD : m->bytes; }

static void start_receive(struct message* m) {
  int count;
  const int room = room_of(m), late = is_late(m);
  const int from = is_from_any(m) ? MPI_ANY_SOURCE : in_comm(m->comm, m->from);
  const int tag = m->comm == ANY_TAG || m->comm == ANYTHING ? MPI_ANY_TAG : m->tag;
  const MPI_Comm comm = comms[m->comm];
  const int piece = is_from_any(m) ? room : m->in_piece;
  MPI_Datatype type = layout(piece, room, &count);
  m->in = malloc(span(piece, room));
  memset(m->in, UNTOUCHED, span(piece, room));
  MPI_Request* request = &requests[request_count];
  MPI_Message message;
  int there = 0;
  if (late && m->way == 0) MPI_Recv(m->in, count, type, from, tag, comm, &m->status);
  if (late && m->way == 1) {
    MPI_Mprobe(from, tag, comm, &message, &m->status);
    MPI_Mrecv(m->in, count, type, &message, &m->status);
  }
  if (late && m->way == 2) {
    while (!there) MPI_Improbe(from, tag, comm, &there, &message, &m->status);
    MPI_Imrecv(m->in, count, type, &message, request);
  }
  if (late && m->way == 3) {
    MPI_Probe(from, tag, comm, &m->status);
    MPI_Recv(m->in, count, type, m->status.MPI_SOURCE, m->status.MPI_TAG, comm, &m->status);
  }
  if (!late && m->way < 2) {
    MPI_Recv_init(m->in, count, type, from, tag, comm, request);
    MPI_Start(request);
  } else if (m->way == 4 || !late) {
    MPI_Irecv(m->in, count, type, from, tag, comm, request);
  }
  if (!late || m->way == 2 || m->way == 4) m->request = request, owners[request_count++] = m;
  forget(&type);
}

static void check_bytes(const struct message* m, int id, int bytes, int piece) {
  const size_t room = span(piece, room_of(m));
  size_t at = 0;
  for (int i = 0; i < bytes; ++i) {
    const size_t here = place(i, piece, room_of(m));
    for (; at < here; ++at)
      if (m->in[at] != UNTOUCHED) wrong(m, "hole", (int)at, m->in[at]);
    if (m->in[at++] != byte_of(id, i)) wrong(m, "byte", i, m->in[here]);
  }
  for (; at < room; ++at)
    if (m->in[at] != UNTOUCHED) wrong(m, "hole behind", (int)at, m->in[at]);
}

/* The first message of its stream that no receive has taken: what this one must have got. */
static struct message* got(const struct message* m) {
  const int any_tag = m->comm == ANY_TAG || m->comm == ANYTHING;
  for (int i = 0; i < messages; ++i) {
    struct message* o = &all[i];
    if (o->to == rank && o->comm == m->comm && !o->taken && in_comm(o->comm, o->from) == m->status.MPI_SOURCE &&
        (any_tag || o->tag == m->tag))
      return o;
  }
  wrong(m, "source without messages", 0, m->status.MPI_SOURCE);
  return NULL;
}

static void check_receives(void) {
  int bytes;
  for (int i = 0; i < messages; ++i) {
    const struct message* m = &all[i];
    if (m->to != rank) continue;
    struct message* o = got(m);
    if (!is_from_any(m) && o != m) wrong(m, "order", (int)(o - all), 0);
    o->taken = 1;
    MPI_Get_count(&m->status, MPI_BYTE, &bytes);
    if (m->status.MPI_TAG != o->tag) wrong(o, "tag", i, m->status.MPI_TAG);
    if (bytes != o->bytes) wrong(o, "count", i, bytes);
    check_bytes(m, (int)(o - all), bytes, is_from_any(m) ? room_of(m) : m->in_piece);
  }
}

/* ---- collective operations under way, of each kind, and what they must come to ---- */
struct collective {
  int kind, comm, count, root, ranks, me;
  long *out, *in;
};
static long part(int peer, int i) { return peer * 1000003L + i * 17L + round_now; }

static void start_collective(struct collective* c) {
  static const int where[] = {WORLD, REVERSED, HALF, EXCHANGES};
  c->kind = draw(7);
  c->comm = where[draw(4)];
  c->count = draw(3) ? draw(40) : draw(2000);
  const int drawn = draw(1 << 20);
  MPI_Comm comm = comms[c->comm];
  MPI_Comm_size(comm, &c->ranks);
  MPI_Comm_rank(comm, &c->me);
  c->root = drawn % c->ranks;
  const size_t words = (size_t)c->count * c->ranks + 1;
  c->out = malloc(words * sizeof *c->out);
  c->in = malloc(words * sizeof *c->in);
  for (size_t i = 0; i < words; ++i) c->out[i] = part(c->me, (int)i), c->in[i] = -1;
  MPI_Request* r = &requests[request_count];
  owners[request_count++] = NULL;
  if (c->kind == 0) MPI_Ibarrier(comm, r);
  if (c->kind == 1) MPI_Ibcast(c->me == c->root ? c->out : c->in, c->count, MPI_LONG, c->root, comm, r);
  if (c->kind == 2) MPI_Iallreduce(c->out, c->in, c->count, MPI_LONG, MPI_SUM, comm, r);
  if (c->kind == 3) MPI_Ialltoall(c->out, c->count, MPI_LONG, c->in, c->count, MPI_LONG, comm, r);
  if (c->kind == 4) MPI_Iallgather(c->out, c->count, MPI_LONG, c->in, c->count, MPI_LONG, comm, r);
  if (c->kind == 5) MPI_Ireduce_scatter_block(c->out, c->in, c->count, MPI_LONG, MPI_SUM, comm, r);
  if (c->kind == 6) MPI_Iscan(c->out, c->in, c->count, MPI_LONG, MPI_SUM, comm, r);
}

static void finish_collective(struct collective* c) {
  for (int p = 0; p < (c->kind == 3 || c->kind == 4 ? c->ranks : c->kind != 0); ++p)
    for (int i = 0; i < c->count; ++i) {
      long sum = 0;
      const int ranks = c->kind == 6 ? c->me + 1 : c->ranks, shift = c->kind == 5 ? c->me * c->count : 0;
      for (int q = 0; q < ranks; ++q) sum += part(q, i + shift);
      if (c->kind == 1) sum = c->me == c->root ? -1 : part(c->root, i);
      if (c->kind == 3) sum = part(p, c->me * c->count + i);
      if (c->kind == 4) sum = part(p, i);
      const long is = c->in[(size_t)p * c->count + i];
      if (is != sum) {
        fprintf(stderr,
                "storm %d, round %d, rank %d: collective kind %d comm %d count %d: word %d of %d is %ld, not %ld\n",
                seed, round_now, rank, c->kind, c->comm, c->count, i, p, is, sum);
        MPI_Abort(MPI_COMM_WORLD, 8);
      }
    }
  free(c->out);
  free(c->in);
}

/* ---- a round ---- */
static void rest(void) { /* as ranks that compute would */
  if (next(&own, 3) == 0) return;
  const struct timespec time = {0, (long)next(&own, 1u << (8 + next(&own, 15)))};
  nanosleep(&time, NULL);
}

static void exchange(void) {
  const int far = 1 + draw(size), bytes = draw_bytes(), from = (rank + size - far % size) % size;
  unsigned char* both = malloc(bytes + 1);
  MPI_Status status;
  for (int i = 0; i < bytes; ++i) both[i] = byte_of(rank, i);
  MPI_Sendrecv_replace(both, bytes, MPI_BYTE, (rank + far) % size, far, from, far, comms[EXCHANGES], &status);
  for (int i = 0; i < bytes; ++i) CHECK(both[i] == byte_of(from, i));
  CHECK(status.MPI_SOURCE == from && status.MPI_TAG == far);
  free(both);
}

static void wait_for_all(int way) {
  const int count = request_count;
  int done = 0, flag = 0, which, *indices = malloc((count + 1) * sizeof *indices);
  MPI_Status* statuses = malloc((count + 1) * sizeof *statuses);
  if (way == 0) MPI_Waitall(count, requests, statuses);
  if (way == 1)
    while (!flag) MPI_Testall(count, requests, &flag, statuses);
  for (int i = 0; way == 2 && i < count; ++i) MPI_Wait(&requests[i], &statuses[i]);
  for (int i = 0; way == 3 && i < count; ++i) {
    MPI_Status status;
    MPI_Waitany(count, requests, &which, &status);
    CHECK(which >= 0 && which < count);
    statuses[which] = status;
  }
  for (int ended = 0; way >= 4 && ended < count; ended += done) {
    MPI_Status* some = malloc((count + 1) * sizeof *some);
    (way == 4 ? MPI_Waitsome : MPI_Testsome)(count, requests, &done, indices, some);
    CHECK(done != MPI_UNDEFINED);
    for (int i = 0; i < done; ++i) statuses[indices[i]] = some[i];
    free(some);
  }
  for (int i = 0; i < count; ++i) {
    if (owners[i]) owners[i]->status = statuses[i];
    if (requests[i] != MPI_REQUEST_NULL) MPI_Request_free(&requests[i]); /* persistent ones */
  }
  free(indices);
  free(statuses);
}

static void one_round(void) {
  struct collective collectives[COLLECTIVES];
  int room = 0, begun = 0, unused = -1, cancelled;
  MPI_Request never;
  MPI_Status status;
  draw_messages();
  for (int i = 0; i < messages; ++i)
    if (all[i].from == rank) room += all[i].bytes + MPI_BSEND_OVERHEAD;
  void* buffer = malloc(room + 1);
  MPI_Buffer_attach(buffer, room + 1);
  request_count = 0;
  MPI_Irecv(&unused, 1, MPI_INT, MPI_ANY_SOURCE, NEVER_SENT, MPI_COMM_WORLD, &never);
  /* Receives run ahead of sends at some ranks, behind them at others; both in the order of the messages. */
  const int ahead = (int)next(&own, 3) * messages / 2 - messages / 2;
  for (int step = -messages / 2; step < messages + messages / 2; ++step) {
    const int r = step + (ahead > 0 ? ahead : 0), s = step - (ahead < 0 ? ahead : 0);
    static int received, sent;
    if (step == -messages / 2) received = sent = 0;
    for (; received <= r && received < messages; ++received)
      if (all[received].to == rank && !is_late(&all[received])) start_receive(&all[received]);
    for (; sent <= s && sent < messages; ++sent)
      if (all[sent].from == rank) start_send(&all[sent]);
    if (step >= 0 && step < messages && step % (messages / COLLECTIVES + 1) == 0) {
      start_collective(&collectives[begun++]);
      rest();
    }
  }
  exchange();
  rest();
  for (int i = 0; i < messages; ++i)
    if (all[i].to == rank && is_late(&all[i])) start_receive(&all[i]);
  wait_for_all((int)next(&own, 6));
  MPI_Cancel(&never);
  MPI_Wait(&never, &status);
  MPI_Test_cancelled(&status, &cancelled);
  CHECK(cancelled && unused == -1);
  MPI_Barrier(MPI_COMM_WORLD); /* or a message of the next round is what a receive from MPI_ANY_SOURCE gets */
  check_receives();
  while (begun > 0) finish_collective(&collectives[--begun]);
  MPI_Buffer_detach(&buffer, &room);
  free(buffer);
  for (int i = 0; i < messages; ++i) free(all[i].in), free(all[i].out);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  read_numbers(argc, argv, rank, (int*[]){&seed, &rounds, &messages, &kibibytes}, 4);
  all = calloc(messages + 1, sizeof *all);
  requests = malloc((2 * messages + COLLECTIVES + 1) * sizeof *requests);
  owners = malloc((2 * messages + COLLECTIVES + 1) * sizeof(struct message*));
  comms[WORLD] = MPI_COMM_WORLD;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[REVERSED]);
  MPI_Comm_split(MPI_COMM_WORLD, in_half(rank), rank, &comms[HALF]);
  for (int c = ANY_TAG; c < COMMS; ++c) MPI_Comm_dup(MPI_COMM_WORLD, &comms[c]);
  for (round_now = 0; round_now < rounds; ++round_now) one_round();
  for (int c = REVERSED; c < COMMS; ++c) MPI_Comm_free(&comms[c]);
  if (rank == 0) printf("PASS storm %d on %d ranks\n", seed, size);
  free(all);
  free(requests);
  free(owners);
  return MPI_Finalize();
}
