/// How exactly a network is simulated: `flit` moves each flit by itself, `worm` what changes (README.md, "Two
/// fidelities").
#pragma once

#include <cstdint>

namespace sanvp::net {

enum class Fidelity : std::uint8_t { worm, flit };

}  // namespace sanvp::net
