/* Hash tables: a list of entries for each bucket. The number of buckets doubles when there are as many entries. */
#include <stdlib.h>
#include <string.h>

#include "sw/gm/gm_utilities.h"

struct entry {
  struct entry* next;
  void *key, *datum; /* as given, or into `copies` */
  max_align_t copies[];
};

struct gm_hash {
  long (*compare)(void*, void*);
  unsigned long (*hash)(void*);
  gm_size_t key_bytes, datum_bytes;
  struct entry** buckets;
  gm_size_t count, bucket_count; /* a power of two */
  struct entry* removed;         /* the last removed one, whose datum the caller may still read */
};

static gm_size_t in_units(gm_size_t bytes) { return (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t); }

struct gm_hash* gm_create_hash(long (*compare)(void* key1, void* key2), unsigned long (*hash)(void* key),
                               gm_size_t key_bytes, gm_size_t datum_bytes, gm_size_t at_least, int flags) {
  (void)flags;
  struct gm_hash* table = calloc(1, sizeof *table);
  if (!table) return NULL;
  *table = (struct gm_hash){
      .compare = compare, .hash = hash, .key_bytes = key_bytes, .datum_bytes = datum_bytes, .bucket_count = 16};
  while (table->bucket_count < at_least) table->bucket_count *= 2;
  table->buckets = calloc(table->bucket_count, sizeof(struct entry*));
  if (table->buckets) return table;
  free(table);
  return NULL;
}

void gm_destroy_hash(struct gm_hash* table) {
  for (gm_size_t i = 0; i < table->bucket_count; ++i)
    while (table->buckets[i]) {
      struct entry* entry = table->buckets[i];
      table->buckets[i] = entry->next;
      free(entry);
    }
  free(table->removed);
  free(table->buckets);
  free(table);
}

static unsigned long hash_of(const struct gm_hash* table, void* key) {
  if (table->hash) return table->hash(key);
  return table->key_bytes > 0 ? gm_crc(key, table->key_bytes) : gm_hash_hash_ptr(key);
}

static int same(const struct gm_hash* table, void* a, void* b) {
  if (table->compare) return table->compare(a, b) == 0;
  return table->key_bytes > 0 ? memcmp(a, b, table->key_bytes) == 0 : a == b;
}

/* The pointer to the entry with this key, or the null pointer at the end of its bucket. */
static struct entry** place_of(const struct gm_hash* table, void* key) {
  struct entry** place = &table->buckets[hash_of(table, key) & (table->bucket_count - 1)];
  while (*place && !same(table, (*place)->key, key)) place = &(*place)->next;
  return place;
}

void* gm_hash_find(struct gm_hash* table, void* key) {
  const struct entry* entry = *place_of(table, key);
  return entry ? entry->datum : NULL;
}

static struct entry* hash_take(struct gm_hash* table, void* key) {
  struct entry** place = place_of(table, key);
  struct entry* entry = *place;
  if (!entry) return NULL;
  *place = entry->next;
  --table->count;
  return entry;
}

void* gm_hash_remove(struct gm_hash* table, void* key) {
  struct entry* entry = hash_take(table, key);
  if (!entry) return NULL;
  free(table->removed);
  table->removed = entry;
  return entry->datum;
}

static void put(struct gm_hash* table, struct entry* entry) {
  struct entry** bucket = &table->buckets[hash_of(table, entry->key) & (table->bucket_count - 1)];
  entry->next = *bucket;
  *bucket = entry;
  ++table->count;
}

static void grow(struct gm_hash* table) {
  struct entry** more = calloc(2 * table->bucket_count, sizeof(struct entry*));
  if (!more) return; /* longer lists, no loss */
  struct entry** old = table->buckets;
  const gm_size_t old_count = table->bucket_count;
  table->buckets = more;
  table->bucket_count *= 2;
  table->count = 0;
  for (gm_size_t i = 0; i < old_count; ++i)
    while (old[i]) {
      struct entry* entry = old[i];
      old[i] = entry->next;
      put(table, entry);
    }
  free(old);
}

static void set_key(const struct gm_hash* table, struct entry* entry, void* key) {
  entry->key = table->key_bytes > 0 ? memcpy(entry->copies, key, table->key_bytes) : key;
}

gm_status_t gm_hash_insert(struct gm_hash* table, void* key, void* datum) {
  const gm_size_t key_units = in_units(table->key_bytes), units = key_units + in_units(table->datum_bytes);
  struct entry* entry = malloc(sizeof *entry + units * sizeof(max_align_t));
  if (!entry) return GM_OUT_OF_MEMORY;
  set_key(table, entry, key);
  entry->datum = table->datum_bytes > 0 ? memcpy(entry->copies + key_units, datum, table->datum_bytes) : datum;
  if (table->count == table->bucket_count) grow(table);
  put(table, entry);
  return GM_SUCCESS;
}

void gm_hash_rekey(struct gm_hash* table, void* old_key, void* new_key) {
  struct entry* entry = hash_take(table, old_key);
  if (!entry) return;
  set_key(table, entry, new_key);
  put(table, entry);
}

/* ---- keys that programs have ---- */

/* 64 bits to 64 bits, by Fibonacci hashing: the high half of a product with 2^64 / 1.618..., odd. */
static unsigned long spread(unsigned long number) { return number * 0x9e3779b97f4a7c15ul >> 32; }

long gm_hash_compare_strings(void* key1, void* key2) { return strcmp(key1, key2); }
unsigned long gm_hash_hash_string(void* key) { return gm_crc_str(key); }
long gm_hash_compare_longs(void* key1, void* key2) { return *(const long*)key1 != *(const long*)key2; }
unsigned long gm_hash_hash_long(void* key) { return spread(*(const unsigned long*)key); }
long gm_hash_compare_ints(void* key1, void* key2) { return *(const int*)key1 != *(const int*)key2; }
unsigned long gm_hash_hash_int(void* key) { return spread(*(const unsigned*)key); }
long gm_hash_compare_ptrs(void* key1, void* key2) { return key1 != key2; }
unsigned long gm_hash_hash_ptr(void* key) { return spread((unsigned long)key); }
