/// The numbers of a host, section [host] of a machine's file.
#pragma once

#include "models/host/noise.hpp"
#include "models/native/cpu_part.hpp"
#include "platform/core/parameters.hpp"
#include "sw/hal/host.h"

namespace sanvp::host {

struct PciSettings {
  Time cycle{0};
  int width_bytes = 0;
  int burst_bytes = 0;
  double overhead_cycles = 0;    ///< per burst: arbitration, address, the target's first wait states
  double turnaround_cycles = 0;  ///< when data flows the other way than in the burst before
  Time bridge{0};                ///< between CPU and bus
  int posted_writes = 0;         ///< that the bridge holds for a CPU which goes on
};

struct CpuSettings {
  native::InstructionCosts costs{};
  native::InstructionCosts program_costs{};  ///< the same; zero where `timing` is off
  native::InstructionCosts library_costs{};  ///< of libraries and drivers
  std::vector<hal_library_price> library{};  ///< of calls of the C library
  bool timing = true;
  std::int64_t cache_bytes = 0;
  double memory_Bps = 0;  ///< that one CPU gets
};

struct Settings {
  int cpus = 0;
  CpuSettings cpu;
  std::int64_t memory_bytes = 0;
  std::int64_t stack_bytes = 0;
  Time instruction{0};
  double copy_Bps = 0;
  Time clock_read{0};
  Time store{0};
  Time poll_latency{0};
  Time system_call{0};
  Time interrupt_latency{0};
  Time quantum{0};
  double memory_Bps = 0;  ///< of all CPUs
  Time time_slice{0};
  Time context_switch{0};
  std::vector<DaemonSettings> noise{};
  Time patience{0};  ///< of a wait that a node's death may have made vain
  Time looks{0};     ///< so long a process may do nothing but look in vain, before it counts as one that waits
  PciSettings pci;
};

/// Section [host.cpu], of a CPU of this kind. Throws UserError for values out of range.
CpuSettings read_cpu(const Parameters& section, const native::CpuPart& part);
/// Throws UserError for values out of range.
Settings read_settings(const Parameters& host);

}  // namespace sanvp::host
