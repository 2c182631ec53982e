/* Alarms: any number of the process's, one of the card's for the earliest of them. */
#include "sw/gm/port.h"
#include "sw/hal/hal.h"

#define PS_PER_TICK (LANAI_TICK_NS * 1000u)

gm_u64_t gm_ticks(struct gm_port* port) {
  (void)port;
  return hal_time_ps() / PS_PER_TICK;
}

void gm_initialize_alarm(gm_alarm_t* alarm) { *alarm = (gm_alarm_t){0}; }

static void set_card(struct gm_port* port) {
  const uint64_t now = hal_time_ps(), at = port->alarms->at;
  const uint64_t ticks = at > now ? (at - now + PS_PER_TICK - 1) / PS_PER_TICK : 1;
  gm_store_send(
      port, (struct lcp_send_slot){.length = ticks > INT32_MAX ? INT32_MAX : (uint32_t)ticks, .type = LCP_SEND_ALARM});
}

static void take_out(gm_alarm_t** list, const gm_alarm_t* alarm) {
  while (*list && *list != alarm) list = &(*list)->next;
  if (*list) *list = alarm->next;
}

void gm_set_alarm(struct gm_port* port, gm_alarm_t* alarm, gm_u64_t microseconds, void (*callback)(void*),
                  void* context) {
  if (alarm->is_set) take_out(&port->alarms, alarm);
  *alarm = (gm_alarm_t){
      .at = hal_time_ps() + microseconds * HAL_PS_PER_US, .callback = callback, .context = context, .is_set = 1};
  gm_alarm_t** place = &port->alarms;
  while (*place && (*place)->at <= alarm->at) place = &(*place)->next;
  alarm->next = *place;
  *place = alarm;
  if (port->alarms == alarm) set_card(port);
}

/* A cancelled alarm stays in its list until its time, and does nothing then. */
void gm_cancel_alarm(gm_alarm_t* alarm) { alarm->callback = NULL; }

void gm_run_alarms(struct gm_port* port) {
  while (port->alarms && port->alarms->at <= hal_time_ps()) {
    gm_alarm_t* alarm = port->alarms;
    port->alarms = alarm->next;
    alarm->is_set = 0;
    if (alarm->callback) alarm->callback(alarm->context);
  }
  if (port->alarms) set_card(port);
}

void gm_flush_alarm(struct gm_port* port) { (void)port; }
