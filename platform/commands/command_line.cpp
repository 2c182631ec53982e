/// Runs a command from its arguments, and turns exceptions into exit statuses.
#include <algorithm>
#include <array>
#include <iostream>
#include <new>

#include "platform/commands/command.hpp"
#include "platform/core/files.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/parts.hpp"
#include "platform/core/terminal.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"
#include "platform/jobs/apps.hpp"

namespace sanvp::commands {
namespace {

namespace po = boost::program_options;

using Commands = Registry<Command>;

struct CommonOption {
  const char* name;
  const char* value;
  const char* fallback;  ///< null: no default
  const char* help;
};

constexpr std::array<CommonOption, 10> single_options{
    {{"seed", "N", "1", "seed of all random choices"},
     {"fidelity", "worm|flit", "worm", "worm: simulates only changes, fast; flit: every flit, the slow reference"},
     {"out", "DIR", nullptr, "folder for the results"},
     {"json", "FILE", nullptr, "results as JSON; - for standard output, which then has nothing else"},
     {"trace", "FILE", nullptr,
      "a timeline for ui.perfetto.dev: JSON, or FILE.pftrace, Perfetto's own and smaller; either with .gz "
      "compressed. Of `run` also FILE.otf2: calls and messages of the program, for Vampir and Scalasca"},
     {"trace-from", "TIME", nullptr, "start of the timeline"},
     {"trace-until", "TIME", nullptr, "end of the timeline"},
     {"trace-limit", "SIZE", nullptr, "the timeline ends when its file has this size, such as 100MB; the run goes on"},
     {"until", "TIME", nullptr, "simulated time at which the run stops, such as 10ms"},
     {"progress", "auto|on|off", "auto", "the progress line on standard error"}}};

bool obeys(const Command& command, const std::string& option) {
  return std::find(command.common.begin(), command.common.end(), option) != command.common.end();
}

po::options_description visible_options(const Command& command) {
  po::options_description options("options");
  if (command.options) command.options(options.add_options());
  if (obeys(command, "s"))
    options.add_options()("set,s", po::value<std::vector<std::string>>()->composing()->value_name("KEY=VALUE"),
                          command.name == "run"
                              ? "a parameter of the machine, which replaces the value of its file, or a setting of the "
                                "program's libraries, such as mpi.alltoall (`sanvp describe mpi`; repeat for more)"
                              : "a parameter of the machine, which replaces the value of its file (repeat for more)");
  if (obeys(command, "fault"))
    options.add_options()("fault", po::value<std::vector<std::string>>()->composing()->value_name("EVENT"),
                          "a fault or a repair during the run, such as \"3ms link 12 down\"; also switch, node, up "
                          "(repeat for more)");
  for (const auto& [name, value, fallback, help] : single_options) {
    if (!obeys(command, name)) continue;
    auto* semantic = po::value<std::string>()->value_name(value);
    if (fallback != nullptr) semantic->default_value(fallback);
    options.add_options()(name, semantic, help);
  }
  options.add_options()("part", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
                        "a part of your own, made by sanvp-part (repeat for more)");
  if (obeys(command, "force"))
    options.add_options()("force", po::bool_switch(), "run although the network can deadlock; a watchdog detects it");
  options.add_options()("help,h", "this text");
  return options;
}

std::string usage(const Command& command) {
  std::string text = "usage: sanvp " + command.name;
  if (command.parses_itself) return text + " ...\n\n" + command.summary + "; " + text.substr(7) + " --help says more\n";
  for (const auto& [name, fallback] : command.positional) {
    std::string upper = name;
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    text += fallback.empty() ? " " + upper : " [" + upper + "]";
  }
  std::ostringstream options;
  options << visible_options(command);
  return text + (command.runs_programs ? " [options] [-- ARGUMENTS...]\n\n" : " [options]\n\n") + command.summary +
         "\n\n" + options.str();
}

std::string overview() {
  std::string text =
      "sanvp: virtual platforms of system-area-network machines\n\n"
      "usage: sanvp COMMAND ...\n\n";
  for (const auto& [name, command] : Commands::all())
    text += "  " + name + std::string(12 - name.size(), ' ') + command.summary + "\n";
  return text +
         "\n`sanvp COMMAND --help` shows the options of a command.\n"
         "exit status: 0 done, 2 your mistake, 3 deadlock, 4 a host program failed, 5 --until reached first\n";
}

net::Fidelity parse_fidelity(const std::string& text) {
  if (text == "worm") return net::Fidelity::worm;
  if (text == "flit") return net::Fidelity::flit;
  throw UserError("--fidelity", in_quotes(text) + " is not one of worm, flit");
}

CommonOptions read_common(const po::variables_map& values) {
  const auto given = [&](const char* name) { return values.count(name) != 0; };
  const auto text = [&](const char* name) { return given(name) ? values[name].as<std::string>() : std::string(); };
  CommonOptions common;
  if (given("set")) common.settings = values["set"].as<std::vector<std::string>>();
  if (given("fault")) common.faults = values["fault"].as<std::vector<std::string>>();
  if (given("seed")) {
    const std::int64_t seed = parse_count(text("seed"), "--seed");
    if (seed < 0) throw UserError("--seed", in_quotes(text("seed")) + " is negative");
    common.seed = static_cast<std::uint64_t>(seed);
  }
  if (given("fidelity")) common.fidelity = parse_fidelity(text("fidelity"));
  common.out = text("out");
  common.json = text("json");
  common.trace = text("trace");
  if (given("force")) common.force = values["force"].as<bool>();
  if (given("until")) common.until = parse_time(text("until"), "--until");
  if (given("progress")) common.progress = Progress::parse_mode(text("progress"), "--progress");
  for (const char* name : {"out", "json", "trace"})
    if (given(name) && text(name).empty()) throw UserError(std::string("--") + name, "the name is empty");
  if (given("json") && common.json != "-") common.json_file = std::make_shared<const OutputFile>(common.json);
  return common;
}

std::vector<std::string> option_names(const po::options_description& options) {
  std::vector<std::string> names;
  for (const auto& option : options.options()) names.push_back("--" + option->long_name());
  return names;
}

constexpr const char* our_ranks = "--np N is the number of ranks";
constexpr const char* our_places = "--map places the ranks: spread, block, cyclic, or nodes such as 0,0,4-7";

/// Options of other launchers, with the options here that do the same.
constexpr std::array<std::pair<std::string_view, const char*>, 17> foreign_options{{{"-n", our_ranks},
                                                                                    {"-np", our_ranks},
                                                                                    {"--ntasks", our_ranks},
                                                                                    {"-N", our_places},
                                                                                    {"--nodes", our_places},
                                                                                    {"--ppn", our_places},
                                                                                    {"-ppn", our_places},
                                                                                    {"--npernode", our_places},
                                                                                    {"--map-by", our_places},
                                                                                    {"--host", our_places},
                                                                                    {"--hosts", our_places},
                                                                                    {"--hostfile", our_places},
                                                                                    {"-hostfile", our_places},
                                                                                    {"--bind-to", our_places},
                                                                                    {"-H", our_places},
                                                                                    {"-f", our_places},
                                                                                    {"--ntasks-per-node", our_places}}};

/// Whether one of the words is an app that has this option.
bool is_of_an_app(const std::string& option, const std::vector<std::string>& words) {
  const std::vector<jobs::App> apps = jobs::apps();
  return std::ranges::any_of(apps, [&](const jobs::App& app) {
    if (std::ranges::find(words, app.name) == words.end()) return false;
    return std::ranges::any_of(jobs::options_of(app.name),
                               [&](const jobs::Option& own) { return option == "--" + own.key; });
  });
}

/// The cure for an unknown option.
std::string cure_of_option(const Command& command, const std::string& option, const std::vector<std::string>& words,
                           const po::options_description& visible) {
  if (command.runs_programs) {
    for (const auto& [name, ours] : foreign_options)
      if (option == name) return ours;
    if (is_of_an_app(option, words)) return "arguments of the program follow --, as in -- " + option;
  }
  const std::string near = nearest(option, option_names(visible));
  return near.empty() ? "see sanvp " + command.name + " --help" : "did you mean '" + near + "'?";
}

/// `-` is standard output for --json alone: what other options write would mix with the command's own text.
void require_names_of_outputs(const po::variables_map& values) {
  for (const char* option :
       {"out", "trace", "packets-out", "log-file", "record", "dot", "write-topology", "write-routes"})
    if (const auto* name = boost::any_cast<std::string>(&values[option].value()); name != nullptr && *name == "-")
      throw UserError(std::string("--") + option, "'-' is standard output for --json alone",
                      option == std::string_view("out") ? "name a folder" : "name a file; /dev/stdout is one, too");
}

/// Takes the positional arguments that are too many. No option can have this name.
constexpr const char* too_many = "further arguments";

po::variables_map parse(const Command& command, const std::vector<std::string>& arguments) {
  const po::options_description visible = visible_options(command);
  po::options_description all = visible;
  po::positional_options_description positions;
  for (const auto& [name, fallback] : command.positional) {
    auto* value = po::value<std::string>();
    if (!fallback.empty()) value->default_value(fallback);
    all.add_options()(name.c_str(), value);
    positions.add(name.c_str(), 1);
  }
  all.add_options()(too_many, po::value<std::vector<std::string>>());
  constexpr int any_number = -1;
  positions.add(too_many, any_number);
  const std::string place = "sanvp " + command.name;
  const std::string cure = "see sanvp " + command.name + " --help";
  po::variables_map values;
  try {
    // No abbreviated option names and no -ovalue: a script that works today must not change its meaning later.
    namespace style = po::command_line_style;
    const int exact = style::unix_style & ~style::allow_guessing;
    po::store(po::command_line_parser(arguments).options(all).positional(positions).style(exact).run(), values);
    if (values.count("help") == 0) po::notify(values);
  } catch (const po::unknown_option& error) {
    const std::string& option = error.get_option_name();
    throw UserError(place, "there is no option " + in_quotes(option),
                    cure_of_option(command, option, arguments, visible));
  } catch (const po::error& error) {
    throw UserError(place, error.what(), cure);
  }
  if (values.count("help") != 0) return values;
  if (command.runs_programs && values.count("machine") != 0)
    if (const std::string& machine = values["machine"].as<std::string>(); jobs::names_program(machine))
      throw UserError(place, in_quotes(machine) + " is a program, and the machine comes first",
                      "such as sanvp run qsnet-16 " + machine);
  if (values.count(too_many) != 0) {
    const std::string& first = values[too_many].as<std::vector<std::string>>().front();
    throw UserError(place, "too many arguments: " + in_quotes(first),
                    command.runs_programs ? "arguments of the program follow --, as in -- " + first : cure);
  }
  for (const auto& [name, fallback] : command.positional)
    if (values.count(name) == 0) throw UserError(place, "the " + name + " is missing", cure);
  return values;
}

/// Loads the files of --part: before the command is looked up, since a part can be a command.
/// @return the arguments from the command on
std::vector<std::string> load_parts(const std::vector<std::string>& arguments) {
  constexpr std::string_view option = "--part", with_value = "--part=";
  std::size_t command = arguments.size();
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    if (arguments[i].starts_with(with_value)) {
      load_part(arguments[i].substr(with_value.size()), "--part");
    } else if (arguments[i] == option) {
      if (++i == arguments.size()) throw UserError("--part", "names no file", "write --part mine.so");
      load_part(arguments[i], "--part");
    } else {
      command = std::min(command, i);
    }
  }
  return {arguments.begin() + static_cast<std::ptrdiff_t>(command), arguments.end()};
}

Exit run(const std::vector<std::string>& given) {
  const std::vector<std::string> arguments = load_parts(given);
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    if (arguments.size() > 1)
      std::cout << usage(Commands::get(arguments[1], "sanvp"));
    else
      std::cout << overview();
    return arguments.empty() ? Exit::user_mistake : Exit::done;
  }
  if (arguments[0] == "--version") {
    const std::map<std::string, std::string> all = versions();
    const std::string own = "sanvp";
    std::cout << own << " " << all.at(own) << "\n";
    for (const auto& [name, version] : all)
      if (name != own) std::cout << name << " " << version << "\n";
    return Exit::done;
  }
  const Command& command = Commands::get(arguments[0], "sanvp");
  Invocation invocation;
  if (command.parses_itself) {
    invocation.program_arguments.assign(arguments.begin() + 1, arguments.end());
    return command.run(invocation);
  }
  const auto own_end = command.runs_programs ? std::find(arguments.begin(), arguments.end(), "--") : arguments.end();
  if (own_end != arguments.end()) invocation.program_arguments.assign(own_end + 1, arguments.end());
  invocation.values = parse(command, {arguments.begin() + 1, own_end});
  invocation.command_line = given;
  invocation.sections = command.sections;
  invocation.runs_programs = command.runs_programs;
  if (invocation.has("help")) {
    std::cout << usage(command);
    return Exit::done;
  }
  require_names_of_outputs(invocation.values);
  invocation.common = read_common(invocation.values);
  const Exit exit = command.run(invocation);
  std::cout.flush();
  if (!std::cout) throw UserError("standard output", "could not be written", "is the disk full?");
  return exit;
}

