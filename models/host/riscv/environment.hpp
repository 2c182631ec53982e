/// What a program for RISC-V sees of the environment of `sanvp`.
///
/// The C library looks through all of it before `main`, and it lies on the stack: what a program does not read must not
/// be there, or times would differ from user to user.
#pragma once

#include <string>
#include <vector>

namespace sanvp::host {

/// @param program  path of its file
/// @param named    of host.environment: names, or NAME=VALUE, with commas between them
/// @returns texts "NAME=VALUE": first those named; then those of OpenMP and Fortran that occur in the program's file
std::vector<std::string> environment_of(const std::string& program, const std::string& named);

}  // namespace sanvp::host
