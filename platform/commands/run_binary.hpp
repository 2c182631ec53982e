/// `sanvp run` with a program for RISC-V: one process on one node, on the interpreter.
#pragma once

#include <string>

#include "platform/commands/command.hpp"

namespace sanvp::commands {

/// Runs it with the CPUs, memory and costs of a node of the machine; without network and card.
/// @param path  of the ELF file
Exit run_binary(const Invocation& invocation, const Machine& machine, const std::string& path);

}  // namespace sanvp::commands
