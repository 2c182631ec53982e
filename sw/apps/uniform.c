/* Uniform traffic: each message goes to another rank, chosen at random (QsNET paper 4.3, figures 11 and 12). */
#include "sw/apps/traffic/traffic.h"
#include "sw/hal/hal.h"

static struct traffic_message anyone(struct traffic* traffic, void* context) {
  (void)context;
  const unsigned other = dice_below(&traffic->destinations, traffic->ranks - 1);
  return (struct traffic_message){.to = other < traffic->self ? other : other + 1};
}

int main(int argc, char** argv) {
  struct options options;
  struct traffic traffic = {0};
  options_init(&options, argc, argv);
  traffic_options(&traffic, &options, "256K", "16");
  options_check(&options);
  if (traffic.ranks < 2) hal_abort("uniform wants at least two ranks: give --np 2");
  traffic.base = elan_baseInit();
  return traffic_run(&traffic, anyone, NULL, "uniform");
}
