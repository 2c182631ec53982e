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

/// The name as `sanvp list apps` has it: `hot-spot` is `hot_spot`. Any other name stays as it is.
std::string canonical_name(const std::string& name);

/// Whether it is the name of an app, or a compiled program's file.
bool names_program(const std::string& name);

/// Throws UserError if one of the arguments is an option that this app lacks. Programs of users take what they like.
void require_known_options(const std::string& app, const std::vector<std::string>& arguments, const std::string& place);

/// The program of an app by name, or one built by sanvp-cc by path. Throws UserError that names the nearest.
std::string find_app(const std::string& name, const std::string& place, AppKind kind = usual_kind());

/// Whether the name of an app is also that of a file in the working directory.
bool hides_file(const std::string& name);

}  // namespace sanvp::jobs
