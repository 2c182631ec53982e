/* Records for sw/transport (its channel.h has the rules) by a card that carries messages: a message each. */
#ifndef SANVP_MESSAGE_PORT_RECORDS_H
#define SANVP_MESSAGE_PORT_RECORDS_H

#include "sw/transport/channel.h"

/* `card` is the NIC's name. The rest is the rest of a channel's table. */
void* records_start(const char* card);
size_t records_bytes(const void* self);
enum channel_room records_send(void* self, unsigned to, const struct channel_record* record);
const void* records_receive(void* self, unsigned* from, size_t* bytes);
void records_release(void* self);
void records_sleep(void* self, const volatile uint32_t* const* words, const uint32_t* seen, unsigned count);

#endif
