#include "models/nic/elan3/dma_engine.hpp"
#include "platform/core/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sanvp::nic::elan3 {

DmaEngine::Rules DmaEngine::Rules::read(const Parameters& parameters) {
  Rules rules;
  rules.schedule = parameters.time("schedule", 200ns, "until the engine switches to another DMA",
                                   "calibrated: with nic.command.process 450 ns of the 2.2 us (FACTS 1.1)");
  rules.slice = parameters.size("slice", 4096, "bytes of one DMA before the next one's turn",
                                "assumed: FACTS 8 (the real length is unknown)");
  rules.packets = static_cast<int>(parameters.count("packets", 2, "unacknowledged packets of the DMA engine at most",
                                                    "FACTS 1.4: one per virtual channel", 1, 64));
  rules.back_off =
      parameters.time("back_off", 1us, "until a packet that was not accepted is retried; doubles each time", "assumed");
  rules.most_back_off = parameters.time("most_back_off", 64us, "upper limit of the doubled back-off", "assumed");
  rules.user_entries = static_cast<std::size_t>(
      parameters.count("user_entries", 1024, "DMAs of users that the run queue holds", "FACTS 1.1", 1));
  rules.system_entries = static_cast<std::size_t>(
      parameters.count("system_entries", 256, "DMAs of the system that the run queue holds", "FACTS 1.1", 1));
  return rules;
}

DmaEngine::DmaEngine(const Rules& rules, const Neighbours& neighbours, std::uint32_t unit)
    : rules_(rules),
      queue_(neighbours.queue),
      clock_(neighbours.clock),
      memory_(neighbours.memory),
      microcode_(neighbours.microcode),
      link_(neighbours.link),
      routes_(neighbours.routes),
      traps_(neighbours.traps),
      counters_(neighbours.counters),
      tracks_(neighbours.tracks),
      schedule_(neighbours.schedule),
      unit_(unit),
      completed_(neighbours.clock),
      work_(neighbours.clock),
      answer_(neighbours.clock),
      packets_(neighbours.memory) {}

// ---- the run queues ----

net::Task<Fault> DmaEngine::put(std::uint32_t context, e3_addr descriptor) {
  constexpr Fault none{};
  if (descriptor % E3_DMA_ALIGN != 0) co_return Fault{E3_CAUSE_ALIGNMENT, context, descriptor, E3_PERM_NULL};
  e3_dma dma{};
  const Access access = memory_.load({.context = context}, descriptor, dma, clock_.now());
  if (access.fault) co_return access.fault;
  co_await clock_.until(access.done);
  dma.type &= ~E3_DMA_REMOTE;  // a local DMA, even if the process has set the bit
  if (const Fault fault = put(context, dma, descriptor)) co_return fault;
  co_return none;
}

Fault DmaEngine::check(std::uint32_t context, const e3_dma& dma, e3_addr object) const {
  if (const std::uint32_t cause = check_descriptor(dma); cause != E3_CAUSE_NONE)
    return {cause, context, object, E3_PERM_NULL};
  const Priority priority = (memory_.mmu().filter(context) & E3_FILTER_SYSTEM) != 0 ? system_priority : user_priority;
  if (ready_[priority].size() >= entries(priority)) return {E3_CAUSE_QUEUE, context, object, E3_PERM_NULL};
  return {};
}

Fault DmaEngine::put(std::uint32_t context, const e3_dma& dma, e3_addr object) {
  if (const Fault fault = check(context, dma, object)) return fault;
  DmaJob& job = make_job();
  job.descriptor = dma;
  job.context = context;
  job.object = object;
  job.system = (memory_.mmu().filter(context) & E3_FILTER_SYSTEM) != 0;
  job.fails_left = job.fail_count();
  job.back_off = rules_.back_off;
  job.queued_at = clock_.now();
  counters_.count(Counter::dmas);
  enqueue(job);
  return {};
}

DmaJob& DmaEngine::make_job() {
  if (free_.empty()) return jobs_.emplace_back();
  DmaJob& job = *free_.back();
  free_.pop_back();
  return job = DmaJob{};
}

void DmaEngine::end(DmaJob& job) {
  if (current_ == &job) current_ = nullptr;
  free_.push_back(&job);
}

void DmaEngine::enqueue(DmaJob& job, bool at_front) {
  auto& ready = ready_[job.system ? system_priority : user_priority];
  at_front ? ready.push_front(&job) : ready.push_back(&job);
  job.queued = true;
  work_.notify();
}

