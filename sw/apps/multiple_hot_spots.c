/* Multiple hot spots, as parallel I/O makes them: the ranks write to and read from a few servers, one at random for
 * each message (QsNET paper 4.6, figures 17 and 18). The servers are the last ranks, or spread evenly. */
#include <string.h>

#include "sw/apps/traffic/traffic.h"
#include "sw/hal/hal.h"

struct servers {
  unsigned count, stride, first;
  unsigned percent_read;
  int serve_only; /* servers send nothing themselves */
};

static int is_server(const struct servers* servers, unsigned rank) {
  return rank >= servers->first && (rank - servers->first) % servers->stride == 0 &&
         (rank - servers->first) / servers->stride < servers->count;
}

static struct traffic_message to_server(struct traffic* traffic, unsigned index, void* context) {
  (void)index;
  const struct servers* servers = context;
  const unsigned to = servers->first + servers->stride * dice_below(&traffic->dice, servers->count);
  const int reads = dice_below(&traffic->dice, 100) < servers->percent_read;
  if (to == traffic->self || (servers->serve_only && is_server(servers, traffic->self)))
    return (struct traffic_message){.to = TRAFFIC_NOBODY};
  return (struct traffic_message){.to = to, .reads = reads};
}

int main(int argc, char** argv) {
  struct options options;
  struct traffic traffic = {0};
  options_init(&options, argc, argv);
  const char* placement = options_choice(&options, "placement", "clustered", "clustered|distributed");
  struct servers servers = {.count = (unsigned)options_size(&options, "servers", "8", "ranks that serve"),
                            .percent_read = (unsigned)options_size(&options, "read", "50", "per cent of reads"),
                            .serve_only = strcmp(options_choice(&options, "dedicated", "yes", "yes|no"), "yes") == 0};
  traffic_options(&traffic, &options, "1M", "4");
  options_check(&options);
  if (servers.count < 1 || servers.count >= traffic.ranks)
    hal_abort("multiple_hot_spots wants more ranks than --servers, and one of those at least");
  const int clustered = strcmp(placement, "clustered") == 0;
  servers.stride = clustered ? 1 : traffic.ranks / servers.count;
  servers.first = clustered ? traffic.ranks - servers.count : 0;
  traffic.base = elan_baseInit();
  return traffic_run(&traffic, to_server, &servers, placement);
}
