/* GOAL files. Each rank goes through the whole file and reads its own block; the others' it passes over. What is wrong
 * outside of blocks all find, and the first rank reports it; what is wrong in a block its own rank. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/apps/goal/collective.h"
#include "sw/apps/goal/program.h"
#include "sw/hal/hal.h"
#include "sw/support/options.h"

#define WORD_MOST 128
#define LABELS_AT_FIRST 1024
#define PIECE 65536 /* bytes read at once */

struct label {
  char* name; /* NULL: free */
  uint32_t operation;
};

struct reader {
  const char* file;
  FILE* stream;
  unsigned char piece[PIECE];
  size_t next, filled;
  unsigned long line, word_line;
  char word[WORD_MOST]; /* empty at the end of a statement, and of the file */
  int is_at_end, is_in_own_block;
  struct label* labels; /* open addressing */
  size_t label_room, label_count;
};

static void refuse(const struct reader* reader, const char* what) {
  const char* word = reader->is_at_end ? "the end of the file" : *reader->word ? reader->word : "the end of the line";
  hal_untimed_end();
  if (reader->is_in_own_block || hal_rank() == 0)
    fprintf(stderr, "%s:%lu: at '%s': %s\n", reader->file, reader->word_line, word, what);
  if (reader->is_in_own_block) hal_exit(2);
  options_refused();
}

void* goal_grown(void* array, uint32_t count, uint32_t* room, size_t each) {
  if (count < *room) return array;
  *room = *room ? 2 * *room : 64;
  array = realloc(array, *room * each);
  if (!array) hal_abort("goal: there is no room for the program");
  return array;
}

static int next_char(struct reader* reader) {
  if (reader->next == reader->filled) {
    reader->filled = fread(reader->piece, 1, PIECE, reader->stream);
    reader->next = 0;
    if (reader->filled == 0) return EOF;
  }
  const int c = reader->piece[reader->next++];
  if (c == '\n') ++reader->line;
  return c;
}

/* The last character. */
static void put_back(struct reader* reader, int c) {
  if (c == '\n') --reader->line;
  --reader->next;
}

static void skip_block_comment(struct reader* reader) {
  int before = 0;
  for (int c; !((c = next_char(reader)) == '/' && before == '*'); before = c)
    if (c == EOF) refuse(reader, "a comment has no end: close it with */");
}

/* The first character behind blanks and comments. */
static int skip_blanks(struct reader* reader) {
  for (;;) {
    int c = next_char(reader);
    if (c == ' ' || c == '\t' || c == '\r') continue;
    if (c != '/') return c;
    reader->word_line = reader->line;
    c = next_char(reader);
    if (c == '/') {
      while (c != '\n' && c != EOF) c = next_char(reader);
      return c;
    }
    if (c != '*') refuse(reader, "a lone '/': comments are // to the end of the line, or /* to */");
    skip_block_comment(reader);
  }
}

static int is_letter(int c) { return isalnum(c) || c == '_' || c == '-' || c == '.'; }

static void step(struct reader* reader) {
  size_t length = 0;
  int c = skip_blanks(reader);
  reader->word_line = reader->line - (c == '\n');
  reader->is_at_end = c == EOF;
  if (c != EOF && c != '\n' && c != ';') {
    reader->word[length++] = (char)c;
    if (is_letter(c)) {
      while (is_letter(c = next_char(reader)) && length < WORD_MOST - 1) reader->word[length++] = (char)c;
      if (c != EOF) put_back(reader, c);
    }
  }
  reader->word[length] = '\0';
}

static int take(struct reader* reader, const char* wanted) {
  if (strcmp(reader->word, wanted) != 0) return 0;
  step(reader);
  return 1;
}

static void skip_ends(struct reader* reader) {
  while (!*reader->word && !reader->is_at_end) step(reader);
}

