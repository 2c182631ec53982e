/// Where programs are found.
#pragma once

#include <string>
#include <vector>

namespace sanvp::jobs {

/// Images that were built with the program: drivers, firmware/, apps/. Beside the program itself, wherever that is.
std::string software_folder();

struct App {
  std::string name;
  std::string summary;
};
/// In the order of their names.
std::vector<App> apps();

/// The image of an app by name, or of what sanvp-cc made by path. Throws UserError that names the nearest.
std::string find_app(const std::string& name, const std::string& place);

/// Whether the name, which is taken for an app's, is also that of a file in the working directory.
bool hides_file(const std::string& name);

}  // namespace sanvp::jobs
