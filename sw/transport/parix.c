/* The transport interface by PARIX's messages on the GCel. */
#include "sw/message_port/records.h"
#include "sw/transport/implementation.h"

static void* start(void) { return records_start("transputer"); }

static const struct channel channel = {.start = start,
                                       .record_bytes = records_bytes,
                                       .send = records_send,
                                       .receive = records_receive,
                                       .release = records_release,
                                       .sleep = records_sleep};

const struct transport_implementation transport_parix = {.card = "transputer", .matching = "host", .channel = &channel};
