/* Occam's output, input and alternation on single outputs and inputs. */
#include <stdio.h>

#include "sw/ds_link/state.h"
#include "sw/hal/hal.h"

#define FOREVER UINT64_MAX

static uint32_t wake(void) { return ds_state()->queue->count; }

void ChanOut(Channel* channel, const void* from, int bytes) {
  if (bytes < 0) ds_misused(channel, "ChanOut", "a message has 0 bytes or more");
  hal_call_begin("ChanOut", (int)channel->link->rank, (int64_t)channel->link->number, (uint64_t)bytes);
  ds_output(channel, from, (size_t)bytes);
  for (;;) {
    const uint32_t seen = wake();
    if (ds_output_ended(channel)) break;
    ds_sleep(seen, FOREVER);
  }
  hal_call_end();
}

static void wait_input(const Channel* channel) {
  for (;;) {
    const uint32_t seen = wake();
    if (ds_input_ended(channel)) return;
    ds_sleep(seen, FOREVER);
  }
}

static void check_length(const Channel* channel, const char* call, size_t wanted) {
  const size_t came = ds_input_bytes(channel);
  if (came == wanted) return;
  char text[96];
  snprintf(text, sizeof text, "a message of %zu bytes came where %zu were wanted", came, wanted);
  ds_misused(channel, call, text);
}

static void begin(const Channel* channel, const char* call, uint64_t bytes) {
  hal_call_begin(call, (int)channel->link->rank, (int64_t)channel->link->number, bytes);
}

void ChanIn(Channel* channel, void* to, int bytes) {
  if (bytes < 0) ds_misused(channel, "ChanIn", "a message has 0 bytes or more");
  begin(channel, "ChanIn", (uint64_t)bytes);
  ds_input(channel, to, (size_t)bytes);
  wait_input(channel);
  check_length(channel, "ChanIn", (size_t)bytes);
  hal_call_end();
}

size_t ds_in_any(Channel* channel, void* to, size_t room) {
  begin(channel, "ds_in_any", room);
  ds_input(channel, to, room);
  wait_input(channel);
  if (ds_input_bytes(channel) > room) check_length(channel, "ds_in_any", room);
  hal_call_end();
  return ds_input_bytes(channel);
}

void ChanOutInt(Channel* channel, int value) { ChanOut(channel, &value, (int)sizeof value); }

int ChanInInt(Channel* channel) {
  int value = 0;
  ChanIn(channel, &value, (int)sizeof value);
  return value;
}

void ChanOutChar(Channel* channel, unsigned char value) { ChanOut(channel, &value, 1); }

unsigned char ChanInChar(Channel* channel) {
  unsigned char value = 0;
  ChanIn(channel, &value, 1);
  return value;
}

/* Takes an input back. @return whether that came before any byte of a message */
static int take_back(Channel* channel) {
  struct virtual_link* link = channel->link;
  const uint32_t before = link->block->taken_back;
  const struct ds_transfer none = {.take_back = 1};
  hal_write_block(link->port + DS_PORT_INPUT, &none, sizeof none);
  wait_input(channel);
  return link->block->taken_back != before;
}

static int is_ready(const Channel* channel) { return ds_input_ended(channel) && channel->link->block->waiting; }

int ChanInTimeFail(Channel* channel, void* to, int bytes, uint64_t until_ps) {
  begin(channel, "ChanInTimeFail", (uint64_t)bytes);
  ds_input(channel, to, (size_t)bytes);
  int failed = 0;
  for (;;) {
    const uint32_t seen = wake();
    if (ds_input_ended(channel)) break;
    if (hal_time_ps() >= until_ps) {
      failed = take_back(channel);
      break;
    }
    ds_sleep(seen, until_ps);
  }
  if (!failed) check_length(channel, "ChanInTimeFail", (size_t)bytes);
  hal_call_end();
  return failed;
}

int ChanInChanFail(Channel* channel, void* to, int bytes, Channel* failure) {
  begin(channel, "ChanInChanFail", (uint64_t)bytes);
  ds_input(channel, to, (size_t)bytes);
  int failed = 0;
  for (;;) {
    const uint32_t seen = wake();
    if (ds_input_ended(channel)) break;
    if (is_ready(failure)) {
      failed = take_back(channel);
      ChanInInt(failure);
      break;
    }
    ds_sleep(seen, FOREVER);
  }
  if (!failed) check_length(channel, "ChanInChanFail", (size_t)bytes);
  hal_call_end();
  return failed;
}

int ProcSkipAltList(Channel** channels) {
  for (int i = 0; channels[i]; ++i)
    if (is_ready(channels[i])) return i;
  return -1;
}

int ProcTimerAltList(uint64_t until_ps, Channel** channels) {
  if (!channels[0] && until_ps == FOREVER) hal_abort("ProcAltList: the list is empty, so nothing can ever be ready");
  hal_call_begin("ProcAltList", HAL_NO_RANK, HAL_NO_TAG, 0);
  int ready;
  for (;;) {
    const uint32_t seen = wake();
    ready = ProcSkipAltList(channels);
    if (ready >= 0 || hal_time_ps() >= until_ps) break;
    ds_sleep(seen, until_ps);
  }
  hal_call_end();
  return ready;
}

int ProcAltList(Channel** channels) { return ProcTimerAltList(FOREVER, channels); }
