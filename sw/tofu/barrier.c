/* Virtual barrier gates. */
#include "sw/hal/hal.h"
#include "sw/tofu/context.h"

#define NODE_SHIFT 32

/* A process's state of a gate. */
struct gate {
  uint8_t in_use, start;  /* start: where a barrier starts and ends */
  uint32_t begun;         /* barriers */
  volatile uint32_t done; /* written by the card */
};
static struct gate gates[PROGRAM_GATES];

uint32_t gate_number(uint32_t gate) { return tofu_context()->number * TOFU_PROCESS_GATES + gate; }

static utofu_vbg_id_t id_of(uint32_t gate) {
  return (uint64_t)tofu_context()->position.node << NODE_SHIFT | gate_number(gate);
}

/* Number of an own gate, or UINT32_MAX. */
static uint32_t own_gate(utofu_vbg_id_t id) {
  const uint32_t gate = (uint32_t)id - gate_number(0);
  if (id >> NODE_SHIFT != tofu_context()->position.node || gate >= PROGRAM_GATES) return UINT32_MAX;
  return gates[gate].in_use ? gate : UINT32_MAX;
}

int utofu_alloc_vbg(utofu_tni_id_t tni_id, size_t num_vbgs, unsigned long int flags, utofu_vbg_id_t vbg_ids[]) {
  (void)flags;
  if (tni_id >= TOFU_TNIS) return UTOFU_ERR_INVALID_TNI_ID;
  size_t available = 0;
  for (uint32_t gate = 0; gate < PROGRAM_GATES; ++gate) available += !gates[gate].in_use;
  if (num_vbgs > available) return UTOFU_ERR_FULL;
  size_t given = 0;
  for (uint32_t gate = 0; given < num_vbgs; ++gate) {
    if (gates[gate].in_use) continue;
    gates[gate] = (struct gate){.in_use = 1, .start = given == 0};
    vbg_ids[given++] = id_of(gate);
  }
  return UTOFU_SUCCESS;
}

int utofu_free_vbg(utofu_vbg_id_t vbg_ids[], size_t num_vbgs) {
  for (size_t i = 0; i < num_vbgs; ++i) {
    const uint32_t gate = own_gate(vbg_ids[i]);
    if (gate == UINT32_MAX) return UTOFU_ERR_INVALID_VBG_ID;
    struct tofudrv_set_gate request = {.gate = gate};
    tofu_request(TOFUDRV_SET_GATE, &request, "utofu_free_vbg");
    gates[gate].in_use = 0;
  }
  return UTOFU_SUCCESS;
}

static int set(const struct utofu_vbg_setting* setting) {
  const uint32_t gate = own_gate(setting->vbg_id);
  if (gate == UINT32_MAX) return UTOFU_ERR_INVALID_VBG_ID;
  const uint32_t path = path_of(setting->dst_path_coords);
  if (path == UINT32_MAX) return UTOFU_ERR_INVALID_PATH;
  struct tofudrv_set_gate request = {.gate = gate,
                                     .wired = {.flags = TOFU_GATE_IN_USE, .path = path},
                                     .done = gates[gate].start ? hal_address(&gates[gate].done) : 0};
  struct tofu_gate* wired = &request.wired;
  if (setting->src_lcl_vbg_id != UTOFU_VBG_ID_NULL) wired->flags |= TOFU_GATE_LOCAL_SOURCE;
  if (setting->src_rmt_vbg_id != UTOFU_VBG_ID_NULL) wired->flags |= TOFU_GATE_REMOTE_SOURCE;
  if (setting->dst_lcl_vbg_id != UTOFU_VBG_ID_NULL) {
    wired->flags |= TOFU_GATE_LOCAL_DESTINATION;
    wired->local_gate = (uint32_t)setting->dst_lcl_vbg_id;
  }
  if (setting->dst_rmt_vbg_id != UTOFU_VBG_ID_NULL) {
    wired->flags |= TOFU_GATE_REMOTE_DESTINATION;
    wired->remote_node = (uint32_t)(setting->dst_rmt_vbg_id >> NODE_SHIFT);
    wired->remote_gate = (uint32_t)setting->dst_rmt_vbg_id;
  }
  return tofu_try(TOFUDRV_SET_GATE, &request) == 0 ? UTOFU_SUCCESS : UTOFU_ERR_INVALID_VBG_ID;
}

int utofu_set_vbg(struct utofu_vbg_setting vbg_settings[], size_t num_vbg_settings) {
  for (size_t i = 0; i < num_vbg_settings; ++i) {
    const int result = set(&vbg_settings[i]);
    if (result != UTOFU_SUCCESS) return result;
  }
  return UTOFU_SUCCESS;
}

int utofu_barrier(utofu_vbg_id_t vbg_id, unsigned long int flags) {
  (void)flags;
  const uint32_t gate = own_gate(vbg_id);
  if (gate == UINT32_MAX || !gates[gate].start) return UTOFU_ERR_INVALID_VBG_ID;
  if (gates[gate].begun != gates[gate].done) return UTOFU_ERR_BUSY;
  ++gates[gate].begun;
  hal_write32(tofu_context()->gates + (uint64_t)gate * sizeof(uint32_t), 1);
  return UTOFU_SUCCESS;
}

int utofu_poll_barrier(utofu_vbg_id_t vbg_id, unsigned long int flags) {
  (void)flags;
  const uint32_t gate = own_gate(vbg_id);
  if (gate == UINT32_MAX || !gates[gate].start) return UTOFU_ERR_INVALID_VBG_ID;
  return gates[gate].done == gates[gate].begun ? UTOFU_SUCCESS : UTOFU_ERR_NOT_COMPLETED;
}

int utofu_query_vbg_info(utofu_vbg_id_t vbg_id, uint8_t coords[], utofu_tni_id_t* tni_id, utofu_bg_id_t* bg_id,
                         uint16_t* extra_val) {
  if (vbg_id == UTOFU_VBG_ID_NULL) return UTOFU_ERR_INVALID_VBG_ID;
  coords_of((uint32_t)(vbg_id >> NODE_SHIFT), coords);
  *tni_id = 0;
  *bg_id = (utofu_bg_id_t)vbg_id;
  *extra_val = 0;
  return UTOFU_SUCCESS;
}

/* ---- reductions ---- */

int utofu_reduce_uint64(utofu_vbg_id_t vbg_id, enum utofu_reduce_op op, uint64_t data[], size_t num_data,
                        unsigned long int flags) {
  (void)vbg_id;
  (void)op;
  (void)data;
  (void)num_data;
  (void)flags;
  return UTOFU_ERR_NOT_SUPPORTED;
}
int utofu_reduce_double(utofu_vbg_id_t vbg_id, enum utofu_reduce_op op, double data[], size_t num_data,
                        unsigned long int flags) {
  (void)data;
  return utofu_reduce_uint64(vbg_id, op, NULL, num_data, flags);
}
int utofu_poll_reduce_uint64(utofu_vbg_id_t vbg_id, unsigned long int flags, uint64_t data[]) {
  (void)vbg_id;
  (void)flags;
  (void)data;
  return UTOFU_ERR_NOT_SUPPORTED;
}
int utofu_poll_reduce_double(utofu_vbg_id_t vbg_id, unsigned long int flags, double data[]) {
  (void)data;
  return utofu_poll_reduce_uint64(vbg_id, flags, NULL);
}
