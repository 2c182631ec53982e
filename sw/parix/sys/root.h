/* <sys/root.h>, where programs of PARIX look for the root record: all is in parix.h. */
#ifndef SANVP_PARIX_SYS_ROOT_H
#define SANVP_PARIX_SYS_ROOT_H
#include "sw/parix/parix.h"
#endif
