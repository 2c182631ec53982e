/* C11's calls without a type in their names (OpenSHMEM 1.5): a context may come first; the type is what the first
 * pointer after it points to. */
#ifndef SANVP_SHMEM_GENERICS_H
#define SANVP_SHMEM_GENERICS_H

#include "sw/shmem/shmem.h"

#if !defined(__cplusplus) && __STDC_VERSION__ >= 201112L

/* Sized types are among these. Each list gives `call` for the types that have it. */
#define SHMEM_IF_ATOMIC(prefix, call)                                          \
  int : prefix##int##call,                                                     \
        long : prefix##long##call,                                             \
               long long : prefix##longlong##call,                             \
                           unsigned int : prefix##uint##call,                  \
                                          unsigned long : prefix##ulong##call, \
                                                          unsigned long long : prefix##ulonglong##call
#define SHMEM_IF_BITWISE(prefix, call)                             \
  int : prefix##int32##call,                                       \
        long : prefix##int64##call,                                \
               unsigned int : prefix##uint##call,                  \
                              unsigned long : prefix##ulong##call, \
                                              unsigned long long : prefix##ulonglong##call
#define SHMEM_IF_FETCHED(prefix, call) \
  SHMEM_IF_ATOMIC(prefix, call), float : prefix##float##call, double : prefix##double##call
#define SHMEM_IF_WAITED(prefix, call) \
  SHMEM_IF_ATOMIC(prefix, call), short : prefix##short##call, unsigned short : prefix##ushort##call
#define SHMEM_IF_MOVED(prefix, call)                                                   \
  SHMEM_IF_FETCHED(prefix, call),                                                      \
      short : prefix##short##call,                                                     \
              unsigned short : prefix##ushort##call,                                   \
                               long double : prefix##longdouble##call,                 \
                                             char : prefix##char##call,                \
                                                    signed char : prefix##schar##call, \
                                                                  unsigned char : prefix##uchar##call

/* Without a context the second argument is not used, and need not be a pointer. */
SHMEM_INLINE void shmem_no_such_call(void) {}
#define SHMEM_FIRST_(first, ...) first
#define SHMEM_SECOND_(first, second, ...) second
#define SHMEM_FIRST(...) SHMEM_FIRST_(__VA_ARGS__, 0)
#define SHMEM_SECOND(...) SHMEM_SECOND_(__VA_ARGS__, 0, 0)
/* The type of the argument's target; the argument is not evaluated. */
#define SHMEM_POINTED(argument) *_Generic((argument), shmem_ctx_t : (char**)0, default : (argument))
#define SHMEM_POINTED_SECOND(argument)      \
  *_Generic((argument), _Bool               \
            : (char**)0, int                \
            : (char**)0, long               \
            : (char**)0, unsigned int       \
            : (char**)0, unsigned long      \
            : (char**)0, short              \
            : (char**)0, unsigned short     \
            : (char**)0, char               \
            : (char**)0, signed char        \
            : (char**)0, unsigned char      \
            : (char**)0, long long          \
            : (char**)0, unsigned long long \
            : (char**)0, float              \
            : (char**)0, double             \
            : (char**)0, long double        \
            : (char**)0, default            \
            : (argument))
#define SHMEM_GENERIC(list, call, ...)                                                                 \
  _Generic((SHMEM_FIRST(__VA_ARGS__)), shmem_ctx_t                                                     \
           : _Generic(SHMEM_POINTED_SECOND(SHMEM_SECOND(__VA_ARGS__)), list(shmem_ctx_, call), default \
                      : shmem_no_such_call),                                                           \
             default                                                                                   \
           : _Generic(SHMEM_POINTED(SHMEM_FIRST(__VA_ARGS__)), list(shmem_, call), default             \
                      : shmem_no_such_call))(__VA_ARGS__)

#define shmem_put(...) SHMEM_GENERIC(SHMEM_IF_MOVED, _put, __VA_ARGS__)
#define shmem_get(...) SHMEM_GENERIC(SHMEM_IF_MOVED, _get, __VA_ARGS__)
#define shmem_put_nbi(...) SHMEM_GENERIC(SHMEM_IF_MOVED, _put_nbi, __VA_ARGS__)
#define shmem_get_nbi(...) SHMEM_GENERIC(SHMEM_IF_MOVED, _get_nbi, __VA_ARGS__)
#define shmem_iput(...) SHMEM_GENERIC(SHMEM_IF_MOVED, _iput, __VA_ARGS__)
#define shmem_iget(...) SHMEM_GENERIC(SHMEM_IF_MOVED, _iget, __VA_ARGS__)
#define shmem_put_signal(...) SHMEM_GENERIC(SHMEM_IF_MOVED, _put_signal, __VA_ARGS__)
#define shmem_put_signal_nbi(...) SHMEM_GENERIC(SHMEM_IF_MOVED, _put_signal_nbi, __VA_ARGS__)
#define shmem_p(...) SHMEM_GENERIC(SHMEM_IF_MOVED, _p, __VA_ARGS__)
#define shmem_g(...) SHMEM_GENERIC(SHMEM_IF_MOVED, _g, __VA_ARGS__)

