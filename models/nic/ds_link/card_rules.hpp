/// Section [nic] of a machine with DS-link cards: the parameters of each unit.
#pragma once

#include "models/nic/ds_link/vcp_input.hpp"
#include "models/nic/module.hpp"

namespace sanvp::nic::ds_link {

/// How headers encode node, virtual link and sequence number.
enum class HeaderDeletion : std::uint8_t {
  never,      ///< one header encodes all: each node owns an interval of headers
  always,     ///< the first encodes the node, and its switch deletes it; the second encodes link and sequence number
  as_needed,  ///< two headers if one cannot encode all
};

/// Whether node 0 loads the switches' tables; else they route as [routing] says, by themselves.
enum class Configure : std::uint8_t {
  no,
  yes,
  where_same  ///< where the tables are those of [routing]
};

struct CardRules {
  LinkEnd::Rules link;
  VcpOutput::Rules output;
  VcpInput::Rules input;
  int window = 1;
  std::int64_t virtual_links = 0;  ///< 0: four for each node of the machine, or more if the jobs need them
  int processes = 0;               ///< 0: as many as the jobs have on a node
  int header_bytes = 2;
  HeaderDeletion deletion = HeaderDeletion::as_needed;
  Configure configure = Configure::no;
  stc104::ControlNetwork::Rules control;
  Time gap{0};

  static CardRules read(const Parameters& parameters, int header_bytes);
};

/// The resulting encoding for a machine of `nodes`.
struct Addressing {
  std::uint32_t virtual_links = 0;
  std::uint32_t processes = 1;  ///< each has an equal share of them
  bool deletion = false;
  std::uint32_t header_links = 0;  ///< headers of a node in the switches' tables
  int header_bytes = 0;            ///< of packets at the sending node

  /// Throws UserError if there are too few headers.
  static Addressing of(const CardRules& rules, int nodes, const NicLoad& load = {});
};

}  // namespace sanvp::nic::ds_link