static uint64_t number(struct reader* reader, uint64_t most, const char* unit, const char* what) {
  char* end = NULL;
  errno = 0;
  const unsigned long long value = strtoull(reader->word, &end, 10);
  if (!isdigit((unsigned char)*reader->word) || strcmp(end, unit) != 0 || errno || value > most) refuse(reader, what);
  step(reader);
  return value;
}

static size_t label_place(const struct reader* reader, const char* name) {
  size_t place = 5381; /* Bernstein's hash */
  for (const char* at = name; *at; ++at) place = 33 * place + (unsigned char)*at;
  place &= reader->label_room - 1;
  while (reader->labels[place].name && strcmp(reader->labels[place].name, name) != 0)
    place = (place + 1) & (reader->label_room - 1);
  return place;
}

static void make_label_room(struct reader* reader) {
  if (2 * (reader->label_count + 1) < reader->label_room) return;
  struct label* const old = reader->labels;
  const size_t old_room = reader->label_room;
  reader->label_room = old_room ? 2 * old_room : LABELS_AT_FIRST;
  reader->labels = calloc(reader->label_room, sizeof *reader->labels);
  if (!reader->labels) hal_abort("goal: there is no room for the labels");
  for (size_t i = 0; i < old_room; ++i)
    if (old[i].name) reader->labels[label_place(reader, old[i].name)] = old[i];
  free(old);
}

static void add_label(struct reader* reader, const char* name, uint32_t operation) {
  make_label_room(reader);
  struct label* const label = &reader->labels[label_place(reader, name)];
  if (label->name) refuse(reader, "the line has a label that another operation of the rank has");
  label->name = strdup(name);
  if (!label->name) hal_abort("goal: there is no room for the labels");
  label->operation = operation;
  ++reader->label_count;
}

static uint32_t known(struct reader* reader, const char* name) {
  const struct label* const label = reader->labels ? &reader->labels[label_place(reader, name)] : NULL;
  if (!label || !label->name) refuse(reader, "no operation of the rank above this line has the label");
  return label->operation;
}

static void read_sizes(struct reader* reader, struct goal_sizes* sizes) {
  while (isdigit((unsigned char)*reader->word)) {
    sizes->bytes = goal_grown(sizes->bytes, sizes->count, &sizes->room, sizeof *sizes->bytes);
    sizes->bytes[sizes->count++] = (int)number(reader, INT32_MAX, "b", "expected bytes, such as 8b");
  }
}

static struct goal_collective read_collective(struct reader* reader, const struct goal_program* program) {
  struct goal_collective made = {.root = -1};
  if (!goal_is_collective(reader->word) || strlen(reader->word) >= sizeof made.name)
    refuse(reader, "no collective operation; write it like: collective allreduce gives 8b");
  memcpy(made.name, reader->word, strlen(reader->word) + 1);
  step(reader);
  if (take(reader, "gives")) read_sizes(reader, &made.gives);
  if (take(reader, "takes")) read_sizes(reader, &made.takes);
  if (take(reader, "root")) made.root = (int)number(reader, INT32_MAX, "", "expected the root's rank");
  if (take(reader, "comm"))
    made.communicator = (uint32_t)number(reader, program->communicator_count, "",
                                         "there is no such communicator: define it in front, as in comm 1 { 0 2 }");
  const uint32_t ranks =
      made.communicator ? program->communicators[made.communicator - 1].ranks.count : (uint32_t)hal_ranks();
  if (made.root >= (int)ranks) refuse(reader, "the root is no rank of the communicator");
  if ((made.gives.count > 1 && made.gives.count != ranks) || (made.takes.count > 1 && made.takes.count != ranks))
    refuse(reader, "give one size, or one for each rank of the communicator");
  return made;
}

