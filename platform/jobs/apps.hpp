/// Finds programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sanvp::jobs {

/// Folder of the images that were built with the program: drivers, firmware/, apps/.
std::string software_folder();

struct App {
  std::string name;
  std::string summary;
};
/// Ordered by name.
std::vector<App> apps();

/// An argument of an app, as its source tells it (sw/support/options.h).
struct Option {
  std::string key;  ///< without dashes
  std::string meaning;
  std::string fallback{};  ///< empty: none, or the program works it out
};
/// Ordered by key.
std::vector<Option> options_of(const std::string& app);

/// Which of its two programs an app runs as.
enum class AppKind : std::uint8_t { native, riscv };

/// Native, but RISC-V on a computer that runs no native programs.
AppKind usual_kind();

/// The program of an app by name, or one built by sanvp-cc by path. Throws UserError that names the nearest.
std::string find_app(const std::string& name, const std::string& place, AppKind kind = usual_kind());

/// Whether the name of an app is also that of a file in the working directory.
bool hides_file(const std::string& name);

}  // namespace sanvp::jobs