#define shmem_atomic_fetch(...) SHMEM_GENERIC(SHMEM_IF_FETCHED, _atomic_fetch, __VA_ARGS__)
#define shmem_atomic_set(...) SHMEM_GENERIC(SHMEM_IF_FETCHED, _atomic_set, __VA_ARGS__)
#define shmem_atomic_swap(...) SHMEM_GENERIC(SHMEM_IF_FETCHED, _atomic_swap, __VA_ARGS__)
#define shmem_atomic_compare_swap(...) SHMEM_GENERIC(SHMEM_IF_ATOMIC, _atomic_compare_swap, __VA_ARGS__)
#define shmem_atomic_fetch_inc(...) SHMEM_GENERIC(SHMEM_IF_ATOMIC, _atomic_fetch_inc, __VA_ARGS__)
#define shmem_atomic_inc(...) SHMEM_GENERIC(SHMEM_IF_ATOMIC, _atomic_inc, __VA_ARGS__)
#define shmem_atomic_fetch_add(...) SHMEM_GENERIC(SHMEM_IF_ATOMIC, _atomic_fetch_add, __VA_ARGS__)
#define shmem_atomic_add(...) SHMEM_GENERIC(SHMEM_IF_ATOMIC, _atomic_add, __VA_ARGS__)
#define shmem_atomic_fetch_and(...) SHMEM_GENERIC(SHMEM_IF_BITWISE, _atomic_fetch_and, __VA_ARGS__)
#define shmem_atomic_and(...) SHMEM_GENERIC(SHMEM_IF_BITWISE, _atomic_and, __VA_ARGS__)
#define shmem_atomic_fetch_or(...) SHMEM_GENERIC(SHMEM_IF_BITWISE, _atomic_fetch_or, __VA_ARGS__)
#define shmem_atomic_or(...) SHMEM_GENERIC(SHMEM_IF_BITWISE, _atomic_or, __VA_ARGS__)
#define shmem_atomic_fetch_xor(...) SHMEM_GENERIC(SHMEM_IF_BITWISE, _atomic_fetch_xor, __VA_ARGS__)
#define shmem_atomic_xor(...) SHMEM_GENERIC(SHMEM_IF_BITWISE, _atomic_xor, __VA_ARGS__)
#define shmem_atomic_fetch_nbi(...) SHMEM_GENERIC(SHMEM_IF_FETCHED, _atomic_fetch_nbi, __VA_ARGS__)
#define shmem_atomic_swap_nbi(...) SHMEM_GENERIC(SHMEM_IF_FETCHED, _atomic_swap_nbi, __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...) SHMEM_GENERIC(SHMEM_IF_ATOMIC, _atomic_compare_swap_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...) SHMEM_GENERIC(SHMEM_IF_ATOMIC, _atomic_fetch_inc_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...) SHMEM_GENERIC(SHMEM_IF_ATOMIC, _atomic_fetch_add_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...) SHMEM_GENERIC(SHMEM_IF_BITWISE, _atomic_fetch_and_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...) SHMEM_GENERIC(SHMEM_IF_BITWISE, _atomic_fetch_or_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...) SHMEM_GENERIC(SHMEM_IF_BITWISE, _atomic_fetch_xor_nbi, __VA_ARGS__)

/* Names of 1.3. */
#define shmem_fetch(...) shmem_atomic_fetch(__VA_ARGS__)
#define shmem_set(...) shmem_atomic_set(__VA_ARGS__)
#define shmem_swap(...) shmem_atomic_swap(__VA_ARGS__)
#define shmem_cswap(...) shmem_atomic_compare_swap(__VA_ARGS__)
#define shmem_finc(...) shmem_atomic_fetch_inc(__VA_ARGS__)
#define shmem_inc(...) shmem_atomic_inc(__VA_ARGS__)
#define shmem_fadd(...) shmem_atomic_fetch_add(__VA_ARGS__)
#define shmem_add(...) shmem_atomic_add(__VA_ARGS__)

#define shmem_wait_until(pointer, comparison, value) \
  _Generic(*(pointer), SHMEM_IF_WAITED(shmem_, _wait_until))(pointer, comparison, value)
#define shmem_test(pointer, comparison, value) \
  _Generic(*(pointer), SHMEM_IF_WAITED(shmem_, _test))(pointer, comparison, value)