static void read_communicator(struct reader* reader, struct goal_program* program) {
  static const char* const form = "write it like: comm 1 { 0 2 4 }, and count communicators from 1";
  if (number(reader, UINT32_MAX, "", form) != program->communicator_count + 1) refuse(reader, form);
  if (!take(reader, "{")) refuse(reader, form);
  struct goal_sizes ranks = {0};
  for (skip_ends(reader); !take(reader, "}"); skip_ends(reader)) {
    ranks.bytes = goal_grown(ranks.bytes, ranks.count, &ranks.room, sizeof *ranks.bytes);
    ranks.bytes[ranks.count++] = (int)number(reader, (uint64_t)hal_ranks() - 1, "", "there is no such rank");
  }
  if (ranks.count == 0) refuse(reader, "a communicator of no ranks");
  program->communicators = goal_grown(program->communicators, program->communicator_count, &program->communicator_room,
                                      sizeof *program->communicators);
  program->communicators[program->communicator_count++].ranks = ranks;
}

static void read_operation(struct reader* reader, struct goal_program* program) {
  static const char* const message_form = "write it like: send 8b to 1 tag 3, or recv 8b from 0 tag 3";
  struct goal_operation made = {.kind = GOAL_CALC};
  if (take(reader, "calc")) {
    made.size = number(reader, INT64_MAX / 4 / 1000, "", "write it like: calc 100, of 26 days at most");
  } else if (take(reader, "collective")) {
    made.kind = GOAL_COLLECTIVE;
    program->collectives = goal_grown(program->collectives, program->collective_count, &program->collective_room,
                                      sizeof *program->collectives);
    program->collectives[program->collective_count] = read_collective(reader, program);
    made.size = program->collective_count++;
  } else {
    made.kind = strcmp(reader->word, "send") == 0 ? GOAL_SEND : GOAL_RECEIVE;
    if (!take(reader, "send") && !take(reader, "recv")) refuse(reader, "expected send, recv, calc or collective");
    made.size = number(reader, INT32_MAX, "b", message_form);
    if (!take(reader, made.kind == GOAL_SEND ? "to" : "from")) refuse(reader, message_form);
    if (made.kind == GOAL_RECEIVE && take(reader, "-1"))
      made.partner = GOAL_ANY;
    else
      made.partner = (int64_t)number(reader, (uint64_t)hal_ranks() - 1, "", "there is no such rank in the program");
    if (made.size > program->largest) program->largest = made.size;
  }
  while (*reader->word && strcmp(reader->word, "}") != 0) {
    if ((made.kind == GOAL_SEND || made.kind == GOAL_RECEIVE) && take(reader, "tag")) {
      if (made.kind == GOAL_RECEIVE && take(reader, "-1"))
        made.tag = GOAL_ANY;
      else
        made.tag = (int64_t)number(reader, INT32_MAX, "", "expected a tag up to 2147483647");
    } else if (take(reader, "cpu")) {
      made.cpu = (uint8_t)number(reader, GOAL_CPUS - 1, "", "expected a CPU's number up to 255");
    } else if (take(reader, "nic")) {
      number(reader, GOAL_CPUS - 1, "", "expected a NIC's number up to 255");
    } else {
      refuse(reader, made.kind == GOAL_CALC ? "write it like: calc 100" : message_form);
    }
  }
  program->operations = goal_grown(program->operations, program->count, &program->room, sizeof *program->operations);
  program->operations[program->count++] = made;
}

static void add_dependence(struct goal_program* program, uint32_t before, uint32_t after, int at_start) {
  if (program->dependence_count == 0) program->dependence_count = 1;
  program->dependences = goal_grown(program->dependences, program->dependence_count, &program->dependence_room,
                                    sizeof *program->dependences);
  struct goal_operation* const first = &program->operations[before];
  program->dependences[program->dependence_count] =
      (struct goal_dependence){.after = after, .next = first->dependences, .at_start = at_start};
  first->dependences = program->dependence_count++;
  ++program->operations[after].waits_for;
}