bool is_of(const std::string& setting, const std::vector<std::string>& sections) {
  return std::any_of(sections.begin(), sections.end(),
                     [&](const std::string& section) { return setting.starts_with(section + "."); });
}

}  // namespace

ParameterSet Invocation::own_settings() const {
  ParameterSet own;
  for (const std::string& setting : common.settings)
    if (is_of(setting, sections)) own.set(setting);
  return own;
}

ParameterSet Invocation::software_settings() const {
  ParameterSet software;
  for (const std::string& setting : common.settings)
    if (!is_of(setting, sections) && !is_of(setting, machine_sections())) software.set(setting);
  return software;
}

void add_network_files(po::options_description_easy_init add) {
  const auto file = [] { return po::value<std::string>()->value_name("FILE"); };
  add("topology", file(), "a text file instead of the machine's topology");
  add("routes", file(), "a text file instead of the machine's routing");
}

std::size_t parse_jobs(const std::string& text, const std::string& place) {
  const std::int64_t jobs = parse_count(text, place);
  if (jobs < 1) throw UserError(place, text + " runs at once make no progress", "give 1 or more");
  return static_cast<std::size_t>(jobs);
}

MachineRequest Invocation::machine_request() const {
  MachineRequest request{
      .name = text("machine"), .settings = common.settings, .seed = common.seed, .faults = common.faults};
  std::erase_if(request.settings, [&](const std::string& setting) {
    return is_of(setting, sections) || (runs_programs && !is_of(setting, machine_sections()));
  });
  if (has("topology")) request.topology_file = text("topology");
  if (has("routes")) request.routes_file = text("routes");
  return request;
}

void Invocation::print(const std::string& text) const {
  if (common.json != "-") std::cout << text;
}

void Invocation::write_json(const nlohmann::ordered_json& json) const {
  if (common.json.empty()) return;
  // Names may come from the user's files, in any encoding.
  const std::string text = json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  if (common.json_file)
    common.json_file->write(text);
  else
    std::cout << text;
}

int run_command_line(const std::vector<std::string>& arguments) {
  try {
    return static_cast<int>(run(arguments));
  } catch (const Error& error) {
    std::cout.flush();
    std::cerr << heading("error") << error.what() << "\n";
    return static_cast<int>(error.status());
  } catch (const std::bad_alloc&) {
    std::cerr << heading("error") << "the memory is used up; choose a smaller machine or fewer packets\n";
    return static_cast<int>(Exit::user_mistake);
  }
}

}  // namespace sanvp::commands
