/* The transport interface by PARIX's messages on the GCel. */
#include "sw/message_port/records.h"
#include "sw/transport/implementation.h"
#include "sw/transport/tuned/many_elan3.h"
#include "sw/transport/tuned/transputer.h"

const struct transport_implementation transport_parix = {.card = "transputer",
                                                         .matching = "host",
                                                         .channel = &records_channel,
                                                         .advice = tuned_transputer,
                                                         .advice_for_many = many_elan3};
