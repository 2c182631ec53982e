/* Remote memory of symmetric addresses by Elanlib: elan.c's implementation of transport.h's calls of the same names.
 */
#ifndef SANVP_TRANSPORT_ELAN_MEMORY_H
#define SANVP_TRANSPORT_ELAN_MEMORY_H

#include "sw/elanlib/elan.h"
#include "sw/transport/transport.h"

void elan_memory_start(ELAN_BASE* base);
void* elan_memory_symmetric(size_t bytes);
transport_address elan_memory_address_of(const volatile void* pointer, size_t bytes);
transport_batch elan_memory_batch_open(void);
void elan_memory_batch_close(transport_batch batch);
void elan_memory_put(transport_batch batch, unsigned to, transport_address remote, const void* local, size_t bytes);
void elan_memory_get(transport_batch batch, unsigned from, transport_address remote, void* local, size_t bytes);
void elan_memory_put_copied(transport_batch batch, unsigned to, transport_address remote, const void* local,
                            size_t bytes);
void elan_memory_get_now(unsigned from, transport_address remote, void* local, size_t bytes);
void elan_memory_quiet(transport_batch batch);
void elan_memory_start_atomics(void);
uint64_t elan_memory_atomic_now(unsigned to, transport_address remote, const struct transport_update* update);
void elan_memory_atomic(transport_batch batch, unsigned to, transport_address remote,
                        const struct transport_update* update, void* before);
void elan_memory_put_signal(transport_batch batch, unsigned to, transport_address remote, const void* local,
                            size_t bytes, int copied, const struct transport_signal* signal);

#endif
