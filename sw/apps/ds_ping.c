/* Latency and bandwidth over virtual channels of DS links, of T9000s' kind (Macrame machines).
 *
 * Rank 0 and the last one are partners. The latency is half of a round trip of ChanOut and ChanIn; the bandwidth that
 * of messages sent one after another over --channels virtual channels at once, in one direction or both. A channel has
 * only one packet of 32 bytes under way at a time, so it waits for acknowledgements: -s nic.vcp.window=8 is a virtual
 * channel processor that does not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/ds_link/ds_link.h"
#include "sw/hal/hal.h"
#include "sw/support/options.h"

#define MOST_CHANNELS 4

struct ping {
  unsigned partner;
  int first, both;
  size_t channels, count;
  unsigned char* out;
  unsigned char* in[MOST_CHANNELS];
};

static double round_trips(const struct ping* ping, size_t bytes) {
  Channel* to = ds_channel_to(ping->partner, 0);
  Channel* from = ds_channel_from(ping->partner, 0);
  const uint64_t start = hal_time_ps();
  for (size_t i = 0; i < ping->count; ++i) {
    if (ping->first) ChanOut(to, ping->out, (int)bytes);
    ChanIn(from, ping->in[0], (int)bytes);
    if (!ping->first) ChanOut(to, ping->out, (int)bytes);
  }
  return (double)(hal_time_ps() - start) / 2e6 / (double)ping->count;
}

/* One message after the other on every channel: starts the next as soon as one has ended. */
static double stream(const struct ping* ping, size_t bytes) {
  const int sends = ping->first || ping->both, receives = !ping->first || ping->both;
  size_t to_send[MOST_CHANNELS], to_receive[MOST_CHANNELS], left = 0;
  for (size_t i = 0; i < ping->channels; ++i) {
    to_send[i] = sends ? ping->count : 0;
    to_receive[i] = receives ? ping->count : 0;
    left += to_send[i] + to_receive[i];
  }
  size_t under_way = 0;
  const uint64_t start = hal_time_ps();
  while (left + under_way > 0) {
    const uint32_t seen = *ds_wake_word();
    under_way = 0;
    for (size_t i = 0; i < ping->channels; ++i) {
      Channel* to = ds_channel_to(ping->partner, (unsigned)i);
      Channel* from = ds_channel_from(ping->partner, (unsigned)i);
      if (to_receive[i] > 0 && ds_input_ended(from)) {
        ds_input(from, ping->in[i], bytes);
        --to_receive[i], --left;
      }
      if (to_send[i] > 0 && ds_output_ended(to)) {
        ds_output(to, ping->out, bytes);
        --to_send[i], --left;
      }
      under_way += !ds_input_ended(from) + !ds_output_ended(to);
    }
    if (under_way > 0) hal_wait_word(ds_wake_word(), seen, UINT64_MAX);
  }
  return (double)(hal_time_ps() - start) / 1e6;
}

static size_t wrong_bytes(const struct ping* ping, size_t bytes) {
  size_t wrong = 0;
  for (size_t i = 0; i < bytes; ++i) wrong += ping->in[0][i] != (unsigned char)(i * 7 + ping->partner + 1);
  return wrong;
}

static size_t measure(struct ping* ping, size_t bytes) {
  memset(ping->in[0], 0, bytes);
  const double us = round_trips(ping, bytes);
  const size_t wrong = wrong_bytes(ping, bytes);
  round_trips(ping, 0);
  const double took = stream(ping, bytes);
  const double rate = (double)bytes * (double)ping->count * (double)ping->channels / took;
  if (!ping->first) return wrong; /* the first one tells */
  printf("%10zu %12.3f %14.3f\n", bytes, us, rate);
  /* The metrics of a run with several sizes are those of the largest. */
  hal_metric("latency_us", us, "us");
  hal_metric("bandwidth_MBps", rate, "MB/s");
  return wrong;
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const char* direction = options_choice(&options, "direction", "uni", "uni|bi");
  const size_t channels = options_size(&options, "channels", "1", "virtual channels at once, 1 to 4");
  const size_t least = options_size(&options, "least", "1", "bytes of the smallest message");
  const size_t most = options_size(&options, "most", "4K", "bytes of the largest; sizes double");
  const size_t count = options_size(&options, "count", "10", "messages of each size on a channel");
  options_check(&options);
  if (hal_ranks() < 2) hal_abort("ds_ping wants two ranks or more: give --np 2");
  if (channels < 1 || channels > MOST_CHANNELS || channels > ds_numbers())
    hal_abort("ds_ping: --channels is 1 to 4, and not more than there are to a process (nic.virtual_links)");
  const int last = hal_ranks() - 1;
  if (hal_rank() != 0 && hal_rank() != last) return 0;

  struct ping ping = {.partner = (unsigned)(last - hal_rank()),
                      .first = hal_rank() == 0,
                      .both = strcmp(direction, "bi") == 0,
                      .channels = channels,
                      .count = count > 0 ? count : 1,
                      .out = malloc(most + 1)};
  for (size_t i = 0; i < channels; ++i) ping.in[i] = malloc(most + 1);
  for (size_t i = 0; i < most; ++i) ping.out[i] = (unsigned char)(i * 7 + (size_t)hal_rank() + 1);
  if (ping.first)
    printf("ds_ping, %zu channel%s, %s\n%10s %12s %14s\n", channels, channels > 1 ? "s" : "", direction, "bytes",
           "latency_us", "bandwidth_MBps");
  size_t wrong = 0;
  for (size_t bytes = least; bytes <= most; bytes = bytes == 0 ? 1 : 2 * bytes) wrong += measure(&ping, bytes);
  if (wrong > 0) printf("FAIL: rank %d received %zu wrong bytes\n", hal_rank(), wrong);
  if (ping.first && wrong == 0) printf("PASS\n");
  return wrong > 0;
}
