#include "models/host/settings.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "models/cpu/costs/library_prices.hpp"
#include "models/host/cache_settings.hpp"
#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::host {
namespace {

constexpr std::int64_t MiB = 1 << 20;
constexpr std::int64_t most_memory = std::int64_t{1} << 36;
constexpr double ps_per_us = 1e6;

PciSettings read_pci(const Parameters& pci) {
  PciSettings settings;
  const double MHz = pci.real("clock", 33.33, "of the I/O bus, in MHz", "QsNET paper 4: 64 bit, 33 MHz", 0.001, 1e6);
  settings.cycle = Time{std::llround(ps_per_us / MHz)};
  constexpr int bits_per_byte = 8;
  const auto bits = pci.count("width", 64, "of the I/O bus, in bits", "QsNET paper 4", bits_per_byte, 1024);
  settings.width_bytes = static_cast<int>(bits / bits_per_byte);
  settings.burst_bytes = static_cast<int>(
      pci.size("burst", 64, "bytes moved after one arbitration", "QsNET paper 5.1: transfers of 64-byte blocks"));
  if (settings.burst_bytes < settings.width_bytes || settings.burst_bytes > MiB)
    throw UserError(pci.where("burst"), "a burst must be at least as long as the bus is wide, and at most 1 MiB");
  settings.overhead_cycles = pci.real("overhead", 2.5, "cycles of a burst that carry no data",
                                      "calibrated, with the Elan3: the 200 MB/s one way of QsNET paper 5.1", 0, 1e6);
  settings.turnaround_cycles =
      pci.real("turnaround", 2.85, "cycles lost when the direction of data changes between bursts",
               "calibrated, with the Elan3: the 80 MB/s each way of QsNET paper 5.2", 0, 1e6);
  settings.bridge = pci.time("bridge", 145ns, "between CPU and I/O bus, each way",
                             "FACTS 1.1: a store reaches the card after 250 ns, 105 of them on the bus");
  settings.posted_writes = static_cast<int>(
      pci.count("posted_writes", 4, "stores that the bridge buffers before the CPU has to wait", "assumed", 1, 1024));
  return settings;
}

/// Bytes that memory moves for one that STREAM counts. Its triad reads two vectors and writes one; the lines of that
/// one are fetched before they are written, and written back later. Without caches nothing is fetched but what is read.
double moved_for_counted(const cpu::CachesSettings& caches) {
  constexpr double counted = 3, moved = 4;
  return caches.has_any() ? moved / counted : 1;
}

/// Copies are limited by memory. With `timing` off, calls of the C library take no time, except for memcpy and memset,
/// with which libraries move messages.
std::vector<hal_library_price> library_prices(const Settings& settings) {
  constexpr double fs_per_second = 1e15;
  const cpu::InstructionCosts& costs = settings.cpu.timing ? settings.cpu.costs : settings.cpu.library_costs;
  std::vector<hal_library_price> prices = cpu::library_prices(costs.cycles, costs.cycle_ps);
  const hal_library_price set = prices[HAL_LIBRARY_memset];
  hal_library_price copy = prices[HAL_LIBRARY_memcpy];
  copy.unit_fs = std::max<std::int64_t>(copy.unit_fs, std::llround(fs_per_second / settings.copy_Bps));
  if (!settings.cpu.timing) std::fill(prices.begin(), prices.end(), hal_library_price{});
  prices[HAL_LIBRARY_memcpy] = copy;
  prices[HAL_LIBRARY_memset] = set;
  return prices;
}

}  // namespace

void adopt_prices(CpuSettings& to, const CpuSettings& from) {
  to.costs = from.costs;
  to.program_costs = from.program_costs;
  to.library_costs = from.library_costs;
  to.load_cycles = from.load_cycles;
  std::copy(from.library.begin(), from.library.end(), to.library.begin());
  to.misprediction_ps = from.misprediction_ps;
  to.caches = from.caches;
}

CpuSettings read_cpu(const Parameters& section, const cpu::CpuPart& part) {
  CpuSettings settings;
  settings.timing =
      section.choice("timing", "on", {"on", "off"}, "off: computing in programs takes no time, only library calls do",
                     "a choice: on is what a real machine does") == "on";
  settings.costs = cpu::read_cycles(part.cycles, section.section("library_cycles"));
  auto pipeline = std::make_shared<const cpu::Pipeline>(cpu::read_pipeline(part.pipeline, section));
  settings.load_cycles = pipeline->least_cycles(HAL_LOAD);
  settings.counted_error = section.section("counted").real(
      "error", part.counted_error.value, "by which times of counted code differ from those of its own: a share",
      part.counted_error.source, 0, 100);
  settings.binary_error = section.section("binary").real(
      "error", part.binary_error.value, "the same of programs for RISC-V", part.binary_error.source, 0, 100);
  const double MHz =
      section.real("clock", part.clock_MHz.value, "of the CPU, in MHz", part.clock_MHz.source, 0.001, 1e6);
  settings.costs.cycle_ps = ps_per_us / MHz;
  if (settings.timing) {
    settings.program_costs = settings.costs;
    settings.program_costs.pipeline = std::move(pipeline);
  }
  settings.library_costs = settings.costs;
  settings.library_costs.cycle_ps *= section.real(
      "library", 1, "factor on the time that these libraries and this driver take",
      "calibrated: those of the period were written for one card; the machine's file says by what", 0, 100);
  constexpr double MBps = 1e6, ps_per_second = 1e12;
  settings.memory_Bps =
      section.rate("memory_rate", part.memory_MBps.value * MBps,
                   "memory bandwidth of one CPU, as STREAM counts it; memory moves 4/3 of it", part.memory_MBps.source);
  if (!(settings.memory_Bps > 0)) throw UserError(section.where("memory_rate"), "the rate must be above 0");
  settings.caches = read_caches(section, part, settings.costs.cycle_ps);
  settings.memory_Bps *= moved_for_counted(settings.caches);
  settings.caches.memory_line_ps =
      std::llround(static_cast<double>(settings.caches.last().line_bytes) * ps_per_second / settings.memory_Bps);
  const Follows follows = read_follows(section);
  const std::int64_t misprediction_ps = read_misprediction_ps(section, part, settings.costs.cycle_ps);
  settings.translates = read_translation(section);
  if (settings.timing) settings.follows = follows;
  if (settings.timing) settings.misprediction_ps = misprediction_ps;
  return settings;
}

