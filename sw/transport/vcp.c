/* The transport interface by the VCPs of the Mesh of Clos. */
#include "sw/transport/tuned/vcp.h"
#include "sw/message_port/records.h"
#include "sw/transport/implementation.h"
#include "sw/transport/tuned/many_elan3.h"

const struct transport_implementation transport_vcp = {
    .card = "vcp", .matching = "host", .channel = &records_channel, .advice = tuned_vcp, .advice_for_many = many_elan3};
