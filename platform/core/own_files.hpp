/// Finds the files that belong to the program: images, machine files. Nothing is compiled in, so that a tree can be
/// moved.
#pragma once

#include <string>

namespace sanvp {

/// A folder of files of sanvp. It is searched relative to the file that holds this code (libsanvp.so, or a program that
/// is linked statically): beside it (a build folder), in sanvp/ beside it, or in ../share/sanvp (an installed tree).
/// Where there is none, the first of these places, for a message.
/// @param name "sw", "machines"
std::string own_folder(const std::string& name);

}  // namespace sanvp
