/* Messages without waiting, and waiting for several links: see parix.h. */
#include <stdarg.h>
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/parix/parix_link.h"

int AInit(LinkCB_t* Link, int Sends, int Receives) {
  if (!Link || Sends < 0 || Receives < 0 || Link->count > 0) return -1;
  free(Link->under_way);
  const size_t count = (size_t)Sends + (size_t)Receives;
  Link->under_way = aligned_alloc(_Alignof(struct parix_transfer), (count + 1) * sizeof *Link->under_way);
  Link->most_sends = Sends;
  Link->most_receives = Receives;
  return 0;
}

int ASend(LinkCB_t* Link, const void* Data, int Size, int* Result) {
  if (!Link || Size < 0 || Link->sends == Link->most_sends) return -1;
  ++Link->sends;
  struct parix_transfer* next = &Link->under_way[Link->count++];
  next->result = Result;
  port_start_send(&next->transfer, Link->peer, Link->tag, Data, (size_t)Size);
  return 0;
}

int ARecv(LinkCB_t* Link, void* Data, int Size, int* Result) {
  if (!Link || Size < 0 || Link->receives == Link->most_receives) return -1;
  ++Link->receives;
  struct parix_transfer* next = &Link->under_way[Link->count++];
  next->result = Result;
  port_start_receive(&next->transfer, Link->peer, Link->tag, UINT32_MAX, Data, (size_t)Size);
  return 0;
}

int ASync(LinkCB_t* Link) {
  if (!Link) return -1;
  for (int i = 0; i < Link->count; ++i) {
    struct parix_transfer* one = &Link->under_way[i];
    const size_t moved = port_finish(&one->transfer);
    const size_t room = one->transfer.bytes;
    if (one->result) *one->result = (int)(moved < room ? moved : room);
  }
  Link->count = Link->sends = Link->receives = 0;
  return 0;
}

int SelectList(int Count, const Option_t* Options) {
  if (Count <= 0 || !Options) return -1;
  struct port_operation probes[Count];
  const volatile uint32_t* words[Count];
  uint32_t pending[Count];
  for (int i = 0; i < Count; ++i) {
    port_probe(&probes[i], Options[i].Link->peer, Options[i].Link->tag, UINT32_MAX);
    words[i] = port_word(&probes[i]);
    pending[i] = MESSAGE_PENDING;
  }
  hal_wait_words(words, pending, Count, UINT64_MAX);
  int first = -1;
  for (int i = Count - 1; i >= 0; --i)
    if (!port_cancel(&probes[i])) first = i;
  return first;
}

int Select(int Count, Option_t First, ...) {
  if (Count <= 0) return -1;
  Option_t options[Count];
  options[0] = First;
  va_list more;
  va_start(more, First);
  for (int i = 1; i < Count; ++i) options[i] = va_arg(more, Option_t);
  va_end(more);
  return SelectList(Count, options);
}
