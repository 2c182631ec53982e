/* A round of a collective access: messages with lists of spans, and their data. A process and an aggregator exchange
 * messages where the process's range meets the aggregator's window, which both know. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/files/two_phase.h"

enum { TAG_LIST = 1, TAG_DATA };

/* ---- messages under way ---- */
struct letters {
  MPI_Request* requests;
  char** texts;
  int count;
};

static struct letters letters_for(int most) {
  const size_t room = (size_t)most + 1;
  return (struct letters){mpi_memory(room * sizeof(MPI_Request)), mpi_memory(room * sizeof(char*)), 0};
}

static char* add_letter(struct letters* letters, size_t bytes) {
  letters->texts[letters->count] = mpi_memory(bytes);
  return letters->texts[letters->count];
}

static void send_letter(struct letters* letters, size_t bytes, int to, int tag, MPI_Comm comm) {
  MPI_Isend(letters->texts[letters->count], (int)bytes, MPI_BYTE, to, tag, comm, &letters->requests[letters->count]);
  ++letters->count;
}

static void receive_letter(struct letters* letters, size_t bytes, int from, int tag, MPI_Comm comm) {
  MPI_Irecv(add_letter(letters, bytes), (int)bytes, MPI_BYTE, from, tag, comm, &letters->requests[letters->count]);
  ++letters->count;
}

static void wait_for(const struct letters* letters) {
  MPI_Waitall(letters->count, letters->requests, MPI_STATUSES_IGNORE);
}

static void forget(struct mpi_clipped* own) {
  free(own->spans);
  free(own->places);
}

static void discard(struct letters* letters) {
  for (int i = 0; i < letters->count; ++i) free(letters->texts[i]);
  free(letters->texts);
  free(letters->requests);
}

/* ---- lists of spans, with the data of a write behind them ---- */
static void send_list(struct letters* letters, const struct mpi_clipped* own, const char* data, int to, MPI_Comm comm) {
  const size_t list = own->count * sizeof *own->spans, bytes = data ? own->bytes : 0;
  char* const text = add_letter(letters, sizeof list + list + bytes);
  memcpy(text, &list, sizeof list);
  memcpy(text + sizeof list, own->spans, list);
  if (bytes > 0) memcpy(text + sizeof list + list, data + own->places[0], bytes);
  send_letter(letters, sizeof list + list + bytes, to, TAG_LIST, comm);
}

struct list {
  char* text;
  const struct hal_file_span* spans;
  size_t count;
  const char* data;
};

static struct list receive_list(int from, MPI_Comm comm) {
  MPI_Status status;
  struct list list = {NULL, NULL, 0, NULL};
  size_t bytes = 0;
  MPI_Probe(from, TAG_LIST, comm, &status);
  list.text = mpi_memory(status.bytes_);
  MPI_Recv(list.text, (int)status.bytes_, MPI_BYTE, from, TAG_LIST, comm, MPI_STATUS_IGNORE);
  memcpy(&bytes, list.text, sizeof bytes);
  list.spans = (const struct hal_file_span*)(list.text + sizeof bytes);
  list.count = bytes / sizeof *list.spans;
  list.data = list.text + sizeof bytes + bytes;
  return list;
}

