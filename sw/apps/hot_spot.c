/* Hot spot: all ranks write to one (QsNET paper 4.5, figure 16). */
#include "sw/apps/traffic/traffic.h"
#include "sw/hal/hal.h"

static struct traffic_message to_spot(struct traffic* traffic, void* context) {
  const unsigned spot = *(const unsigned*)context;
  return (struct traffic_message){.to = traffic->self == spot ? TRAFFIC_NO_RANK : spot};
}

int main(int argc, char** argv) {
  struct options options;
  struct traffic traffic = {0};
  options_init(&options, argc, argv);
  unsigned spot = (unsigned)options_size(&options, "spot", "0", "rank that all write to");
  traffic_options(&traffic, &options, "1M", "2");
  options_check(&options);
  if (traffic.ranks < 2 || spot >= traffic.ranks)
    hal_abort("hot_spot wants two ranks or more, and --spot to be one of them");
  traffic.base = elan_baseInit();
  return traffic_run(&traffic, to_spot, &spot, "hot_spot");
}
