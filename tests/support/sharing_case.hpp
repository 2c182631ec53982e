/// Random cases in which several virtual channels share a channel, drawn by seed, for comparing `worm` with `flit`.
#pragma once

#include "platform/core/random.hpp"
#include "tests/support/case.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::test {

/// What shares a channel, and how (TIMING.md): virtual channels, which hold it or take turns by flit; flow-control
/// tokens and data.
enum class Sharing : std::uint8_t { hold, flit, tokens };

const char* name_of(Sharing rule);

/// Uniform traffic of equal packets, `load` flits per flit time and host.
void add_uniform(Case& one, Random& random, const topologies::Routing& routing, int hosts, int packets_each, int flits,
                 Time flit_time, double load);

/// As on QsNET (TIMING.md, parameters): two virtual channels of 128 flits, circuits, packets of 320 + 58 bytes.
Case qsnet_like(Random& random, double load, Sharing rule);

/// With tokens every second case is one of DS links (ds_link_case). Trees, irregular networks or fat trees; random
/// buffers, lengths, arbitrations, circuits, broadcasts, failures and abandoned circuits; loads from nearly none to
/// beyond saturation.
Case sharing_case(std::uint64_t seed, Sharing rule);

}  // namespace sanvp::test