/* ---- what the processes want of a window, as few spans ---- */
static int by_begin(const void* left, const void* right) {
  const struct hal_file_span *a = left, *b = right;
  return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static void add_spans(struct mpi_spans* wanted, const struct hal_file_span* spans, size_t count) {
  wanted->all = mpi_larger_memory(wanted->all, (wanted->count + count) * sizeof *wanted->all);
  if (count > 0) memcpy(wanted->all + wanted->count, spans, count * sizeof *spans);
  wanted->count += count;
}

static void merge(struct mpi_spans* wanted) {
  size_t count = 0;
  if (wanted->count > 1) qsort(wanted->all, wanted->count, sizeof *wanted->all, by_begin);
  for (size_t i = 0; i < wanted->count; ++i) {
    const struct hal_file_span next = wanted->all[i];
    struct hal_file_span* last = count > 0 ? &wanted->all[count - 1] : NULL;
    if (last && next.begin <= last->begin + last->bytes) {
      const uint64_t end = next.begin + next.bytes;
      if (end > last->begin + last->bytes) last->bytes = end - last->begin;
    } else {
      wanted->all[count++] = next;
    }
  }
  wanted->count = count;
}

/* Accesses them, from and into the window's memory. Returns an errno. */
static int access_window(MPI_File file, enum hal_file_way way, const struct mpi_spans* wanted, char* memory,
                         struct mpi_range window) {
  uint64_t end_ps = 0;
  int64_t moved = 0;
  for (size_t i = 0; i < wanted->count && moved >= 0; ++i)
    moved = mpi_file_move(file, way, memory + (wanted->all[i].begin - window.begin), &wanted->all[i], 1, &end_ps);
  hal_file_wait(end_ps);
  return moved < 0 ? (int)-moved : 0;
}

/* ---- writing ---- */
static int write_window(const struct mpi_plan* plan, struct mpi_range window) {
  MPI_Comm comm = plan->file->comm;
  char* const memory = mpi_memory(window.end - window.begin);
  struct mpi_spans wanted = {NULL, 0};
  for (int i = 0; i < comm->size; ++i) {
    if (!mpi_ranges_meet(plan->ranges[i], window)) continue;
    struct list list = receive_list(i, comm);
    for (size_t j = 0; j < list.count; ++j) {
      memcpy(memory + (list.spans[j].begin - window.begin), list.data, list.spans[j].bytes);
      list.data += list.spans[j].bytes;
    }
    add_spans(&wanted, list.spans, list.count);
    free(list.text);
  }
  merge(&wanted);
  const int error = access_window(plan->file, HAL_FILE_WRITE, &wanted, memory, window);
  free(wanted.all);
  free(memory);
  return error;
}

int mpi_write_round(const struct mpi_plan* plan, uint64_t round, const struct mpi_spans* spans, const char* data) {
  MPI_Comm comm = plan->file->comm;
  struct letters letters = letters_for(plan->count);
  int error = 0;
  for (int i = 0; i < plan->count; ++i) {
    const struct mpi_range window = mpi_plan_window(plan, i, round);
    if (!mpi_ranges_meet(plan->ranges[comm->rank], window)) continue;
    struct mpi_clipped own;
    mpi_clip(spans, window, &own);
    send_list(&letters, &own, data, plan->aggregators[i], comm);
    forget(&own);
  }
  for (int i = 0; i < plan->count; ++i)
    if (plan->aggregators[i] == comm->rank) error = write_window(plan, mpi_plan_window(plan, i, round));
  wait_for(&letters);
  discard(&letters);
  return error;
}

/* ---- reading ---- */
/* A reply: the file's size, then the data of the list, with zeros behind the file's end. */
static void send_reply(struct letters* letters, uint64_t size, const struct list* list, const char* memory,
                       struct mpi_range window, int to, MPI_Comm comm) {
  size_t bytes = sizeof size;
  for (size_t i = 0; i < list->count; ++i) bytes += list->spans[i].bytes;
  char* at = add_letter(letters, bytes);
  memcpy(at, &size, sizeof size);
  at += sizeof size;
  for (size_t i = 0; i < list->count; ++i) {
    memcpy(at, memory + (list->spans[i].begin - window.begin), list->spans[i].bytes);
    at += list->spans[i].bytes;
  }
  send_letter(letters, bytes, to, TAG_DATA, comm);
}

static int read_window(const struct mpi_plan* plan, struct mpi_range window, struct letters* letters) {
  MPI_Comm comm = plan->file->comm;
  struct stat status = {.st_size = 0};
  char* const memory = mpi_zeroed_memory(window.end - window.begin);
  struct list* lists = mpi_zeroed_memory((size_t)comm->size * sizeof *lists);
  struct mpi_spans wanted = {NULL, 0};
  for (int i = 0; i < comm->size; ++i) {
    if (!mpi_ranges_meet(plan->ranges[i], window)) continue;
    lists[i] = receive_list(i, comm);
    add_spans(&wanted, lists[i].spans, lists[i].count);
  }
  merge(&wanted);
  int error = access_window(plan->file, HAL_FILE_READ, &wanted, memory, window);
  if (fstat(plan->file->descriptor, &status) != 0) error = errno;
  for (int i = 0; i < comm->size; ++i) {
    if (lists[i].text) send_reply(letters, (uint64_t)status.st_size, &lists[i], memory, window, i, comm);
    free(lists[i].text);
  }
  free(lists);
  free(wanted.all);
  free(memory);
  return error;
}

/* Takes the data before the file's end. */
static uint64_t take_reply(const char* text, const struct mpi_clipped* own, char* data) {
  uint64_t size = 0, taken = 0;
  memcpy(&size, text, sizeof size);
  text += sizeof size;
  for (size_t i = 0; i < own->count; ++i) {
    const struct hal_file_span* span = &own->spans[i];
    const uint64_t left = size > span->begin ? size - span->begin : 0, here = left < span->bytes ? left : span->bytes;
    memcpy(data + own->places[i], text, here);
    text += span->bytes;
    taken += here;
  }
  return taken;
}

int mpi_read_round(const struct mpi_plan* plan, uint64_t round, const struct mpi_spans* spans, char* data,
                   uint64_t* moved) {
  MPI_Comm comm = plan->file->comm;
  struct letters lists = letters_for(plan->count), replies = letters_for(plan->count),
                 served = letters_for(plan->count * comm->size);
  struct mpi_clipped* own = mpi_zeroed_memory((size_t)plan->count * sizeof *own);
  int error = 0;
  for (int i = 0; i < plan->count; ++i) {
    const struct mpi_range window = mpi_plan_window(plan, i, round);
    if (!mpi_ranges_meet(plan->ranges[comm->rank], window)) continue;
    mpi_clip(spans, window, &own[replies.count]);
    receive_letter(&replies, sizeof(uint64_t) + own[replies.count].bytes, plan->aggregators[i], TAG_DATA, comm);
    send_list(&lists, &own[replies.count - 1], NULL, plan->aggregators[i], comm);
  }
  for (int i = 0; i < plan->count; ++i)
    if (plan->aggregators[i] == comm->rank) error = read_window(plan, mpi_plan_window(plan, i, round), &served);
  wait_for(&lists);
  wait_for(&replies);
  for (int i = 0; i < replies.count; ++i) *moved += take_reply(replies.texts[i], &own[i], data);
  wait_for(&served);
  for (int i = 0; i < replies.count; ++i) forget(&own[i]);
  free(own);
  discard(&lists);
  discard(&replies);
  discard(&served);
  return error;
}
