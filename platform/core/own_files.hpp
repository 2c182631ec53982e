/// Finds the files and programs that belong to sanvp: images, machine files, wrappers of compilers. Nothing is compiled
/// in, so that a tree can be moved.
#pragma once

#include <string>

namespace sanvp {

/// A folder of files of sanvp. It is searched relative to the file that holds this code (libsanvp.so, or a program that
/// is linked statically): beside it (a build folder), in sanvp/ beside it, or in ../share/sanvp (an installed tree).
/// If none exists, returns the first of these places, for a message.
/// @param name "sw", "machines"
std::string own_folder(const std::string& name);

/// The command by which a user starts a program that comes with sanvp, for messages. The program is beside the file
/// that holds this code, or in ../bin: its name if PATH finds it, else its path, relative if it is below the current
/// folder.
/// @param name "sanvp-cc", "sanvp-fc"
std::string own_program(const std::string& name);

}  // namespace sanvp
