/// The numbers of a host, section [host] of a machine's file.
#pragma once

#include <memory>
#include <optional>

#include "models/cpu/costs/cpu_part.hpp"
#include "models/host/disk.hpp"
#include "models/host/noise.hpp"
#include "platform/core/time.hpp"
#include "sw/abi/hal/host.h"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::riscv {
class SharedCode;
}

namespace sanvp::host {

struct PciSettings {
  Time cycle{0};
  int width_bytes = 0;
  int burst_bytes = 0;
  double overhead_cycles = 0;    ///< per burst: arbitration, address, the target's first wait states
  double turnaround_cycles = 0;  ///< when the direction of data changes between bursts
  Time bridge{0};                ///< between CPU and bus
  int posted_writes = 0;         ///< stores that the bridge buffers
};

/// Which loads and stores of interpreted programs go through caches.
enum class Follows : std::uint8_t { nothing, a_sample, everything };
/// Which interpreted programs become code of the simulating computer; results are the same.
enum class Translates : std::uint8_t { nothing, what_it_can, everything };

struct CpuSettings {
  cpu::InstructionCosts costs{};             ///< of calls of the C library
  cpu::InstructionCosts program_costs{};     ///< of programs, with a pipeline; zero if `timing` is off
  cpu::InstructionCosts library_costs{};     ///< of libraries and drivers: by class
  double load_cycles = 0;                    ///< of a load among others
  double counted_error = 0;                  ///< by which times of counted code differ from the CPU's own: a share
  double binary_error = 0;                   ///< the same of programs for RISC-V
  std::vector<hal_library_price> library{};  ///< of calls of the C library
  bool timing = true;
  cpu::CachesSettings caches{};
  double memory_Bps = 0;  ///< bandwidth of one CPU, in bytes that memory moves; STREAM counts three of four
  // Costs of interpreted programs; nothing if `timing` is off.
  Follows follows = Follows::nothing;
  std::int64_t misprediction_ps = 0;  ///< of a conditional branch, on average
  Translates translates = Translates::nothing;
  std::shared_ptr<riscv::SharedCode> shared_code{};  ///< code that processes share; null: each has its own
};

struct Settings {
  int cpus = 0;
  CpuSettings cpu;
  std::int64_t memory_bytes = 0;
  std::int64_t stack_bytes = 0;
  std::string environment{};  ///< names that programs for RISC-V see, separated by commas
  Time instruction{0};
  double copy_Bps = 0;
  Time clock_read{0};
  Time store{0};
  Time poll_latency{0};
  Time system_call{0};
  Time interrupt_latency{0};
  Time quantum{0};
  double memory_Bps = 0;  ///< bandwidth that all CPUs and bus masters share: of what memory moves
  Time time_slice{0};
  Time context_switch{0};
  std::vector<DaemonSettings> noise{};
  Time death_timeout{0};  ///< of waits after the death of a node (key `patience`)
  Time looks{0};          ///< a process that only tests without progress for this long counts as waiting
  PciSettings pci;
  std::optional<DiskSettings> disk{};  ///< empty: files take no time
};

/// Takes what computing costs by another clock; addresses of prices stay.
void adopt_prices(CpuSettings& to, const CpuSettings& from);
/// Section [host.cpu] for a CPU of this type. Throws UserError for values out of range.
CpuSettings read_cpu(const Parameters& section, const cpu::CpuPart& part);
/// Throws UserError for values out of range.
Settings read_settings(const Parameters& host);

}  // namespace sanvp::host
