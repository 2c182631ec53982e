/* OpenSHMEM: the symmetric heap, accessibility, queries. Needs a heap of 1 MiB (-s shmem.heap=1M). */
#include "tests/images/shmem_expect.h"

static int me, all;
static int global;

/* A piece has the same symmetric address everywhere: a put by another process arrives in it completely. */
static void serves(void* piece, size_t bytes) {
  EXPECT(piece != NULL);
  unsigned char* source = malloc(bytes);
  fill(source, bytes, me);
  shmem_putmem(piece, source, bytes, (me + 1) % all);
  shmem_barrier_all();
  EXPECT(wrong(piece, bytes, (me + all - 1) % all, 0) == 0);
  shmem_barrier_all();
  free(source);
}

static void pieces(void) {
  char* first = shmem_malloc(100);
  char* second = shmem_malloc(1);
  char* third = shmem_align(4096, 10000);
  serves(first, 100);
  serves(second, 1);
  serves(third, 10000);
  EXPECT((uintptr_t)third % 4096 == 0 && (uintptr_t)first % 16 == 0);
  EXPECT(first + 100 <= second || second + 1 <= first);
  EXPECT(wrong(first, 100, (me + all - 1) % all, 0) == 0); /* the others did not overwrite it */
  char* zeros = shmem_calloc(300, 7);
  EXPECT(others(zeros, 2100, 0) == 0);
  char* grown = shmem_realloc(first, 5000);
  EXPECT(wrong(grown, 100, (me + all - 1) % all, 0) == 0);
  serves(grown, 5000);
  char* shrunk = shmem_realloc(grown, 10);
  EXPECT(wrong(shrunk, 10, (me + all - 1) % all, 0) == 0);
  EXPECT(shmem_realloc(shrunk, 0) == NULL);
  EXPECT(shmem_malloc(0) == NULL);
  shmem_free(NULL);
  shmem_free(zeros);
  shmem_free(third);
  shmem_free(second);
}

/* The whole heap, repeatedly: nothing is lost. */
static void exhaustion(void) {
  for (int i = 0; i < 3; ++i) {
    char* whole = shmem_malloc(1 << 20);
    EXPECT(whole != NULL);
    EXPECT(shmem_malloc(1) == NULL);
    EXPECT(shmem_realloc(whole, 2 << 20) == NULL);
    whole[0] = whole[(1 << 20) - 1] = 1;
    EXPECT(shmem_realloc(whole, 1 << 19) == whole); /* there is no space for another */
    shmem_free(whole);
  }
  EXPECT(shmem_malloc((1 << 20) + 1) == NULL);
  EXPECT(shmem_calloc(SIZE_MAX / 2, 4) == NULL);
}

static void queries(void) {
  int local = 0, major = 0, minor = 0, provided = -1;
  char name[SHMEM_MAX_NAME_LEN] = "";
  static int member;
  int* heap = shmem_malloc(sizeof *heap);
  int* own = malloc(sizeof *own);
  for (int pe = 0; pe < all; ++pe) {
    EXPECT(shmem_pe_accessible(pe) == 1);
    EXPECT(shmem_addr_accessible(heap, pe) == 1 && shmem_addr_accessible(&member, pe) == 1);
    EXPECT(shmem_addr_accessible(&global, pe) == 1);
    EXPECT(shmem_addr_accessible(&local, pe) == 0 && shmem_addr_accessible(own, pe) == 0);
    EXPECT(shmem_ptr(heap, pe) == (pe == me ? heap : NULL));
  }
  EXPECT(shmem_pe_accessible(-1) == 0 && shmem_pe_accessible(all) == 0 && shmem_addr_accessible(heap, all) == 0);
  EXPECT(shmem_ptr(own, me) == NULL);
  shmem_info_get_version(&major, &minor);
  shmem_info_get_name(name);
  EXPECT(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION && strcmp(name, SHMEM_VENDOR_STRING) == 0);
  shmem_query_thread(&provided);
  EXPECT(provided == SHMEM_THREAD_FUNNELED);
  shmem_ctx_t context;
  EXPECT(shmem_ctx_create(SHMEM_CTX_PRIVATE, &context) == 0);
  shmem_ctx_int_p(context, heap, me + 7, (me + 1) % all);
  shmem_ctx_quiet(context);
  shmem_barrier_all();
  EXPECT(*heap == (me + all - 1) % all + 7);
  EXPECT(shmem_ctx_int_atomic_fetch_add(context, heap, 1, me) == (me + all - 1) % all + 7);
  shmem_ctx_destroy(context);
  shmem_free(heap);
  free(own);
}

int main(void) {
  int provided = -1;
  EXPECT(shmem_init_thread(SHMEM_THREAD_FUNNELED, &provided) == 0 && provided == SHMEM_THREAD_FUNNELED);
  me = shmem_my_pe();
  all = shmem_n_pes();
  pieces();
  exhaustion();
  queries();
  return finish();
}
