/* <elan/elan.h>: Elanlib for programs of QsNET's time, in the names and forms of libelan 1.4. Names that differ in
 * sanvp's own <elan.h> have their historic meaning here, even if a file includes both.
 */
#ifndef SANVP_ELAN_ELAN_H
#define SANVP_ELAN_ELAN_H

#include "sw/elanlib/clients.h"

#define ELAN_VERSION "1.4.12"
#undef ELAN_POLL_EVENT
#define ELAN_POLL_EVENT (-1)
#define ELAN_EVICT_CACHE 1u
#define ELAN_SHM_ENABLE 2u
#define ELAN_TRAP_UNALIGNED 4u
#define ELAN_MULTI_CONTEXT 8u
#define ELAN_HWBCAST 1u

#define ELAN_BASE ELAN_CLIENT_BASE
#define ELAN_STATE ELAN_CLIENT_STATE
#define ELAN_GROUP ELAN_CLIENT_GROUP
#define ELAN_EVENT ELAN_CLIENT_EVENT
#define ELAN_QUEUE ELAN_CLIENT_QUEUE
#define ELAN_FLAGS unsigned

/* Without an argument up to libelan 1.4.5. */
#define elan_baseInit(...) elan_client_baseInit(__VA_ARGS__ + 0)
#define elan_gallocMain elan_client_gallocMain
#define elan_gallocElan elan_client_gallocElan
#define elan_poll elan_client_poll
#define elan_wait elan_client_wait
#define elan_done elan_client_done
#define elan_put elan_client_put
#define elan_get elan_client_get
#define elan_gsync elan_client_gsync
#define elan_hgsync elan_client_hgsync
#define elan_hbcast elan_client_hbcast
#define elan_bcast elan_client_bcast
#define elan_gallocQueue elan_client_gallocQueue
#define elan_queueReq elan_client_queueReq
#define elan_queuePoll elan_client_queuePoll
#define elan_queueWait elan_client_queueWait
/* Its other arguments, which have changed from version to version, are sizes that need not be known here. */
#define elan_tportInit(state, queue, ...) elan_client_tportInit(state, queue)
#define elan_tportTxStart elan_client_tportTxStart
#define elan_tportTxDone elan_client_tportTxDone
#define elan_tportTxWait elan_client_tportTxWait
#define elan_tportRxStart elan_client_tportRxStart
#define elan_tportRxDone elan_client_tportRxDone
#define elan_tportRxWait elan_client_tportRxWait
#define elan_tportRxCancel elan_client_tportRxCancel
#define elan_atomicInit elan_client_atomicInit

#endif
