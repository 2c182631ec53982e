/* MPI and shmem by my card, which carries each of their records as a message. */
#include "sw/message_port/records.h"
#include "sw/transport/implementation.h"

const struct transport_implementation transport_mailbox = {
    .card = "mailbox", .matching = "host", .channel = &records_channel};
