/* Permutations: each rank sends to one other, which is its own number with its bits rearranged (QsNET paper 4.4,
 * figures 13 to 15; FACTS.md 1.7). Ranks that would send to themselves are silent. */
#include <string.h>

#include "sw/apps/traffic/traffic.h"
#include "sw/hal/hal.h"

static unsigned bit(unsigned number, unsigned index) { return number >> index & 1u; }

static unsigned bit_reversal(unsigned rank, unsigned bits) {
  unsigned result = 0;
  for (unsigned i = 0; i < bits; ++i) result |= bit(rank, i) << (bits - 1 - i);
  return result;
}

static unsigned butterfly(unsigned rank, unsigned bits) {
  const unsigned top = bits - 1;
  const unsigned rest = rank & ~(1u << top | 1u);
  return rest | bit(rank, 0) << top | bit(rank, top);
}

static unsigned complement(unsigned rank, unsigned bits) { return rank ^ ((1u << bits) - 1); }

static unsigned transpose(unsigned rank, unsigned bits) {
  const unsigned half = bits / 2;
  return (rank >> half | rank << (bits - half)) & ((1u << bits) - 1);
}

static unsigned shuffle(unsigned rank, unsigned bits) { return (rank << 1 | bit(rank, bits - 1)) & ((1u << bits) - 1); }

static unsigned neighbour(unsigned rank, unsigned bits) {
  (void)bits;
  return rank ^ 1u;
}

static unsigned (*find(const char* name))(unsigned, unsigned) {
  static const struct {
    const char* name;
    unsigned (*partner)(unsigned, unsigned);
  } all[] = {{"bit-reversal", bit_reversal}, {"butterfly", butterfly}, {"complement", complement},
             {"transpose", transpose},       {"shuffle", shuffle},     {"neighbor", neighbour}};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (strcmp(all[i].name, name) == 0) return all[i].partner;
  return NULL;
}

static struct traffic_message partner(struct traffic* traffic, void* context) {
  const unsigned to = *(const unsigned*)context;
  return (struct traffic_message){.to = to == traffic->self ? TRAFFIC_NO_RANK : to};
}

int main(int argc, char** argv) {
  struct options options;
  struct traffic traffic = {0};
  options_init(&options, argc, argv);
  const char* name =
      options_choice(&options, "pattern", "complement", "bit-reversal|butterfly|complement|transpose|shuffle|neighbor");
  traffic_options(&traffic, &options, "256K", "16");
  options_check(&options);
  unsigned bits = 0;
  while (1u << bits < traffic.ranks) ++bits;
  if (traffic.ranks < 2 || 1u << bits != traffic.ranks)
    hal_abort("permutations wants 2, 4, 8, 16 ... ranks: give --np");
  unsigned to = find(name)(traffic.self, bits);
  traffic.base = elan_baseInit();
  return traffic_run(&traffic, partner, &to, name);
}
