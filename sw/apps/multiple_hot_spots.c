/* Multiple hot spots, as parallel I/O makes them: the ranks write to and read from a few servers (QsNET paper 4.6,
 * figures 17 and 18). The servers are the last ranks, or spread evenly; --map says which nodes that are. */
#include <string.h>

#include "sw/apps/traffic/traffic.h"
#include "sw/hal/hal.h"

struct servers {
  unsigned count, stride, first;
  unsigned percent_read;
  int dedicated; /* servers send nothing themselves */
  int random;    /* which server, for each message; else each rank has its own */
};

/* The server's number; `count` if the rank is not a server. */
static unsigned server_at(const struct servers* servers, unsigned rank) {
  const unsigned away = rank - servers->first;
  return rank < servers->first || away % servers->stride != 0 || away / servers->stride >= servers->count
             ? servers->count
             : away / servers->stride;
}

static unsigned rank_of(const struct servers* servers, unsigned server) {
  return servers->first + servers->stride * server;
}

static int is_silent(const struct servers* servers, unsigned rank) {
  return servers->dedicated && server_at(servers, rank) < servers->count;
}

/* Clients are dealt out to the servers in turn, none to a server on its own node. Returns `count` if no server is
 * left. */
static unsigned dealt(const struct servers* servers, unsigned rank) {
  unsigned turn = 0, server = servers->count;
  for (unsigned client = 0; client <= rank; ++client) {
    if (is_silent(servers, client)) continue;
    const int node = hal_rank_node((int)client);
    unsigned tries = 0;
    while (tries++ < servers->count && hal_rank_node((int)rank_of(servers, turn % servers->count)) == node) ++turn;
    server = tries > servers->count ? servers->count : turn++ % servers->count;
  }
  return server;
}

struct client {
  struct servers servers;
  struct dice kinds; /* of messages: reads or writes */
  unsigned own;      /* server of this rank; `count`: none on another node */
};

static struct traffic_message to_server(struct traffic* traffic, void* context) {
  struct client* client = context;
  const struct servers* servers = &client->servers;
  if (client->own == servers->count || is_silent(servers, traffic->self))
    return (struct traffic_message){.to = TRAFFIC_NO_RANK};
  unsigned server = client->own;
  if (servers->random) {
    do server = dice_below(&traffic->destinations, servers->count);
    while (hal_rank_node((int)rank_of(servers, server)) == hal_node());
  }
  return (struct traffic_message){.to = rank_of(servers, server),
                                  .reads = dice_below(&client->kinds, 100) < servers->percent_read};
}

int main(int argc, char** argv) {
  struct options options;
  struct traffic traffic = {0};
  options_init(&options, argc, argv);
  const char* placement = options_choice(&options, "placement", "clustered", "clustered|distributed");
  struct servers servers = {
      .count = (unsigned)options_size(&options, "servers", "8", "ranks that serve"),
      .percent_read = (unsigned)options_size(&options, "read", "50", "per cent of reads"),
      .dedicated = strcmp(options_choice(&options, "dedicated", "yes", "yes|no"), "yes") == 0,
      .random = strcmp(options_choice(&options, "access", "random", "random|deterministic"), "random") == 0};
  traffic_options(&traffic, &options, "1M", "4");
  options_check(&options);
  if (servers.count < 1 || servers.count >= traffic.ranks)
    hal_abort("multiple_hot_spots wants more ranks than --servers, and one of those at least");
  const int clustered = strcmp(placement, "clustered") == 0;
  servers.stride = clustered ? 1 : traffic.ranks / servers.count;
  servers.first = clustered ? traffic.ranks - servers.count : 0;
  struct client client = {.servers = servers, .kinds = dice_for("kinds"), .own = dealt(&servers, traffic.self)};
  traffic.base = elan_baseInit();
  return traffic_run(&traffic, to_server, &client, placement);
}