DmaJob* DmaEngine::take() {
  for (auto& ready : ready_) {
    if (ready.empty()) continue;
    DmaJob* job = ready.take_front();
    job->queued = false;
    return job;
  }
  return nullptr;
}

bool DmaEngine::others_wait(const DmaJob& job) const {
  return !ready_[system_priority].empty() || (!job.system && !ready_[user_priority].empty());
}

// ---- the engine ----

net::Task<> DmaEngine::run() {
  for (;;) {
    if (schedule_.halts(E3_SCHEDULE_HALT_DMA)) {
      while (outstanding_ > 0) co_await answer_.wait();
      co_await schedule_.rest(E3_SCHEDULE_HALT_DMA, E3_INT_DMA_HALTED);
    }
    if (!defunct_.empty()) {
      co_await trap();
      continue;
    }
    DmaJob* job = take();
    if (job == nullptr) {
      co_await work_.wait();
      continue;
    }
    if (!job->failed) {
      job->running = true;
      if (job != current_) {
        current_ = job;
        fetch_ahead(*job);
        co_await clock_.after(rules_.schedule);
      }
      co_await slice(*job);
      job->running = false;
    }
    if (job->outstanding == 0) conclude(*job);
  }
}

/// Prefetches what slice() will read first into the cache of the simulating computer.
void DmaEngine::fetch_ahead(const DmaJob& job) const {
  routes_.fetch_ahead(job.context, job.process());
  if (!job.is_read()) memory_.fetch_ahead(job.context, job.descriptor.source, next_piece(job).bytes);
}

net::Task<> DmaEngine::slice(DmaJob& job) {
  Time ready = clock_.now();
  if (job.destination.way == nullptr) {
    job.destination = routes_.find(job.context, job.process());
    if (job.destination.fault) co_return give_up(job, job.destination.fault);
    ready += job.destination.fetches * memory_.sdram().rules().access;
  }
  const Way& way = *job.destination.way;
  __builtin_prefetch(way.route.steps.data());  // copied when the packet is sent
  for (std::int64_t left = rules_.slice; !job.failed;) {
    const DmaPiece piece = next_piece(job);
    if (piece.last && job.holds_event_back()) {
      job.last_waits = true;
      co_return;
    }
    if (left <= 0 && others_wait(job)) co_return enqueue(job);
    const Time begin = clock_.now();
    // The first data are fetched at the same time as the route.
    DmaPacket packet = packets_.make(job, piece, clock_.now());
    if (packet.fault) {
      while (job.outstanding > 0) co_await answer_.wait();
      if (!job.failed) give_up(job, packet.fault);
      co_return;
    }
    co_await clock_.until(microcode_.send(std::max(ready, packet.ready), packet.flits));
    while (outstanding_ >= rules_.packets) co_await answer_.wait();
    if (job.failed) co_return;
    ++outstanding_;
    ++job.outstanding;
    job.sent += piece.bytes;
    job.all_sent = piece.last;
    left -= piece.bytes;
    counters_.count(Counter::payload_sent, piece.bytes);
    const std::uint64_t id =
        link_.send({way, std::move(packet.payload), packet.flits}, clock_.now(), *this, &job, piece.offset);
    if (tracks_.wants(begin, clock_.now())) draw(job, piece, id, begin);
    if (piece.last) {
      if (job.sets_source_event()) memory_.fetch_ahead(job.context, job.descriptor.src_event, sizeof(e3_event));
      co_return;
    }
    ready = clock_.now();
  }
}

void DmaEngine::draw(DmaJob& job, const DmaPiece& piece, std::uint64_t packet, Time begin) {
  // The command that queued it ends at that time.
  if (job.object != 0 && piece.offset == 0) tracks_.arrow(Tracks::Unit::command_port, packet, job.queued_at - 1_ps);
  tracks_.slice(Tracks::Unit::dma, fmt::format("{} to process {}", job.is_read() ? "get" : "put", job.process()), begin,
                clock_.now(), {{"bytes", piece.bytes}, {"offset", piece.offset}, {"context", job.context}});
  tracks_.arrow(Tracks::Unit::dma, packet, clock_.now() - 1_ps);
}

// ---- answers ----

