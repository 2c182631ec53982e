/* Exchanges a number with the partner, for levels that have Elanlib. */
#ifndef SANVP_APPS_SWAP_H
#define SANVP_APPS_SWAP_H

#include "sw/elanlib/elan.h"

/* Collective. */
uint64_t swap_by_elan(ELAN_BASE* base, unsigned partner, uint64_t mine);

#endif
