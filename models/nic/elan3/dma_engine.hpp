/// The DMA engine (QsNET paper 2.1, "DMA thread"): queues descriptors, splits DMAs into packets, retries, and sets the
/// source event at the end. Large DMAs are sliced, so that small ones do not wait for them.
#pragma once

#include <array>
#include <deque>
#include <vector>

#include "models/nic/card/queues.hpp"
#include "models/nic/elan3/dma_job.hpp"
#include "models/nic/elan3/dma_packets.hpp"
#include "models/nic/elan3/events.hpp"
#include "models/nic/elan3/link.hpp"
#include "models/nic/elan3/microcode.hpp"
#include "models/nic/elan3/schedule.hpp"
#include "models/nic/elan3/tracks.hpp"
#include "models/nic/elan3/traps.hpp"

namespace sanvp::nic::elan3 {

class DmaEngine final : private Sender, private net::EventHandler {
 public:
  struct Rules {
    Time schedule{0};
    std::int64_t slice = 0;  ///< bytes
    int packets = 1;         ///< unacknowledged at most
    Time back_off{0};
    Time most_back_off{0};
    std::size_t user_entries = 1;
    std::size_t system_entries = 1;
    static Rules read(const Parameters& parameters);
  };

  struct Neighbours {
    net::EventQueue& queue;
    net::Clock& clock;
    Memory& memory;
    Microcode& microcode;
    Link& link;
    RouteTables& routes;
    Traps& traps;
    Counters& counters;
    Tracks& tracks;
    Schedule& schedule;
  };

  DmaEngine(const Rules& rules, const Neighbours& neighbours, std::uint32_t unit);

  /// Set after construction, because events also need the engine.
  void connect(Events& events) { events_ = &events; }

  /// Fetches, checks and queues the descriptor at `descriptor` (QsNET paper, figure 6, steps 3 and 4).
  net::Task<Fault> put(std::uint32_t context, e3_addr descriptor);
  /// The same for a descriptor that was already fetched; one from a packet runs with the rights of a remote process.
  Fault put(std::uint32_t context, const e3_dma& dma, e3_addr object);
  /// Whether `put` would take it.
  Fault check(std::uint32_t context, const e3_dma& dma, e3_addr object) const;

  /// The coroutines of the engine and of completions.
  net::Task<> run();
  net::Task<> complete();

  /// Called when the driver has changed a control register.
  void look_up() { work_.notify(); }
  std::size_t queued() const { return ready_[0].size() + ready_[1].size(); }
  CardQueue queue() const;
  std::size_t unfinished() const { return jobs_.size() - free_.size(); }

 private:
  enum Priority : std::uint8_t { system_priority, user_priority, priorities };

  DmaJob& make_job();
  void end(DmaJob& job);
  void enqueue(DmaJob& job, bool at_front = false);
  DmaJob* take();
  bool others_wait(const DmaJob& job) const;
  std::size_t entries(Priority priority) const {
    return priority == system_priority ? rules_.system_entries : rules_.user_entries;
  }

  void fetch_ahead(const DmaJob& job) const;
  net::Task<> slice(DmaJob& job);
  net::Task<> trap();
  void give_up(DmaJob& job, const Fault& fault);
  void draw(DmaJob& job, const DmaPiece& piece, std::uint64_t packet, Time begin);
  void conclude(DmaJob& job);
  void retreat(DmaJob& job);
  void answered(void* subject, std::int64_t tag, const Answer& answer) override;
  void handle(const net::Event& event) override;

  Rules rules_;
  net::EventQueue& queue_;
  net::Clock& clock_;
  Memory& memory_;
  Microcode& microcode_;
  Link& link_;
  RouteTables& routes_;
  Traps& traps_;
  Counters& counters_;
  Tracks& tracks_;
  Schedule& schedule_;
  std::uint32_t unit_;
  Events* events_ = nullptr;

  std::deque<DmaJob> jobs_;  // storage with stable addresses; free_ lists unused entries
  std::vector<DmaJob*> free_;
  std::array<net::Fifo<DmaJob*>, priorities> ready_;
  struct Defunct {
    DmaJob* job;
    Fault fault;
  };
  std::deque<Defunct> defunct_;  // wait for the driver
  net::Mailbox<DmaJob*> completed_;
  net::Condition work_;
  net::Condition answer_;
  DmaPackets packets_;
  const DmaJob* current_ = nullptr;
  int outstanding_ = 0;
};

}  // namespace sanvp::nic::elan3