void DmaEngine::answered(void* subject, std::int64_t tag, const Answer& answer) {
  DmaJob& job = *static_cast<DmaJob*>(subject);
  --outstanding_;
  --job.outstanding;
  if (answer.kind == Answer::Kind::acknowledged) {
    job.heard = true;
    job.silent_since = never;
  } else if (job.silent_since == never) {
    job.silent_since = clock_.now();
  }
  answer_.notify();
  if (answer.good()) {
    if (!job.failed) {  // progress: reset the count of failures
      job.fails_left = job.fail_count();
      job.back_off = rules_.back_off;
    }
  } else {
    counters_.count(Counter::packets_retried);
    job.rewind = job.failed ? std::min(job.rewind, tag) : tag;
    job.failed = true;
    if (answer.kind == Answer::Kind::timeout) job.cause = E3_CAUSE_NO_ANSWER;
    if (answer.kind == Answer::Kind::acknowledged && answer.acknowledgement == E3_ACK_ERROR)
      job.cause = E3_CAUSE_REFUSED;
  }
  if (job.outstanding == 0 && !job.running && !job.queued) conclude(job);
}

/// Called when all its packets are answered and the engine works on another DMA.
void DmaEngine::conclude(DmaJob& job) {
  if (job.queued || job.defunct) return;
  if (job.failed) return retreat(job);
  if (job.all_sent) {
    job.sets_source_event() ? completed_.push(&job) : end(job);
  } else if (job.last_waits) {
    job.last_waits = false;
    enqueue(job, true);
  }
}

void DmaEngine::retreat(DmaJob& job) {
  job.sent = job.rewind;
  job.all_sent = job.last_waits = false;
  if (job.cause == E3_CAUSE_NONE && job.fails_left == 0)
    job.cause = job.heard ? E3_CAUSE_FAIL_COUNT : E3_CAUSE_NO_ANSWER;
  if (job.cause != E3_CAUSE_NONE)
    return give_up(job, {job.cause, job.context, job.descriptor.dest + static_cast<e3_addr>(job.sent), E3_PERM_NULL});
  --job.fails_left;
  job.failed = false;
  constexpr std::uint16_t kind = 130;
  queue_.schedule(
      {.ps = (clock_.now() + job.back_off).count(), .handler = this, .subject = &job, .kind = kind, .unit = unit_});
  job.back_off = std::min(2 * job.back_off, rules_.most_back_off);
}

net::Task<> DmaEngine::complete() {
  for (;;) {
    DmaJob& job = *co_await completed_.pop();
    const Fault fault =
        co_await events_->set({.context = job.context, .remote = job.is_remote()}, job.descriptor.src_event);
    if (fault) {
      defunct_.push_back({&job, fault});
      work_.notify();
    } else {
      end(job);
    }
  }
}

/// The driver decides about the oldest failed DMA.
net::Task<> DmaEngine::trap() {
  auto [job, fault] = defunct_.front();
  defunct_.pop_front();
  e3_trap record = trap_record(fault, job->object, job->process());
  record.dma = job->remainder();
  if (fault.cause == E3_CAUSE_NO_ANSWER) record.access = silence(job->silent_since, clock_.now());
  if (co_await traps_.raise(E3_TRAP_DMA, record) == Verdict::drop) co_return end(*job);
  job->defunct = false;
  job->cause = E3_CAUSE_NONE;
  job->heard = false;
  job->fails_left = job->fail_count();
  job->destination = {};  // the driver may have changed the route
  if (job->failed) {
    job->failed = false;
    enqueue(*job);
  } else {
    completed_.push(job);
  }
}

/// Called at the end of a back-off.
void DmaEngine::handle(const net::Event& event) { enqueue(*static_cast<DmaJob*>(event.subject)); }

void DmaEngine::give_up(DmaJob& job, const Fault& fault) {
  job.defunct = true;
  job.failed = true;
  job.rewind = job.sent;
  defunct_.push_back({&job, fault});
  work_.notify();
}

CardQueue DmaEngine::queue() const {
  const auto state_of = [](const DmaJob& job) {
    if (job.defunct) return "waits for the driver";
    if (job.running) return "is being sent";
    if (job.queued) return "waits for the engine";
    return job.outstanding > 0 ? "waits for answers" : "waits to be sent again";
  };
  CardQueue shown{"dmas"};
  for (const DmaJob& job : jobs_)
    if (std::find(free_.begin(), free_.end(), &job) == free_.end())
      shown.entries.push_back(QueueEntry()
                                  .add("dma", job.is_read() ? "get" : "put")
                                  .add("context", job.context)
                                  .add("process", job.process())
                                  .add("bytes", job.descriptor.size)
                                  .add("sent", job.sent)
                                  .add("unanswered", job.outstanding)
                                  .add("state", state_of(job))
                                  .add("priority", job.system ? "system" : "user")
                                  .add("queued_ns", job.queued_at)
                                  .add_address("descriptor", job.object));
  return shown;
}

}  // namespace sanvp::nic::elan3
