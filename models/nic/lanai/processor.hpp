/// The LANai: a RISC with its own clock that runs the control program from SRAM. Its accesses to the DMA machines, the
/// timer and the host's interrupt line take effect when the cycles that the program has used until then have passed.
///
/// The program is a fiber. Its code between two accesses to registers costs one event of the simulation; a sleeping
/// program costs none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/cpu/costs/cpu_part.hpp"
#include "models/native/cycle_meter.hpp"
#include "models/native/fiber.hpp"
#include "models/nic/card/firmware_files.hpp"
#include "models/nic/card/interrupt_register.hpp"
#include "models/nic/card/registers.hpp"
#include "models/nic/lanai/host_dma.hpp"
#include "models/nic/lanai/packet_interface.hpp"
#include "platform/core/random.hpp"
#include "sw/abi/hal/lanai_host.h"

namespace sanvp::nic::lanai {

class Processor final : private net::EventHandler {
 public:
  struct Rules {
    Time cycle{0};
    Time reprogram{0};                       ///< of the send DMA for an in-transit packet
    Time timeout{0};                         ///< native::Fiber::watch (key `patience`)
    std::shared_ptr<native::Loader> loader;  ///< with the cycles of the processor's instructions
    static Rules read(const Parameters& parameters, Time reprogram);
  };
  struct Neighbours {
    net::EventQueue& queue;
    std::uint32_t unit;
    net::Clock& clock;
    Sram& sram;
    Events& events;
    HostDma& sdma;
    HostDma& rdma;
    PacketInterface& packets;
    RouteMemory& routes;
    RouteSelection& selection;
    InterruptRegister& interrupts;
    Counters& counters;
    Tracks& tracks;
  };
  /// @param random  generator for route selections
  Processor(const Rules& rules, const Neighbours& neighbours, int host, Random random);
  ~Processor();
  Processor(const Processor&) = delete;
  Processor& operator=(const Processor&) = delete;

  static Registers<Processor> registers();

  static constexpr const char* entry = "lanai_main";

  /// @param path  of the image `name`. @return the program's number, from 1; -1 if there is no such file
  int load(const std::string& path, const std::string& name);
  std::vector<FirmwareProgram> loaded() const;
  /// A store to LANAI_REG_START.
  void start(std::uint32_t program);
  net::Task<> run();

  /// The real-time clock, in ticks, as the program sees it.
  std::uint32_t clock();
  /// The same as the host sees it.
  std::uint32_t host_clock() const;
  /// Whether its timer is set, or it runs and may set it.
  bool has_timer() const { return timer_is_set_ || (busy() && complaint_.empty()); }
  /// Whether it has something to do.
  bool busy() const { return code_ != nullptr && !code_->has_ended() && waiting_for_ == 0; }
  const std::string& complaint() const { return complaint_; }

 private:
  struct Calls;  // lanai_firmware_host, implemented by the functions below

  struct Program {
    std::string name;
    std::unique_ptr<native::Image> image;
    native::Function<void()> main;
    mutable native::CycleMeter meter{};
  };

  // ---- on the program's stack ----
  void take_cycles() {
    if (program_ != nullptr) cycles_due_ += program_->meter.take();
  }
  template <class Action>
  void access(Action action);
  template <class Action>
  void access(Action action, Time due);
  [[noreturn]] void refuse(std::string why);
  std::span<std::byte> sram(std::uint32_t address, std::uint32_t bytes, const char* what);
  std::uint32_t wait(std::uint32_t events);
  void transfer(HostDma& machine, const char* name, std::uint64_t host, std::uint32_t address, std::uint32_t bytes);
  void send(std::uint32_t route, std::uint32_t packet, std::uint32_t bytes);
  void arm(std::uint32_t buffer, std::uint32_t bytes);
  std::uint32_t received(std::uint32_t& bytes, int& intact);
  void send_on();
  void interrupt_host(std::uint32_t causes);
  void set_timer(std::uint32_t ticks);
  std::uint32_t select_route(std::uint32_t node, std::uint32_t bytes);

  // ---- on the timeline ----
  net::Task<> execute();
  void handle(const net::Event& event) override;

  Rules rules_;
  Neighbours at_;
  int host_;
  Random random_;
  std::unique_ptr<lanai_firmware_host> calls_;
  std::vector<Program> programs_;
  const Program* program_ = nullptr;
  std::unique_ptr<native::Fiber> code_;
  net::Condition started_;
  std::uint64_t cycles_due_ = 0;   ///< used since its last access
  Time due_{0};                    ///< time that must pass before its request is executed
  std::uint32_t waiting_for_ = 0;  ///< events
  void* action_ = nullptr;         ///< the request
  void (*act_)(void*) = nullptr;
  std::uint32_t timer_serial_ = 0;
  bool timer_is_set_ = false;
  std::string complaint_;
};

}  // namespace sanvp::nic::lanai
