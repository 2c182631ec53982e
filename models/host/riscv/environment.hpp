/// The part of the environment of `sanvp` that a program for RISC-V sees.
///
/// The C library scans the whole environment before `main`, and the environment is on the stack: variables that a
/// program does not read must not be there, or times would differ from user to user.
#pragma once

#include <string>
#include <vector>

namespace sanvp::host {

/// @param program  path of its file
/// @param named host.environment: names, or NAME=VALUE, separated by commas
/// @returns texts "NAME=VALUE": first those named; then those of OpenMP and Fortran that occur in the program's file
std::vector<std::string> environment_of(const std::string& program, const std::string& named);

}  // namespace sanvp::host