static void read_statement(struct reader* reader, struct goal_program* program) {
  char first[WORD_MOST];
  memcpy(first, reader->word, sizeof first);
  if (strcmp(first, "send") == 0 || strcmp(first, "recv") == 0 || strcmp(first, "calc") == 0 ||
      strcmp(first, "collective") == 0) {
    read_operation(reader, program);
    return;
  }
  step(reader);
  const int at_start = strcmp(reader->word, "irequires") == 0;
  if (take(reader, ":")) {
    add_label(reader, first, program->count);
    read_operation(reader, program);
  } else if (take(reader, "requires") || take(reader, "irequires")) {
    const uint32_t after = known(reader, first);
    do {
      const uint32_t before = known(reader, reader->word);
      step(reader);
      add_dependence(program, before, after, at_start);
    } while (take(reader, ","));
  } else {
    refuse(reader, "a rank has send, recv, calc, collective, each perhaps after LABEL:, and LABEL requires LABEL");
  }
}

static void forget_labels(struct reader* reader) {
  for (size_t i = 0; i < reader->label_room; ++i) {
    free(reader->labels[i].name);
    reader->labels[i].name = NULL;
  }
  reader->label_count = 0;
}

/* To what may end a block, or hide its end, as far as the piece reaches. */
static void skip_to_sign(struct reader* reader) {
  size_t at = reader->next;
  for (; at < reader->filled && reader->piece[at] != '}' && reader->piece[at] != '/'; ++at)
    reader->line += reader->piece[at] == '\n';
  reader->next = at;
}

/* Over another rank's block. */
static void pass_over(struct reader* reader) {
  if (strcmp(reader->word, "}") == 0) return;
  for (int c; skip_to_sign(reader), (c = next_char(reader)) != '}';) {
    if (c == EOF) refuse(reader, "the rank has no end: close it with }");
    if (c != '/') continue;
    put_back(reader, c);
    c = skip_blanks(reader);
    if (c != EOF) put_back(reader, c);
  }
  put_back(reader, '}');
  step(reader);
}

struct goal_program goal_read(const char* file) {
  static const char* const rank_form = "write it like: rank 0 { ... }";
  struct goal_program program = {0};
  static struct reader reader; /* too large for a small stack */
  reader.file = file;
  reader.stream = fopen(file, "r");
  reader.line = 1;
  if (!reader.stream) {
    if (hal_rank() == 0) fprintf(stderr, "%s: %s\n", file, strerror(errno));
    options_refused();
  }
  hal_untimed_begin(); /* the program's own does not read itself */
  step(&reader);
  skip_ends(&reader);
  if (!take(&reader, "num_ranks")) refuse(&reader, "begin the file with the number of ranks, such as num_ranks 4");
  if (number(&reader, INT32_MAX, "", "write it like: num_ranks 4") != (uint64_t)hal_ranks())
    refuse(&reader, "the program has another number of ranks than the job: give it as --np");
  for (skip_ends(&reader); !reader.is_at_end; skip_ends(&reader)) {
    if (take(&reader, "comm")) {
      read_communicator(&reader, &program);
      continue;
    }
    if (!take(&reader, "rank")) refuse(&reader, rank_form);
    const uint64_t rank = number(&reader, (uint64_t)hal_ranks() - 1, "", "there is no such rank in the program");
    skip_ends(&reader);
    if (!take(&reader, "{")) refuse(&reader, rank_form);
    if (rank != (uint64_t)hal_rank()) {
      pass_over(&reader);
      take(&reader, "}");
      continue;
    }
    reader.is_in_own_block = 1;
    for (skip_ends(&reader); !take(&reader, "}"); skip_ends(&reader)) {
      if (reader.is_at_end) refuse(&reader, "the rank has no end: close it with }");
      read_statement(&reader, &program);
    }
    reader.is_in_own_block = 0;
    forget_labels(&reader);
  }
  hal_untimed_end();
  fclose(reader.stream);
  free(reader.labels);
  return program;
}

void goal_forget(struct goal_program* program) {
  for (uint32_t i = 0; i < program->collective_count; ++i) {
    free(program->collectives[i].gives.bytes);
    free(program->collectives[i].takes.bytes);
  }
  for (uint32_t i = 0; i < program->communicator_count; ++i) free(program->communicators[i].ranks.bytes);
  free(program->collectives);
  free(program->communicators);
  free(program->operations);
  free(program->dependences);
}
