/* Ping-pong of a Mesh of Clos through its VCPs (Mesh of Clos paper, figure 5) */
#include <stddef.h>

#include "sw/apps/synchronous/synchronous.h"

static const struct synchronous* choose(const char* by) {
  (void)by;
  return &by_vcp;
}

int main(int argc, char** argv) { return pingpong(argc, argv, choose, NULL); }
