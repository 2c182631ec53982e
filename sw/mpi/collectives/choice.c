/* Algorithms of collective operations are chosen by name. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/deaths.h"
#include "sw/mpi/collectives/collective.h"

static void list_names(const struct mpi_choice* choice, char* text, size_t room) {
  size_t used = 0;
  for (int i = 0; choice->names[i] && used < room; ++i)
    used += (size_t)snprintf(text + used, room - used, "%s%s", i > 0 ? ", " : "", choice->names[i]);
}

static int index_of(const struct mpi_choice* choice, const char* name, size_t length) {
  for (int i = 0; choice->names[i]; ++i)
    if (strlen(choice->names[i]) == length && strncmp(choice->names[i], name, length) == 0) return i;
  return -1;
}

int mpi_choice_index(const struct mpi_choice* choice, const char* name, size_t length) {
  return index_of(choice, name, length);
}

/* Digits, and K or M for 1024 and its square. Returns where it ends; null: it is no size. */
static const char* read_size(const char* text, size_t* size) {
  const char* at = text;
  for (*size = 0; *at >= '0' && *at <= '9'; ++at) *size = *size * 10 + (size_t)(*at - '0');
  if (at == text) return NULL;
  if (*at == 'K' || *at == 'M') *size <<= *at++ == 'K' ? 10 : 20;
  return at;
}

/* NAME:BYTES,NAME:BYTES,NAME, as transports advise; a user's rules are read by mpi_read_rules. Returns 1; 0: a name is
 * wrong; -1: all else. */
static int read_rules(const struct mpi_choice* choice, const char* text, struct mpi_rules* rules) {
  for (rules->count = 0; rules->count < MPI_RULES_MOST;) {
    struct mpi_rule* rule = &rules->rule[rules->count++];
    const size_t length = strcspn(text, ":,");
    if ((rule->name = index_of(choice, text, length)) < 0) return 0;
    text += length;
    rule->most = SIZE_MAX;
    if (*text == '\0') return 1;
    if (*text != ':' || !(text = read_size(text + 1, &rule->most)) || *text++ != ',') return -1;
    if (rules->count > 1 && rule->most <= rule[-1].most) return -1;
  }
  return -1;
}

/* One rank reports it, as the setting is the same in all. */
static void refuse(const struct mpi_choice* choice, const char* names, const char* value, const char* wrong) {
  char text[640];
  if (wrong == mpi_no_such_name)
    snprintf(text, sizeof text, "%s is '%.200s'; choose one of %s", choice->key, value, names);
  else
    snprintf(text, sizeof text, "%s is '%.200s': %s; by size, it is like %s:256,%s", choice->key, value, wrong,
             choice->names[1], choice->names[2]);
  hal_abort(text);
}

static void choose(struct mpi_choice* choice) {
  char names[160], text[512];
  list_names(choice, names, sizeof names);
  snprintf(text, sizeof text, MPI_CHOICE_MEANING("%s", "%s", "%s"), names, choice->names[1], choice->names[2]);
  const char* value = hal_setting(choice->key, "auto", text, MPI_CHOICE_SOURCE);
  const int read = read_rules(choice, value, &choice->by_size);
  choice->chosen = 0;
  const char* wrong = NULL;
  if (read != 1 || choice->by_size.count > 1) {
    wrong = mpi_read_rules(choice, value, &choice->by_size);
    if (!wrong) return;
  }
  choice->by_size.count = 0;
  choice->chosen = !wrong ? choice->by_size.rule[0].name : 0;
  if (!wrong || hal_rank() != 0) return;
  refuse(choice, names, value, wrong);
}

static int pick(const struct mpi_rules* rules, size_t bytes) {
  for (int i = 0; i < rules->count; ++i)
    if (bytes <= rules->rule[i].most) return rules->rule[i].name;
  return 0;
}

int mpi_chosen(const struct mpi_choice* choice, size_t bytes) {
  return choice->chosen == 0 && choice->by_size.count > 0 ? pick(&choice->by_size, bytes) : choice->chosen;
}

