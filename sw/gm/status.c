/* What statuses say. */
#include <stdio.h>

#include "sw/gm/gm.h"

char* gm_strerror(gm_status_t status) {
  static const char* const texts[] = {"success",
                                      "failure",
                                      "an input buffer is too small",
                                      "an output buffer is too small",
                                      "try again",
                                      "busy",
                                      "memory fault",
                                      "interrupted",
                                      "invalid parameter",
                                      "out of memory",
                                      "invalid command",
                                      "permission denied",
                                      "internal error",
                                      "unattached",
                                      "unsupported device",
                                      "send timed out: the receiver had no buffer",
                                      "send rejected",
                                      "send target port closed",
                                      "send target node unreachable",
                                      "send dropped",
                                      "send port closed",
                                      "the node has no id yet",
                                      "still shutting down",
                                      "clone busy",
                                      "no such device",
                                      "aborted",
                                      "the program wants another version of GM",
                                      "untranslated system error",
                                      "access denied",
                                      "the driver does not support it",
                                      "page table entry referenced too often",
                                      "not supported in the kernel",
                                      "not supported on this architecture",
                                      "no match",
                                      "user error",
                                      "timed out",
                                      "data corrupted",
                                      "hardware fault",
                                      "send orphaned",
                                      "minor overflow",
                                      "page table full",
                                      "UC error",
                                      "invalid port number",
                                      "device not found",
                                      "the control program does not run",
                                      "nothing by that name",
                                      "parity error in SRAM",
                                      "the control program has stopped"};
  _Static_assert(sizeof texts / sizeof *texts == GM_NUM_STATUS_CODES, "a text for each");
  return (char*)((unsigned)status < GM_NUM_STATUS_CODES ? texts[status] : "unknown status");
}

void gm_perror(const char* message, gm_status_t status) { fprintf(stderr, "%s: %s\n", message, gm_strerror(status)); }
