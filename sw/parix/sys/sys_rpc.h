/* <sys/sys_rpc.h>, where programs of PARIX look for the run-time system: all is in parix.h. */
#ifndef SANVP_PARIX_SYS_SYS_RPC_H
#define SANVP_PARIX_SYS_SYS_RPC_H
#include "sw/parix/parix.h"
#endif
