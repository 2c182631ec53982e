/// What became of the user's firmware (nic.firmware) in a run.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "platform/machine/cluster.hpp"

namespace sanvp::commands {

/// For each of the files: its program and the cards that have loaded it; empty if no file is given.
nlohmann::ordered_json own_firmware(Cluster& cluster);

/// A warning about files that no card has loaded: their names are those of no program; else empty.
std::string unused_firmware(Cluster& cluster);

}  // namespace sanvp::commands
