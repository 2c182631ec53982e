/// The register map of a card as a table, for `sanvp describe`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "models/nic/card/registers.hpp"

namespace sanvp::commands {

/// Windows, each with its registers: a line for each.
std::string register_text(const nic::RegisterTable& table);
/// {"windows": [...], "registers": [...]}
nlohmann::ordered_json register_json(const nic::RegisterTable& table);

}  // namespace sanvp::commands