Settings read_settings(const Parameters& host) {
  Settings settings;
  settings.cpus = static_cast<int>(host.count("cpus", 4, "CPUs of a node", "FACTS 1.1: ES40", 1, 1024));
  settings.memory_bytes =
      host.size("memory", 8192 * MiB, "main memory of a node; the simulating computer allocates only what is used",
                "FACTS 1.1: 8 GB");
  if (settings.memory_bytes < MiB || settings.memory_bytes > most_memory)
    throw UserError(host.where("memory"), "a node must have 1 MiB to 64 GiB", "give it a size such as 1024MiB");
  settings.stack_bytes = host.size("stack", 8 * MiB, "stack of a process", "assumed: Linux's default limit");
  if (settings.stack_bytes < MiB / 16 || settings.stack_bytes > 1024 * MiB)
    throw UserError(host.where("stack"), "a stack must have 64 KiB to 1 GiB", "give it a size such as 8MiB");
  settings.environment = host.text(
      "environment", "",
      "names of sanvp's environment that programs for RISC-V see, such as HOME,MODE=fast; native ones see all",
      "a choice: times are the same for all users");
  settings.instruction =
      host.time("instruction_time", Time{1200}, "of an instruction that software only declares (hal_instructions)",
                "833 MHz (FACTS 1.1), one instruction a cycle assumed");
  settings.copy_Bps = host.rate("copy_rate", 800e6, "of a copy in main memory by a CPU", "assumed: ES40 of 1999");
  if (!(settings.copy_Bps > 0)) throw UserError(host.where("copy_rate"), "the rate must be above 0");
  settings.clock_read = host.time("clock_read", 20ns, "to read the CPU's clock", "assumed");
  settings.store = host.time("store", 50ns, "CPU time of a store to a device that the bridge buffers", "assumed");
  settings.poll_latency = host.time("poll_latency", 135ns, "until a CPU that polls a word sees a store by another unit",
                                    "FACTS 1.1: budget");
  settings.system_call =
      host.time("system_call", 1us, "into the driver and back, without the driver's own work", "assumed");
  settings.interrupt_latency = host.time("interrupt_latency", 10us,
                                         "from the card's interrupt line to the driver's first instruction", "assumed");
  settings.quantum = host.time("quantum", 2us, "how far a CPU may compute ahead of the rest of the machine",
                               "assumed: not longer than the network's latency");
  settings.memory_Bps = host.rate("memory_rate", 2000e6,
                                  "memory bandwidth of a node, which computing CPUs and its cards share, as STREAM "
                                  "counts it; memory moves 4/3 of it",
                                  "assumed: two CPUs saturate it");
  if (!(settings.memory_Bps > 0)) throw UserError(host.where("memory_rate"), "the rate must be above 0");
  settings.time_slice = host.time("time_slice", 10ms, "for which a rank has a CPU if a node has more ranks than CPUs",
                                  "assumed: as Unix systems of the period");
  if (settings.time_slice <= Time{0}) throw UserError(host.where("time_slice"), "the time slice must be above 0");
  settings.context_switch = host.time("context_switch", 5us, "from one rank to the next on a CPU", "assumed");
  settings.death_timeout = host.time(
      "patience", 20ms,
      "timeout of waits in a job of which a node has died, from the start of the wait or from the report of the death; "
      "then the job is ended",
      "assumed: a watchdog of the run-time system, far longer than any message");
  settings.looks = host.time(
      "looks", 500ms,
      "a program that only tests without progress (MPI_Test, MPI_Iprobe) for this long, and 65536 times, counts as "
      "waiting",
      "assumed: seconds of wall time");
  settings.pci = read_pci(host.section("pci"));
  const Parameters cpu = host.section("cpu");
  const std::string type =
      cpu.text("type", "alpha_21264a", "the processor, a part of `sanvp list parts`", "FACTS 1.1: ES40");
  settings.cpu = read_cpu(cpu, Registry<cpu::CpuPart>::get(type, cpu.place("type")));
  settings.memory_Bps *= moved_for_counted(settings.cpu.caches);
  settings.cpu.library = library_prices(settings);
  settings.noise = read_noise(host.section("noise"));
  settings.disk = read_disk(host.section("disk"));
  return settings;
}

}  // namespace sanvp::host