#define SHMEM_WAITS(call, ...) _Generic(*(SHMEM_FIRST(__VA_ARGS__)), SHMEM_IF_WAITED(shmem_, call))(__VA_ARGS__)
#define shmem_wait_until_all(...) SHMEM_WAITS(_wait_until_all, __VA_ARGS__)
#define shmem_wait_until_all_vector(...) SHMEM_WAITS(_wait_until_all_vector, __VA_ARGS__)
#define shmem_wait_until_any(...) SHMEM_WAITS(_wait_until_any, __VA_ARGS__)
#define shmem_wait_until_any_vector(...) SHMEM_WAITS(_wait_until_any_vector, __VA_ARGS__)
#define shmem_wait_until_some(...) SHMEM_WAITS(_wait_until_some, __VA_ARGS__)
#define shmem_wait_until_some_vector(...) SHMEM_WAITS(_wait_until_some_vector, __VA_ARGS__)
#define shmem_test_all(...) SHMEM_WAITS(_test_all, __VA_ARGS__)
#define shmem_test_all_vector(...) SHMEM_WAITS(_test_all_vector, __VA_ARGS__)
#define shmem_test_any(...) SHMEM_WAITS(_test_any, __VA_ARGS__)
#define shmem_test_any_vector(...) SHMEM_WAITS(_test_any_vector, __VA_ARGS__)
#define shmem_test_some(...) SHMEM_WAITS(_test_some, __VA_ARGS__)
#define shmem_test_some_vector(...) SHMEM_WAITS(_test_some_vector, __VA_ARGS__)

/* ---- of teams ---- */
#define SHMEM_IN_TEAM(list, call, ...) _Generic(*(SHMEM_SECOND(__VA_ARGS__)), list(shmem_, call))(__VA_ARGS__)
#define shmem_broadcast(...) SHMEM_IN_TEAM(SHMEM_IF_MOVED, _broadcast, __VA_ARGS__)
#define shmem_collect(...) SHMEM_IN_TEAM(SHMEM_IF_MOVED, _collect, __VA_ARGS__)
#define shmem_fcollect(...) SHMEM_IN_TEAM(SHMEM_IF_MOVED, _fcollect, __VA_ARGS__)
#define shmem_alltoall(...) SHMEM_IN_TEAM(SHMEM_IF_MOVED, _alltoall, __VA_ARGS__)
#define shmem_alltoalls(...) SHMEM_IN_TEAM(SHMEM_IF_MOVED, _alltoalls, __VA_ARGS__)
/* A team, or an active set. */
#define shmem_sync(...) \
  _Generic((SHMEM_FIRST(__VA_ARGS__)), shmem_team_t : shmem_team_sync, default : shmem_sync)(__VA_ARGS__)

#define SHMEM_IF_TEAM_BITWISE(prefix, call)                                                              \
  signed char : prefix##int8##call,                                                                      \
                short : prefix##int16##call,                                                             \
                        int : prefix##int32##call,                                                       \
                              long : prefix##int64##call,                                                \
                                     unsigned char : prefix##uchar##call,                                \
                                                     unsigned short : prefix##ushort##call,              \
                                                                      unsigned int : prefix##uint##call, \
                                                                                     unsigned long       \
      : prefix##ulong##call,                                                                             \
        unsigned long long : prefix##ulonglong##call
#define SHMEM_IF_TEAM_REDUCED(prefix, call) \
  SHMEM_IF_MOVED(prefix, call), float _Complex : prefix##complexf##call, double _Complex : prefix##complexd##call
#define shmem_and_reduce(...) SHMEM_IN_TEAM(SHMEM_IF_TEAM_BITWISE, _and_reduce, __VA_ARGS__)
#define shmem_or_reduce(...) SHMEM_IN_TEAM(SHMEM_IF_TEAM_BITWISE, _or_reduce, __VA_ARGS__)
#define shmem_xor_reduce(...) SHMEM_IN_TEAM(SHMEM_IF_TEAM_BITWISE, _xor_reduce, __VA_ARGS__)
#define shmem_min_reduce(...) SHMEM_IN_TEAM(SHMEM_IF_MOVED, _min_reduce, __VA_ARGS__)
#define shmem_max_reduce(...) SHMEM_IN_TEAM(SHMEM_IF_MOVED, _max_reduce, __VA_ARGS__)
#define shmem_sum_reduce(...) SHMEM_IN_TEAM(SHMEM_IF_TEAM_REDUCED, _sum_reduce, __VA_ARGS__)
#define shmem_prod_reduce(...) SHMEM_IN_TEAM(SHMEM_IF_TEAM_REDUCED, _prod_reduce, __VA_ARGS__)

#endif
#endif