static void read_advice(struct mpi_choice* choice, const struct transport_advice* row) {
  for (; row->key; ++row) {
    if (strcmp(row->key, choice->key) != 0 || choice->advised_count == MPI_RULES_MOST) continue;
    struct mpi_advised* advised = &choice->advised[choice->advised_count++];
    const unsigned most = row->most_ranks < INT_MAX ? row->most_ranks : INT_MAX;
    *advised = (struct mpi_advised){.powers_of_two = row->powers_of_two, .most_ranks = (int)most};
    if (read_rules(choice, row->rules, &advised->rules) != 1) hal_abort("a transport's advice names no such algorithm");
  }
}

int mpi_advised(struct mpi_choice* choice, size_t bytes, int ranks) {
  if (choice->advised_count == 0) {
    read_advice(choice, transport_advice(0));
    read_advice(choice, transport_advice(1));
  }
  for (int i = 0; i < choice->advised_count; ++i) {
    const struct mpi_advised* advised = &choice->advised[i];
    if (ranks <= advised->most_ranks && (!advised->powers_of_two || mpi_is_power_of_two(ranks)))
      return pick(&advised->rules, bytes);
  }
  return 1; /* of an operation without advice: the first name */
}

int mpi_choose(struct mpi_choice* choice, size_t bytes, int ranks) {
  const int chosen = mpi_chosen(choice, bytes);
  return chosen != 0 ? chosen : mpi_advised(choice, bytes, ranks);
}

#define ALL_CHOICES                                                                                                   \
  {                                                                                                                   \
    &mpi_barrier_choice, &mpi_bcast_choice, &mpi_gather_choice, &mpi_scatter_choice, &mpi_allgather_choice,           \
        &mpi_alltoall_choice, &mpi_reduce_choice, &mpi_allreduce_choice, &mpi_reduce_scatter_choice, &mpi_scan_choice \
  }

struct mpi_choice* const* mpi_choices(size_t* count) {
  static struct mpi_choice* const all[] = ALL_CHOICES;
  *count = sizeof all / sizeof *all;
  return all;
}

/* With a list of its own: that of mpi_choices would move the times of all programs by some ns. */
void mpi_collective_start(void) {
  struct mpi_choice* const all[] = ALL_CHOICES;
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) choose(all[i]);
}

/* ---- the network itself: for all processes of the job, in whatever order the communicator has them, or for a part.
 * Programs call such operations in the same order everywhere, since each may wait for all ranks. ---- */
static int is_all(MPI_Comm comm) { return (unsigned)comm->size == transport_count(); }

/* Made at the first operation that needs it: many communicators never do. */
static struct transport_group* group_of(MPI_Comm comm) {
  if (!comm->group_wanted) {
    comm->group_wanted = 1;
    comm->group = transport_group(comm->processes, (unsigned)comm->size);
  }
  return comm->group;
}

int mpi_hardware_barrier(MPI_Comm comm) {
  if (comm->size == 1) return 0;
  const MPI_Comm before = mpi_waits_among(comm);
  const int can = is_all(comm) || group_of(comm);
  if (is_all(comm))
    transport_barrier();
  else if (can)
    transport_group_barrier(comm->group);
  mpi_waits_among(before);
  return can;
}

static int broadcasts_by_messages;

void mpi_broadcast_by_messages(void) { broadcasts_by_messages = 1; }

int mpi_hardware_broadcast(MPI_Comm comm, void* buffer, size_t bytes, int root) {
  if (comm->size == 1 || (HAL_HAS_THREADS && broadcasts_by_messages)) return 0;
  const MPI_Comm before = mpi_waits_among(comm);
  const int made = is_all(comm)
                       ? transport_broadcast(buffer, bytes, mpi_process(comm, root))
                       : group_of(comm) && transport_group_broadcast(comm->group, buffer, bytes, (unsigned)root);
  mpi_waits_among(before);
  return made;
}
