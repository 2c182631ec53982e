/* Arguments of calls of the HAL that the simulator interprets as well. */
#ifndef SANVP_HAL_ARGUMENTS_H
#define SANVP_HAL_ARGUMENTS_H

#include <stdint.h> /* NOLINT(modernize-deprecated-headers): C */

/* The number of a request to a driver (hal_ioctl) contains the size of its argument, as Linux's _IOWR does. `number`
 * has 16 bits, `type` is smaller than 32 KiB. */
#define HAL_REQUEST(number, type) ((int)sizeof(type) << 16 | (number))
#define HAL_REQUEST_BYTES(request) ((request) >> 16)
#define HAL_ERROR_BYTES 128 /* the driver's reason to refuse, at the beginning of each argument */

/* A call or a message without a peer, or without a tag. */
#define HAL_NO_RANK (-1)
#define HAL_NO_TAG (-1)

/* A call of a library as a checker sees it (hal_check). */
enum hal_check_what { HAL_CHECK_BEGIN, HAL_CHECK_END, HAL_CHECK_LAYOUT };
struct hal_checked_call {
  uint64_t id;        /* tells it from others that are under way: the stack pointer of its caller */
  uint64_t name;      /* address of a text that lives as long as the process */
  uint64_t place;     /* where it returns to */
  uint64_t thread;    /* tells threads apart */
  uint64_t arguments; /* address of so many uint64_t: integers, sign-extended, and addresses */
  int32_t count;
  int32_t what;   /* enum hal_check_what */
  int64_t result; /* at its end */
};

#endif
