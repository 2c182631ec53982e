/* Ping-pong of a GCel under PARIX, by virtual links or node numbers (Mesh of Clos paper, figure 5) */
#include <string.h>

#include "sw/apps/synchronous/synchronous.h"
#include "sw/support/options.h"

static const struct synchronous* choose(const char* by) {
  return strcmp(by, "link") == 0 ? &by_parix_links : &by_parix_nodes;
}

int main(int argc, char** argv) {
  OPTIONS_TOLD("by", "link", "link|node");
  return pingpong(argc, argv, choose, "link|node");
}
