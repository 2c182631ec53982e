/* Virtual control queues, their ids, and paths to them. */
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/tofu/context.h"
#include "sw/tofu/tofu_job.h"

#define LINE_BYTES 128u /* SPARC64 VIIIfx: a cache line */
#define NODE_SHIFT 32
#define PATH_SHIFT 24
#define TNI_SHIFT 16

utofu_vcq_id_t vcq_id_make(uint32_t node, uint32_t path, uint32_t tni, uint32_t queue) {
  return (uint64_t)node << NODE_SHIFT | (uint64_t)path << PATH_SHIFT | (uint64_t)tni << TNI_SHIFT | queue;
}
uint32_t vcq_id_node(utofu_vcq_id_t id) { return (uint32_t)(id >> NODE_SHIFT); }
uint32_t vcq_id_path(utofu_vcq_id_t id) { return (uint32_t)(id >> PATH_SHIFT) & 0xffu; }
uint32_t vcq_id_tni(utofu_vcq_id_t id) { return (uint32_t)(id >> TNI_SHIFT) & 0xffu; }
uint32_t vcq_id_queue(utofu_vcq_id_t id) { return (uint32_t)id & 0xffffu; }

struct vcq* vcq_of(utofu_vcq_hdl_t handle) {
  struct vcq* vcq = (struct vcq*)handle;
  if (!vcq || !hal_is_own(vcq, sizeof *vcq) || vcq->tni >= TOFU_TNIS || vcq->component >= TOFU_COMPONENTS) return NULL;
  return tofu_context()->vcqs[vcq->tni][vcq->component] == vcq ? vcq : NULL;
}

void vcq_took_left(struct vcq* vcq) {
  if (++vcq->ended % (ORDER_ENTRIES / 4) == 0) hal_write32(vcq->page + TOFU_PAGE_TCQ, vcq->ended);
}
void vcq_took_arrived(struct vcq* vcq) {
  if (++vcq->arrived % (MRQ_ENTRIES / 4) == 0) hal_write32(vcq->page + TOFU_PAGE_MRQ, vcq->arrived);
}

static void* lines(size_t bytes) {
  char* memory = aligned_alloc(LINE_BYTES, bytes);
  for (size_t i = 0; memory && i < bytes; ++i) memory[i] = 0;
  return memory;
}

static void vcq_release(struct vcq* vcq) {
  free(vcq->orders);
  free(vcq->tcq);
  free(vcq->mrq);
  free(vcq);
}

int utofu_create_vcq_with_cmp_id(utofu_tni_id_t tni_id, utofu_cmp_id_t cmp_id, unsigned long int flags,
                                 utofu_vcq_hdl_t* vcq_hdl) {
  struct tofu_context* context = tofu_context();
  if (tni_id >= TOFU_TNIS) return UTOFU_ERR_INVALID_TNI_ID;
  if (cmp_id >= TOFU_COMPONENTS) return UTOFU_ERR_INVALID_CMP_ID;
  if (flags & UTOFU_VCQ_FLAG_SESSION_MODE) return UTOFU_ERR_NOT_SUPPORTED;
  if (context->vcqs[tni_id][cmp_id]) return UTOFU_ERR_USED;
  struct vcq* vcq = calloc(1, sizeof *vcq);
  if (!vcq) return UTOFU_ERR_OUT_OF_MEMORY;
  vcq->tni = tni_id;
  vcq->component = cmp_id;
  vcq->orders = lines(ORDER_ENTRIES * sizeof *vcq->orders);
  vcq->tcq = lines(ORDER_ENTRIES * sizeof *vcq->tcq);
  vcq->mrq = lines(MRQ_ENTRIES * sizeof *vcq->mrq);
  struct tofudrv_open request = {.tni = tni_id,
                                 .component = cmp_id,
                                 .orders = hal_address(vcq->orders),
                                 .tcq = hal_address(vcq->tcq),
                                 .mrq = hal_address(vcq->mrq),
                                 .order_entries = ORDER_ENTRIES,
                                 .tcq_entries = ORDER_ENTRIES,
                                 .mrq_entries = MRQ_ENTRIES};
  if (!vcq->orders || !vcq->tcq || !vcq->mrq) {
    vcq_release(vcq);
    return UTOFU_ERR_OUT_OF_MEMORY;
  }
  tofu_request(TOFUDRV_OPEN, &request, "utofu_create_vcq");
  vcq->page = request.page;
  context->vcqs[tni_id][cmp_id] = vcq;
  *vcq_hdl = (utofu_vcq_hdl_t)vcq;
  return UTOFU_SUCCESS;
}

