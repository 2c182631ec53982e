/* OpenSHMEM in the style of its first years and of C11: old names, calls without types. */
#include <mpp/shmem.h>

#include "tests/images/shmem_expect.h"

static long pSync[_SHMEM_REDUCE_SYNC_SIZE + _SHMEM_BCAST_SYNC_SIZE];
static int pWrk[_SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static int target, source;
static long ring, total;
static double real;

static void old_names(void) {
  const int my_pe = _my_pe(), num_pes = _num_pes(); /* names that programs give to variables */
  EXPECT(my_pe() == my_pe && num_pes() == num_pes);
  for (int i = 0; i < _SHMEM_REDUCE_SYNC_SIZE; ++i) pSync[i] = _SHMEM_SYNC_VALUE;
  const int next = (my_pe + 1) % num_pes;
  int* heap = shmalloc(8 * sizeof *heap);
  int* aligned = shmemalign(256, 64);
  EXPECT((uintptr_t)aligned % 256 == 0);
  heap = shrealloc(heap, 100 * sizeof *heap);
  shfree(aligned);

  source = my_pe + 1;
  shmem_barrier_all();
  shmem_int_sum_to_all(&target, &source, 1, 0, 0, num_pes, pWrk, pSync);
  EXPECT(target == num_pes * (num_pes + 1) / 2);
  shmem_barrier_all();

  target = -1;
  shmem_barrier_all();
  EXPECT(shmem_int_swap(&target, my_pe, next) == -1);
  EXPECT(shmem_int_cswap(&target, my_pe, 50, next) == my_pe);
  EXPECT(shmem_int_fadd(&target, 5, next) == 50);
  EXPECT(shmem_int_finc(&target, next) == 55);
  shmem_int_inc(&target, next);
  shmem_int_add(&target, -7, next);
  EXPECT(shmem_int_fetch(&target, next) == 50);
  shmem_double_set(&real, 2.5, next);
  EXPECT(shmem_double_swap(&real, -1, next) == 2.5 && shmem_double_fetch(&real, next) == -1);
  shmem_barrier_all();

  /* A ring: each waits for the value of the previous one. */
  if (my_pe == 0) shmem_long_p(&ring, 1, next);
  shmem_wait(&ring, 0);
  shmem_wait_until(&ring, _SHMEM_CMP_GT, 0);
  if (my_pe != 0) shmem_long_p(&ring, ring + 1, next);
  EXPECT(ring == (my_pe == 0 ? num_pes : my_pe));
  if (my_pe == 0) EXPECT(shmem_swap(&total, 7L, next) == 0);
  shmem_long_wait(&ring, 0);
  shmem_set_cache_inv();
  shmem_clear_cache_line_inv(heap);
  shmem_udcflush();
  shfree(heap);
}

#define GENERIC(type, value)                                                                      \
  do {                                                                                            \
    static type array[4];                                                                         \
    type local[4] = {(type)(value), (type)((value) + 1), (type)((value) + 2), 0};                 \
    shmem_put(array, local, 3, next);                                                             \
    shmem_barrier_all();                                                                          \
    EXPECT(array[0] == (type)(value) && array[2] == (type)((value) + 2));                         \
    type got[4] = {0};                                                                            \
    shmem_get(got, array, 3, next);                                                               \
    EXPECT(memcmp(got, array, sizeof(type)) == 0 && got[1] == local[1]);                          \
    shmem_barrier_all();                                                                          \
    shmem_p(&array[3], (type)9, next);                                                            \
    shmem_iput(context, array, local, 2, 1, 1, next);                                             \
    shmem_put_nbi(context, &array[1], local, 1, next);                                            \
    shmem_quiet();                                                                                \
    EXPECT(shmem_g(&array[3], next) == (type)9 && shmem_g(context, &array[1], next) == local[0]); \
    shmem_barrier_all();                                                                          \
  } while (0)

#define GENERIC_ATOMIC(type)                                                    \
  do {                                                                          \
    static type word;                                                           \
    shmem_atomic_set(&word, (type)3, next);                                     \
    EXPECT(shmem_atomic_fetch_add(&word, 4, next) == 3);                        \
    EXPECT(shmem_atomic_compare_swap(context, &word, 7, 8, next) == 7);         \
    EXPECT(shmem_fadd(&word, 1, next) == 8 && shmem_swap(&word, 5, next) == 9); \
    shmem_atomic_inc(context, &word, next);                                     \
    shmem_quiet();                                                              \
    EXPECT(shmem_atomic_fetch(&word, next) == 6);                               \
    shmem_wait_until(&word, SHMEM_CMP_EQ, 6);                                   \
    EXPECT(shmem_test(&word, SHMEM_CMP_GT, 5));                                 \
    shmem_barrier_all();                                                        \
  } while (0)

static void without_types(void) {
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  const shmem_ctx_t context = SHMEM_CTX_DEFAULT;
  GENERIC(char, 'a');
  GENERIC(signed char, -5);
  GENERIC(unsigned char, 200);
  GENERIC(short, -300);
  GENERIC(uint16_t, 60000);
  GENERIC(int, 1 << 20);
  GENERIC(unsigned, 1U << 31);
  GENERIC(int64_t, -(1L << 40));
  GENERIC(size_t, 1UL << 60);
  GENERIC(long long, 5);
  GENERIC(float, 1.5F);
  GENERIC(double, -2.25);
  GENERIC(long double, 3.0L);
  GENERIC_ATOMIC(int);
  GENERIC_ATOMIC(long);
  GENERIC_ATOMIC(long long);
  GENERIC_ATOMIC(uint32_t);
  GENERIC_ATOMIC(size_t);
  static unsigned bits;
  shmem_atomic_or(&bits, 12u, next);
  EXPECT(shmem_atomic_fetch_xor(&bits, 5u, next) == 12u && shmem_atomic_fetch_and(&bits, 1u, next) == 9u);
  shmem_barrier_all();
  EXPECT(bits == 1);
}

int main(void) {
  start_pes(0);
  old_names();
  without_types();
  static int own, all;
  own = failures;
  shmem_barrier_all();
  shmem_int_sum_to_all(&all, &own, 1, 0, 0, shmem_n_pes(), pWrk, pSync);
  if (shmem_my_pe() == 0) puts(all == 0 ? "PASS" : "FAIL");
  return all != 0; /* no finalize, as in 1.0 */
}
