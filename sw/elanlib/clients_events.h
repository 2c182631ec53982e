/* The events of programs in historic forms, shared by the files that make them. */
#ifndef SANVP_ELANLIB_CLIENTS_EVENTS_H
#define SANVP_ELANLIB_CLIENTS_EVENTS_H

#include "sw/elanlib/clients.h"

struct elan_client_event {
  enum { CLIENT_OPERATION, CLIENT_ATOMIC, CLIENT_SENDS, CLIENT_RECEIVES } kind;
  union {
    ELAN_EVENT* operation;
    ELAN_TPORT_EVENT* message;
  };
  int* result;
  struct elan_client_event* next; /* free ones */
};

/* A copy, which the caller of the library gets. */
ELAN_CLIENT_EVENT* elan_client_event_of(struct elan_client_event event);
void elan_client_event_free(struct elan_client_event* event);

#endif
