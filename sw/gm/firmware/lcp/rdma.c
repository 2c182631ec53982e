/* The RDMA machine: payloads and events to the host's memory, in the order in which they were queued. */
#include "sw/gm/firmware/lcp/lcp_memory.h"

void queue_rdma(struct rdma_job job) {
  struct lcp* self = lcp();
  self->jobs[(self->job_first + self->job_count++) % RDMA_JOBS] = job;
}

static void release(const struct rdma_job* job) {
  struct lcp* self = lcp();
  if (job->kind != RDMA_EVENT) {
    if (job->buffer != NONE)
      lanai_receive(lanai_address(&self->receive_buffers[job->buffer]), sizeof self->receive_buffers[0]);
    return;
  }
  self->free_events[self->free_event_count++] = (uint8_t)job->buffer;
  if (self->events[job->buffer].fields.type == LCP_EVENT_SENT) {
    self->ports[job->port].telling = 0;
    tell_done(job->port);
  }
  const uint32_t untold = self->untold;
  self->untold = 0;
  for (unsigned port = 0; untold >> port != 0; ++port)
    if (untold >> port & 1) tell_done(port);
}

void start_rdma(void) {
  struct lcp* self = lcp();
  while (!self->rdma_busy && self->job_count > 0) {
    const struct rdma_job* job = &self->jobs[self->job_first % RDMA_JOBS];
    if (job->kind == RDMA_ANSWER) {
      answer(&self->receive_buffers[job->buffer]);
    } else if (self->ports[job->port].opened % 2 == 1) {
      self->rdma_busy = 1;
      lanai_rdma(job->sram, job->host, job->bytes);
      return;
    }
    rdma_done(); /* it takes the machine no time, or its process is gone */
  }
}

void rdma_done(void) {
  struct lcp* self = lcp();
  const struct rdma_job job = self->jobs[self->job_first % RDMA_JOBS];
  self->job_first = (self->job_first + 1) % RDMA_JOBS;
  --self->job_count;
  self->rdma_busy = 0;
  release(&job);
}

uint16_t take_event_buffer(void) {
  struct lcp* self = lcp();
  return self->free_event_count == 0 ? NONE : self->free_events[--self->free_event_count];
}

void send_event(unsigned port, uint16_t buffer, uint32_t data_bytes) {
  struct lcp* self = lcp();
  struct port* at = &self->ports[port];
  const uint32_t word = 8, first = LCP_EVENT_DATA - (data_bytes + word - 1) / word * word;
  queue_rdma(
      (struct rdma_job){.host = self->shared.ports[port].events + at->next_event * sizeof(struct lcp_event) + first,
                        .sram = lanai_address((uint8_t*)&self->events[buffer] + first),
                        .bytes = (uint32_t)sizeof(struct lcp_event) - first,
                        .kind = RDMA_EVENT,
                        .port = (uint8_t)port,
                        .buffer = buffer});
  at->next_event = (uint16_t)((at->next_event + 1) % LCP_EVENT_SLOTS);
}
