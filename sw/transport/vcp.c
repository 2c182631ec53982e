/* The transport interface by the VCPs of the Mesh of Clos. */
#include "sw/message_port/records.h"
#include "sw/transport/implementation.h"

static void* start(void) { return records_start("vcp"); }

static const struct channel channel = {.start = start,
                                       .record_bytes = records_bytes,
                                       .send = records_send,
                                       .receive = records_receive,
                                       .release = records_release,
                                       .sleep = records_sleep};

const struct transport_implementation transport_vcp = {.card = "vcp", .matching = "host", .channel = &channel};