int utofu_create_vcq(utofu_tni_id_t tni_id, unsigned long int flags, utofu_vcq_hdl_t* vcq_hdl) {
  if (tni_id >= TOFU_TNIS) return UTOFU_ERR_INVALID_TNI_ID;
  for (utofu_cmp_id_t component = TOFU_JOB_COMPONENT; component-- > 0;)
    if (!tofu_context()->vcqs[tni_id][component])
      return utofu_create_vcq_with_cmp_id(tni_id, component, flags, vcq_hdl);
  return UTOFU_ERR_FULL;
}

int utofu_free_vcq(utofu_vcq_hdl_t vcq_hdl) {
  struct vcq* vcq = vcq_of(vcq_hdl);
  if (!vcq) return UTOFU_ERR_INVALID_VCQ_HDL;
  struct tofudrv_close request = {.tni = vcq->tni, .component = vcq->component};
  tofu_request(TOFUDRV_CLOSE, &request, "utofu_free_vcq");
  tofu_context()->vcqs[vcq->tni][vcq->component] = NULL;
  vcq_release(vcq);
  return UTOFU_SUCCESS;
}

int utofu_query_vcq_id(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t* vcq_id) {
  const struct vcq* vcq = vcq_of(vcq_hdl);
  if (!vcq) return UTOFU_ERR_INVALID_VCQ_HDL;
  const struct tofu_context* context = tofu_context();
  *vcq_id = vcq_id_make(context->position.node, 0, vcq->tni, context->number * TOFU_COMPONENTS + vcq->component);
  return UTOFU_SUCCESS;
}

int utofu_construct_vcq_id(uint8_t coords[], utofu_tni_id_t tni_id, utofu_cq_id_t cq_id, utofu_cmp_id_t cmp_id,
                           utofu_vcq_id_t* vcq_id) {
  const uint32_t node = node_at(coords);
  if (node == UINT32_MAX) return UTOFU_ERR_INVALID_COORDS;
  if (tni_id >= TOFU_TNIS) return UTOFU_ERR_INVALID_TNI_ID;
  if (cq_id >= TOFU_PROCESSES) return UTOFU_ERR_INVALID_CQ_ID;
  if (cmp_id >= TOFU_COMPONENTS) return UTOFU_ERR_INVALID_CMP_ID;
  *vcq_id = vcq_id_make(node, 0, tni_id, (uint32_t)cq_id * TOFU_COMPONENTS + cmp_id);
  return UTOFU_SUCCESS;
}

int utofu_query_vcq_info(utofu_vcq_id_t vcq_id, uint8_t coords[], utofu_tni_id_t* tni_id, utofu_cq_id_t* cq_id,
                         uint16_t* extra_val) {
  coords_of(vcq_id_node(vcq_id), coords);
  *tni_id = (utofu_tni_id_t)vcq_id_tni(vcq_id);
  *cq_id = (utofu_cq_id_t)(vcq_id_queue(vcq_id) / TOFU_COMPONENTS);
  *extra_val = (uint16_t)(vcq_id_queue(vcq_id) % TOFU_COMPONENTS);
  return UTOFU_SUCCESS;
}

int utofu_set_vcq_id_path(utofu_vcq_id_t* vcq_id, uint8_t path_coords[]) {
  const uint32_t path = path_coords ? path_of(path_coords) : 0;
  if (path == UINT32_MAX) return UTOFU_ERR_INVALID_PATH;
  *vcq_id = vcq_id_make(vcq_id_node(*vcq_id), path, vcq_id_tni(*vcq_id), vcq_id_queue(*vcq_id));
  return UTOFU_SUCCESS;
}

int utofu_get_path_id(utofu_vcq_id_t vcq_id, uint8_t path_coords[], utofu_path_id_t* path_id) {
  const uint32_t path = path_coords ? path_of(path_coords) : vcq_id_path(vcq_id);
  if (path == UINT32_MAX) return UTOFU_ERR_INVALID_PATH;
  *path_id = (utofu_path_id_t)path;
  return UTOFU_SUCCESS;
}

int utofu_get_path_coords(utofu_vcq_id_t vcq_id, utofu_path_id_t path_id, uint8_t path_coords[]) {
  (void)vcq_id;
  if (path_id > TOFU_PATHS) return UTOFU_ERR_INVALID_PATH;
  uint8_t coords[6];
  if (path_id > 0) coords_of(path_id - 1u, coords);
  for (int axis = 0; axis < 3; ++axis) path_coords[axis] = path_id > 0 ? coords[3 + axis] : UTOFU_PATH_COORD_NULL;
  return UTOFU_SUCCESS;
}
