/// The thread processor (QsNET paper 2.1, FACTS.md 1.5): a RISC with its own clock that runs firmware, one thread at a
/// time, until it yields, waits or ends. Each instruction costs its cycles; accesses to memory, events and the network
/// are executed here, and take their time.
///
/// A thread's code is a fiber. The cycles that it uses are summed until it does something that others may observe, and
/// pass then. So a stretch of code costs one event of the simulation, and a waiting thread none.
#pragma once

#include "models/cpu/costs/cpu_part.hpp"
#include "models/nic/elan3/events.hpp"
#include "models/nic/elan3/link.hpp"
#include "models/nic/elan3/microcode.hpp"
#include "models/nic/elan3/route_tables.hpp"
#include "models/nic/elan3/scheduler.hpp"
#include "models/nic/elan3/tracks.hpp"
#include "models/nic/elan3/traps.hpp"

namespace sanvp::nic::elan3 {

class ThreadProcessor {
 public:
  struct Rules {
    Time cycle{0};
    std::uint32_t word = 0;   ///< cycles of a load or store of up to 8 bytes of SDRAM
    std::uint32_t block = 0;  ///< ... of 64 bytes
    std::uint32_t extra =
        0;                   ///< ... of an instruction that an ordinary RISC lacks: open, send, close, wait, set, break
    std::uint64_t most = 0;  ///< ... without yielding
    std::shared_ptr<native::Loader> loader;  ///< with the cycles of the processor's instructions
    static Rules read(const Parameters& parameters);
  };

  struct Neighbours {
    net::Clock& clock;
    Memory& memory;
    Microcode& microcode;
    Link& link;
    RouteTables& routes;
    Events& events;
    Traps& traps;
    Counters& counters;
    Tracks& tracks;
    Work& work;
    Scheduler& scheduler;
  };

  ThreadProcessor(const Rules& rules, const Neighbours& neighbours);
  ThreadProcessor(const ThreadProcessor&) = delete;
  ThreadProcessor& operator=(const ThreadProcessor&) = delete;

  /// For Firmware::load.
  const elan3_firmware_host& calls() const { return calls_; }
  net::Task<> run();
  /// Whether a thread runs, or waits for the driver.
  bool busy() const { return thread_ != nullptr; }
  /// Until then the current thread only computes.
  Time computes_until() const { return computes_until_; }
  /// Block copies so far: data of messages.
  std::uint64_t copies() const { return copies_; }
  /// Program and reason of the last trap with E3_CAUSE_INSTRUCTION.
  const std::string& complaint() const { return complaint_; }

 private:
  struct Calls;  // elan3_firmware_host, implemented by the functions below

  // ---- on the firmware's stack (elan3_thread.h) ----
  void cycles(std::uint64_t count);
  void load(e3_addr address, std::span<std::byte> to);
  void store(e3_addr address, std::span<const std::byte> from);
  void* sdram(e3_addr address, std::size_t bytes);
  void block_copy(e3_addr to, e3_addr from, std::size_t bytes);
  void open(std::uint32_t process);
  void send_transaction(std::uint32_t type, e3_addr address, std::span<const std::byte> data);
  int close(std::uint32_t* reply);
  void wait_event(e3_addr event);
  void set_event(e3_addr event);
  void give_way();
  void suspend();
  void put_dma(e3_addr dma);
  [[noreturn]] void refuse(e3_addr address, const char* why);
  template <class What>
  void perform(What what);
  template <class Begin, class End>
  void perform(Begin begin, End end);
  void await(const Operation& operation);

  // ---- on the timeline ----
  net::Task<Verdict> trap(const Fault& fault);
  Access move(e3_addr address, std::span<std::byte> to, std::span<const std::byte> from);
  Access copy(e3_addr to, e3_addr from, std::size_t bytes);
  Access find_route();
  net::Task<Fault> exchange(Answer& answer);
  Access reach_event(e3_addr event);
  void take_event(e3_addr event);
  net::Task<Fault> complain(e3_addr address, std::string why);
  net::Task<> bury();
  std::uint64_t last_cycles();
  void end_thread();

  Subject self() const { return {.context = thread_->context}; }
  std::uint32_t word_cycles(std::size_t bytes) const {
    return rules_.word * static_cast<std::uint32_t>((bytes + 7) / 8);
  }

  Rules rules_;
  Neighbours at_;
  elan3_firmware_host calls_;
  FirmwareThread* thread_ = nullptr;  ///< running
  std::string complaint_;
  Time computes_until_{0};
  std::uint64_t copies_ = 0;

  // The packet under construction.
  bool open_ = false;
  std::uint32_t process_ = 0;
  Destination destination_;
  PacketBuilder builder_;
  e3_addr first_address_ = 0;
  Payload payload_;  ///< after it is closed
  int flits_ = 0;
};

}  // namespace sanvp::nic::elan3
