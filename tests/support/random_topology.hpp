/// Random cases on the topologies and routings of topologies/: random rules, random traffic.
#pragma once

#include "platform/core/random.hpp"
#include "tests/support/case.hpp"
#include "tests/support/random_rules.hpp"
#include "topologies/graph.hpp"

namespace sanvp::test {

/// The graph's hosts, switches and cables, with the rules that `make_*` give; host h is NIC h.
net::Wiring wire(const topologies::Graph& graph, const net::SwitchRules& switch_rules, const net::NicRules& nic_rules,
                 const std::function<net::ChannelRules()>& make_channel);

/// A broadcast of `source` to hosts low..high of a fat tree.
Shipment fat_tree_broadcast(const topologies::Graph& graph, int source, int low, int high, int flits);

/// Up*/down* routes, or with CaseOptions::in_transit shortest paths through in-transit hosts (UD_ITB).
Case irregular_case(Random& random, const CaseOptions& options);
/// 2-ary and 4-ary trees; with CaseOptions::broadcasts every fourth packet is a broadcast.
Case fat_tree_case(Random& random, const CaseOptions& options);
/// Dragonflies and HyperX networks on which packets have a choice of two paths. Needs 3 virtual channels.
Case two_paths_case(Random& random, const CaseOptions& options);
/// Networks whose switches decide at each hop, with a relation that is free from deadlock on them, and packets far
/// beyond saturation. Needs 6 virtual channels.
Case relation_case(Random& random, const CaseOptions& options);
/// Small switches, so that there are groups of several cables.
Case clos_case(Random& random, const CaseOptions& options);

}  // namespace sanvp::test
