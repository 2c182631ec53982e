/// Parts of users: shared objects, made by sanvp-part, that register switches, topologies, routings, cards, policies,
/// patterns or commands as the files of this project do.
#pragma once

#include <string>
#include <vector>

namespace sanvp {

/// Loads a part; a part that is loaded already is left alone. Throws UserError for a file that is missing or no part,
/// that was compiled with other headers, that registers nothing or a name that exists, or whose constructors throw.
/// @param place  where the user names it: "--part", "mine.ini:5"
void load_part(const std::string& path, const std::string& place);

/// Software for the machine that came with the loaded parts, the last loaded first: for mine.so, the folder mine.sw
/// beside it, if there is one.
const std::vector<std::string>& part_software();

/// The file `name` ("apps/cg.so") of the software of parts, or else of that folder.
std::string software_file(const std::string& folder, const std::string& name);

}  // namespace sanvp
