/// Caches, branch prediction and translation of interpreted programs, in section [host.cpu] of a machine's file.
#pragma once

#include "models/host/settings.hpp"

namespace sanvp::host {

/// Caches of a CPU of this type. Throws UserError for values out of range.
cpu::CachesSettings read_caches(const Parameters& cpu, const cpu::CpuPart& part, double cycle_ps);
/// Which accesses of interpreted programs go through them.
Follows read_follows(const Parameters& cpu);
/// The average cost of a conditional branch due to mispredictions.
std::int64_t read_misprediction_ps(const Parameters& cpu, const cpu::CpuPart& part, double cycle_ps);

/// Which interpreted programs are translated.
Translates read_translation(const Parameters& cpu);

}  // namespace sanvp::host
