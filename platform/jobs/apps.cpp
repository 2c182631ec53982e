#include "platform/jobs/apps.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "models/native/image.hpp"
#include "platform/core/elf_file.hpp"
#include "platform/core/error.hpp"
#include "platform/core/own_files.hpp"
#include "platform/core/parts.hpp"
#include "platform/core/registry.hpp"
#include "platform/core/text.hpp"

namespace sanvp::jobs {
namespace {

namespace fs = std::filesystem;

const char* const suffix = ".so";

fs::path image_of(const std::string& app) { return software_file(software_folder(), "apps/" + app + suffix); }

/// A name that the file system refuses to look up, such as one that is too long, is not a file.
bool is_file(const fs::path& path) {
  std::error_code refused;
  return fs::is_regular_file(path, refused);
}

bool is_app(const std::string& name) { return name.find('/') == std::string::npos && is_file(image_of(name)); }

std::string riscv_program_of(const std::string& app, const std::string& place) {
  const fs::path path = software_file(software_folder(), "riscv64/apps/" + app);
  if (is_file(path)) return path.string();
  throw UserError(place, "the program of RISC-V for " + in_quotes(app) + " was not built, as there was no compiler",
                  "scripts/install riscv && scripts/build");
}

/// cmake/Images.cmake takes the summary from the first sentence of the source.
std::string summary_of(const fs::path& image) {
  std::ifstream file(fs::path(image).replace_extension(".txt"));
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

std::string software_folder() { return own_folder("sw"); }

std::vector<App> apps() {
  std::vector<App> found;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(fs::path(software_folder()) / "apps", absent))
    if (entry.path().extension() == suffix) found.push_back({entry.path().stem().string(), summary_of(entry.path())});
  std::sort(found.begin(), found.end(), [](const App& a, const App& b) { return a.name < b.name; });
  return found;
}

std::vector<Option> options_of(const std::string& app) {
  std::vector<Option> options;
  for (const std::string& text : ElfFile(image_of(app).string()).texts(".sanvp.options")) {
    const std::string_view told = text;
    const std::size_t first = told.find('\n'), second = told.rfind('\n');
    if (first == second) continue;  // a text that is none of ours
    std::string_view fallback = told.substr(second + 1);
    const bool is_literal = fallback.size() > 2 && fallback.starts_with('"') && fallback.ends_with('"');
    fallback = is_literal ? fallback.substr(1, fallback.size() - 2) : std::string_view();
    options.push_back({std::string(told.substr(0, first)), std::string(told.substr(first + 1, second - first - 1)),
                       std::string(fallback)});
  }
  std::sort(options.begin(), options.end(), [](const Option& a, const Option& b) { return a.key < b.key; });
  return options;
}

AppKind usual_kind() { return native::interprets_images() ? AppKind::riscv : AppKind::native; }

std::string canonical_name(const std::string& name) {
  if (is_app(name) || is_file(name)) return name;
  std::vector<std::string> names;
  for (const App& app : apps()) names.push_back(app.name);
  const std::string same = spelled_otherwise(name, names);
  return same.empty() ? name : same;
}

bool names_program(const std::string& name) {
  if (is_app(name)) return true;
  constexpr std::string_view magic = "\177ELF";
  std::array<char, magic.size()> begin{};
  return is_file(name) && std::ifstream(name, std::ios::binary).read(begin.data(), begin.size()) &&
         std::string_view(begin.data(), begin.size()) == magic;
}

void require_known_options(const std::string& app, const std::vector<std::string>& arguments,
                           const std::string& place) {
  if (!is_app(app)) return;
  std::vector<std::string> known;
  for (const Option& option : options_of(app)) known.push_back("--" + option.key);
  if (known.empty()) return;  // an app that takes any arguments
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    const bool is_known = name == "--help" || std::find(known.begin(), known.end(), name) != known.end();
    if (!argument.starts_with("--") || is_known) continue;
    const std::string near = nearest(name, known);
    throw UserError(
        place, app + " has no option " + in_quotes(name),
        near.empty() ? "it has " + listed(known) + " (`sanvp describe " + app + "`)" : "did you mean '" + near + "'?");
  }
}

std::string find_app(const std::string& name, const std::string& place, AppKind kind) {
  if (is_app(name)) return kind == AppKind::native ? image_of(name).string() : riscv_program_of(name, place);
  if (is_file(name)) return fs::absolute(name).string();
  std::error_code refused;
  if (name.find('/') != std::string::npos)
    throw UserError(
        place,
        fs::is_directory(name, refused) ? in_quotes(name) + " is a folder" : "there is no program " + in_quotes(name),
        "give the path of a program built by " + own_program("sanvp-cc") + " -o PROGRAM");
  std::vector<std::string> names;
  for (const App& app : apps()) names.push_back(app.name);
  const std::string near = nearest(name, names);
  throw UserError(
      place, "there is no program " + in_quotes(name),
      near.empty() ? "`sanvp list apps` names all; give a program built by " + own_program("sanvp-cc") + " by its path"
                   : "did you mean '" + near + "'?");
}

bool hides_file(const std::string& name) { return is_app(name) && is_file(name); }

}  // namespace sanvp::jobs
