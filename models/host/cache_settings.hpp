/// Caches, branch prediction and translation of interpreted programs, in section [host.cpu] of a machine's file.
#pragma once

#include <optional>

#include "models/native/cpu_part.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::host {

/// Caches of a CPU of this type; nothing where they are off. Throws UserError for values out of range.
std::optional<native::CachesSettings> read_caches(const Parameters& cpu, const native::CpuPart& part, double cycle_ps);
/// What a conditional branch costs on average because some are predicted wrongly.
std::int64_t read_misprediction_ps(const Parameters& cpu, const native::CpuPart& part, double cycle_ps);

/// Whether interpreted programs are translated, where the simulator can.
bool read_translation(const Parameters& cpu);

}  // namespace sanvp::host
