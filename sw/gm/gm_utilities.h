/* The tools that GM's library has for its clients: memory, text, hash tables and lists of free records. They need no
 * port. gm.h includes this. */
#ifndef GM_UTILITIES_H
#define GM_UTILITIES_H

#include "sw/gm/gm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GM_OFFSETOF(type, field) ((gm_offset_t)offsetof(type, field))
#define GM_STRUCT_CONTAINING(type, field, instance) ((type*)((char*)(instance)-GM_OFFSETOF(type, field)))
#define GM_NUM_ELEM(array) (sizeof(array) / sizeof(*(array)))
#define GM_POWER_OF_TWO(number) (!((number) & ((number)-1)))
#define GM_ALIGNED(number, to) (((gm_size_t)(number) & ((gm_size_t)(to)-1)) == 0)
#define GM_DMA_ALIGNED(pointer) GM_ALIGNED(pointer, GM_DMA_GRANULARITY)
#define GM_PARAMETER_MAY_BE_UNUSED(name) ((void)(name))
#define GM_VAR_MAY_BE_UNUSED(name) ((void)(name))

/* ---- memory that the card does not touch ---- */
#define GM_PAGE_LEN 4096ul
void* gm_malloc(gm_size_t bytes);
void* gm_calloc(gm_size_t bytes, gm_size_t count);
void gm_free(void* memory);
void* gm_page_alloc(void);
void gm_page_free(void* page);
void* gm_alloc_pages(gm_size_t bytes);
void gm_free_pages(void* pages, gm_size_t bytes);
void gm_bcopy(const void* from, void* to, gm_size_t bytes);
void gm_bzero(void* memory, gm_size_t bytes);
int gm_memcmp(const void* a, const void* b, gm_size_t bytes);
void* gm_memset(void* memory, int value, gm_size_t bytes);

/* ---- text ---- */
gm_size_t gm_strlen(const char* text);
char* gm_strncpy(char* to, const char* from, int most);
int gm_strcmp(const char* a, const char* b);
int gm_strncmp(const char* a, const char* b, int most);
int gm_strncasecmp(const char* a, const char* b, int most);
char* gm_strdup(const char* text);
int gm_isprint(int character);
int gm_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
int gm_eprintf(const char* format, ...) __attribute__((format(printf, 1, 2))); /* to standard error */
void gm_hex_dump(const void* memory, gm_size_t bytes);

/* ---- the process ---- */
typedef gm_u32_t gm_pid_t;
gm_pid_t gm_getpid(void); /* its rank + 1 */
int gm_sleep(unsigned seconds);
void gm_abort(void);
/* Ends the process: with 0 for GM_SUCCESS, else with 1. The callbacks of gm_on_exit run before, the last first. */
typedef void (*gm_on_exit_callback_t)(gm_status_t status, void* argument);
void gm_exit(gm_status_t status);
gm_status_t gm_on_exit(gm_on_exit_callback_t callback, void* argument);
#define gm_assert(condition) ((void)(condition))
#define gm_always_assert(condition) ((condition) ? (void)0 : gm_assertion_failed(#condition, __LINE__, __FILE__))
#define GM_ABORT() gm_assertion_failed("GM_ABORT", __LINE__, __FILE__)
void gm_assertion_failed(const char* condition, int line, const char* file);

/* ---- numbers ---- */
unsigned long gm_log2_roundup(unsigned long number);       /* of 2 to the power of it: 0 for 0 and 1 */
unsigned long gm_crc(const void* memory, gm_size_t bytes); /* CRC-32 as Ethernet's */
unsigned long gm_crc_str(const char* text);
int gm_rand(void);
void gm_srand(int seed);
unsigned gm_rand_mod(unsigned modulus);

/* ---- records of one length ---- */
struct gm_lookaside;
struct gm_lookaside* gm_create_lookaside(gm_size_t bytes, gm_size_t at_least);
void gm_destroy_lookaside(struct gm_lookaside* lookaside);
void* gm_lookaside_alloc(struct gm_lookaside* lookaside);
void* gm_lookaside_zalloc(struct gm_lookaside* lookaside); /* zeroed */
void gm_lookaside_free(void* record);

/* ---- hash tables ---- */
/* A key of `key_bytes` is copied, and functions get its address; with 0 the key is the pointer itself. Likewise for the
 * datum. Null functions compare and hash the key's bytes, or the pointer. */
struct gm_hash;
struct gm_hash* gm_create_hash(long (*compare)(void* key1, void* key2), unsigned long (*hash)(void* key),
                               gm_size_t key_bytes, gm_size_t datum_bytes, gm_size_t at_least, int flags);
void gm_destroy_hash(struct gm_hash* table);
/* The datum, or its copy in the table, which is valid until the next insertion or removal; null: not there. */
void* gm_hash_find(struct gm_hash* table, void* key);
void* gm_hash_remove(struct gm_hash* table, void* key); /* as gm_hash_find, and takes it out */
gm_status_t gm_hash_insert(struct gm_hash* table, void* key, void* datum);
void gm_hash_rekey(struct gm_hash* table, void* old_key, void* new_key);
long gm_hash_compare_strings(void* key1, void* key2);
unsigned long gm_hash_hash_string(void* key);
long gm_hash_compare_longs(void* key1, void* key2);
unsigned long gm_hash_hash_long(void* key);
long gm_hash_compare_ints(void* key1, void* key2);
unsigned long gm_hash_hash_int(void* key);
long gm_hash_compare_ptrs(void* key1, void* key2);
unsigned long gm_hash_hash_ptr(void* key);

#ifdef __cplusplus
}
#endif
#endif
