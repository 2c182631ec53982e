/// A command of `sanvp`: one file each in this folder, registered by name. How to write one: README.md.
#pragma once

#include <boost/program_options.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/net/fidelity.hpp"
#include "platform/core/error.hpp"
#include "platform/core/files.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/progress.hpp"
#include "platform/core/registry.hpp"
#include "platform/core/time.hpp"
#include "platform/machine/machine.hpp"

namespace sanvp::commands {

/// Options that several commands share. A command lists those that it supports; the others are unknown to it.
struct CommonOptions {
  std::vector<std::string> settings{};  ///< -s key=value
  std::vector<std::string> faults{};    ///< --fault EVENT
  std::uint64_t seed = 1;
  net::Fidelity fidelity = net::Fidelity::worm;
  std::string out{};                              ///< folder for results, or empty
  std::string json{};                             ///< file, `-` for standard output, or empty
  std::shared_ptr<const OutputFile> json_file{};  ///< null: none
  std::string trace{};                            ///< file, or empty
  bool force = false;                             ///< run although the proof before time 0 has failed
  Time until = never;
  Progress::Mode progress = Progress::Mode::automatic;
};

/// A parsed command line.
struct Invocation {
  CommonOptions common;
  boost::program_options::variables_map values{};  ///< positional arguments and the command's own options
  std::vector<std::string> command_line{};         ///< as given, for the manifest
  std::vector<std::string> sections{};             ///< Command::sections
  bool runs_programs = false;                      ///< Command::runs_programs
  std::vector<std::string> program_arguments{};    ///< after `--`

  std::string text(const std::string& name) const { return values[name].as<std::string>(); }
  bool has(const std::string& name) const { return values.count(name) != 0; }
  /// The machine of positional argument "machine", with -s and --seed; topology and route files replace its sections.
  MachineRequest machine_request() const;
  /// Settings of the command's own sections; the other sections belong to the machine.
  ParameterSet own_settings() const;
  /// Settings for programs: sections that belong neither to the command nor to the machine.
  ParameterSet software_settings() const;

  /// Prints text on standard output; nothing if `--json -` uses standard output.
  void print(const std::string& text) const;
  /// Writes the file of --json, if given.
  void write_json(const nlohmann::ordered_json& json) const;
};

struct Command {
  static constexpr const char* kind() { return "command"; }

  struct Positional {
    std::string name;
    std::string fallback{};  ///< empty: required
  };

  std::string name;
  std::string summary;
  std::vector<Positional> positional{};
  std::vector<std::string> common{};    ///< names of the supported common options: "s", "seed", "json", ...
  std::vector<std::string> sections{};  ///< sections of -s that the command reads instead of the machine: "traffic"
  bool runs_programs = false;           ///< arguments after `--` and unknown sections of -s are for programs
  bool parses_itself = false;           ///< all arguments are its own: they are Invocation::program_arguments
  /// Adds the command's own options.
  std::function<void(boost::program_options::options_description_easy_init)> options{};
  std::function<Exit(const Invocation&)> run;
};

/// Adds --topology and --routes, which machine_request() reads.
void add_network_files(boost::program_options::options_description_easy_init add);

/// Runs at once: 1 or more.
std::size_t parse_jobs(const std::string& text, const std::string& place);

/// Versions of the program and its libraries, for the manifest.
std::map<std::string, std::string> versions();

/// Runs the program and turns exceptions into messages on standard error. @return the exit status
int run_command_line(const std::vector<std::string>& arguments);

}  // namespace sanvp::commands
