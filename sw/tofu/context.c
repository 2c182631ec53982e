/* The process and its card: attaching, coordinates, paths. */
#include "sw/tofu/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/tofu/prepared.h"

int tofu_try(unsigned request, void* argument) { return hal_ioctl(request, argument) == 0 ? 0 : -1; }

void tofu_request(unsigned request, void* argument, const char* what) {
  if (tofu_try(request, argument) == 0) return;
  const char* reason = argument; /* the first member */
  char text[256];
  snprintf(text, sizeof text, "%s: %s", what, reason[0] ? reason : "this machine has no Tofu driver");
  hal_abort(text);
}

struct tofu_context* tofu_context(void) {
  static struct tofu_context* context;
  if (context) return context;
  hal_require_card("utofu", "tofu");
  struct tofudrv_attach request = {0};
  tofu_request(TOFUDRV_ATTACH, &request, "utofu");
  context = calloc(1, sizeof *context);
  context->number = request.number;
  context->position = request.position;
  context->gates = request.gates;
  const char* order =
      HAL_SETTING("tofu.order", "direct", "direct: orders are stored to the card; memory: it fetches them",
                  "code R: puts of 8 bytes of 0.91 and 1.15 us on the first Tofu");
  context->direct = strcmp(order, "memory") != 0;
  if (context->direct && strcmp(order, "direct") != 0)
    hal_abort("tofu.order is direct or memory: give -s tofu.order one of them");
  return context;
}

void coords_of(uint32_t node, uint8_t coords[6]) {
  const uint32_t* size = tofu_context()->position.size;
  for (int axis = 6; axis-- > 0; node /= size[axis]) coords[axis] = (uint8_t)(node % size[axis]);
}

uint32_t node_at(const uint8_t coords[6]) {
  const uint32_t* size = tofu_context()->position.size;
  uint32_t node = 0;
  for (int axis = 0; axis < 6; ++axis) {
    if (coords[axis] >= size[axis]) return UINT32_MAX;
    node = node * size[axis] + coords[axis];
  }
  return node;
}

uint32_t path_of(const uint8_t abc[3]) {
  const uint32_t* size = tofu_context()->position.size + 3;
  if (abc[0] == UTOFU_PATH_COORD_NULL) return 0;
  for (int axis = 0; axis < 3; ++axis)
    if (abc[axis] >= size[axis]) return UINT32_MAX;
  return 1 + (abc[0] * size[1] + abc[1]) * size[2] + abc[2];
}

int utofu_query_my_coords(uint8_t coords[]) {
  coords_of(tofu_context()->position.node, coords);
  return UTOFU_SUCCESS;
}

void utofu_query_tofu_version(int* major_ver, int* minor_ver) {
  *major_ver = 1;
  *minor_ver = 0;
}

void utofu_query_utofu_version(int* major_ver, int* minor_ver) {
  *major_ver = UTOFU_VERSION_MAJOR;
  *minor_ver = UTOFU_VERSION_MINOR;
}

int utofu_get_onesided_tnis(utofu_tni_id_t** tni_ids, size_t* num_tnis) {
  *tni_ids = malloc(TOFU_TNIS * sizeof **tni_ids);
  if (!*tni_ids) return UTOFU_ERR_OUT_OF_MEMORY;
  for (uint16_t tni = 0; tni < TOFU_TNIS; ++tni) (*tni_ids)[tni] = tni;
  *num_tnis = TOFU_TNIS;
  return UTOFU_SUCCESS;
}

/* The card's only barrier interface is reported as that of TNI 0. */
int utofu_get_barrier_tnis(utofu_tni_id_t** tni_ids, size_t* num_tnis) {
  *tni_ids = calloc(1, sizeof **tni_ids);
  *num_tnis = *tni_ids ? 1 : 0;
  return *tni_ids ? UTOFU_SUCCESS : UTOFU_ERR_OUT_OF_MEMORY;
}

int utofu_query_onesided_caps(utofu_tni_id_t tni_id, struct utofu_onesided_caps** tni_caps) {
  static struct utofu_onesided_caps caps = {
      .flags = UTOFU_ONESIDED_CAP_FLAG_ARMW,
      .armw_ops = UTOFU_ONESIDED_CAP_ARMW_OP_CSWAP | UTOFU_ONESIDED_CAP_ARMW_OP_SWAP | UTOFU_ONESIDED_CAP_ARMW_OP_ADD |
                  UTOFU_ONESIDED_CAP_ARMW_OP_XOR | UTOFU_ONESIDED_CAP_ARMW_OP_AND | UTOFU_ONESIDED_CAP_ARMW_OP_OR,
      .num_cmp_ids = TOFU_COMPONENTS,
      .num_reserved_stags = TOFU_TAGS / 2,
      .cache_line_size = 128,
      .stag_address_alignment = 1,
      .max_toq_desc_size = sizeof(struct prepared),
      .max_putget_size = TOFU_MOST_BYTES,
      .max_piggyback_size = TOFU_INLINE_BYTES,
      .max_edata_size = sizeof(uint64_t),
      .max_mtu = 0,
      .max_gap = 0};
  if (tni_id >= TOFU_TNIS) return UTOFU_ERR_INVALID_TNI_ID;
  *tni_caps = &caps;
  return UTOFU_SUCCESS;
}

int utofu_query_barrier_caps(utofu_tni_id_t tni_id, struct utofu_barrier_caps** tni_caps) {
  static struct utofu_barrier_caps caps = {.reduce_ops = UTOFU_BARRIER_CAP_REDUCE_OP_BARRIER};
  if (tni_id >= TOFU_TNIS) return UTOFU_ERR_INVALID_TNI_ID;
  *tni_caps = &caps;
  return UTOFU_SUCCESS;
}
