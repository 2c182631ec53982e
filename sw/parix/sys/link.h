/* <sys/link.h>, where programs of PARIX look for virtual links: all is in parix.h. */
#ifndef SANVP_PARIX_SYS_LINK_H
#define SANVP_PARIX_SYS_LINK_H
#include "sw/parix/parix.h"
#endif
