/// `sanvp describe`: the parameters of a machine, a part or a pattern, with the files that set them; a description of
/// an app. A name that several things share, like the app and the pattern `uniform`, is described for each.
#include <algorithm>

#include "platform/commands/catalogue.hpp"
#include "platform/commands/command.hpp"
#include "platform/commands/register_tables.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/terminal.hpp"
#include "platform/core/text.hpp"
#include "platform/jobs/apps.hpp"
#include "platform/jobs/told_settings.hpp"

namespace sanvp::commands {
namespace {

using Json = nlohmann::ordered_json;

/// Statistics of every run in stats.csv and JSON, per channel and in total (models/net/network.hpp).
const std::vector<std::pair<std::string, std::string>> statistics{
    {"packets", "packets that passed the channel"},
    {"flits", "flits that passed the channel"},
    {"busy_ns", "time in which the channel carried flits; divided by the run's time, the channel's use"},
    {"wait_ns", "effective blocking: headers at the front, ready, output busy"},
    {"wait_ns_max", "the longest single wait of that kind"},
    {"head_blocking_ns", "from a header's arrival in the switch before this channel to its grant"},
    {"held_ns", "time in which a packet held the channel, summed over virtual channels"}};

constexpr double bytes_per_MB = 1e6;

std::string row(const ParameterSet::Declared& one, bool with_value) {
  std::string text = "  " + one.key + " = " + (one.value.empty() ? "(empty)" : one.value) + "\n";
  text += "      " + one.documentation + " [" + one.kind + "]\n";
  if (with_value && one.place != "default") {
    text += "      from " + one.place;
    if (one.value != one.fallback) text += ", default " + (one.fallback.empty() ? "(empty)" : one.fallback);
    text += "\n";
  }
  return text + "      source: " + one.source + "\n";
}

Json to_json(const ParameterSet& parameters) {
  Json json = Json::array();
  for (const auto& [key, one] : parameters.declared())
    json.push_back({{"key", key},
                    {"kind", one.kind},
                    {"default", one.fallback},
                    {"value", one.value},
                    {"place", one.place},
                    {"documentation", one.documentation},
                    {"source", one.source}});
  return json;
}

std::string to_text(const ParameterSet& parameters, bool with_values) {
  std::string text;
  for (const auto& [key, one] : parameters.declared()) text += row(one, with_values);
  return text.empty() ? "  none\n" : text;
}

/// A line for each library.
std::string library_keys() {
  std::string text, library;
  const ParameterSet all = jobs::told_settings();
  for (const auto& [key, one] : all.declared()) {
    const std::string of = key.substr(0, key.find('.'));
    text += of == library ? ", " + key : (text.empty() ? "  " : "\n  ") + key;
    library = of;
  }
  return text + "\n";
}

constexpr const char* all_keys = "all";

/// The parameters of this key, or of a section, such as `link`; all of them if the key is "all".
ParameterSet selected(const ParameterSet& all, const std::string& key) {
  ParameterSet named;
  for (const auto& [known, one] : all.declared())
    if (key == all_keys || known == key || known.starts_with(key + ".")) named.declare(one);
  return named;
}

/// What describe says if none of the parameters has the key.
UserError unknown_key(const std::string& of, const std::string& key, const std::vector<ParameterSet>& all) {
  std::vector<std::string> known;
  for (const ParameterSet& some : all)
    for (const auto& [name, one] : some.declared()) known.push_back(name);
  const std::string near = nearest(key, known);
  return {"sanvp describe", of + " has no parameter " + in_quotes(key),
          near.empty() ? "`sanvp describe " + of + "` has all" : "did you mean '" + near + "'?"};
}

/// Some parameters of a machine, or of the libraries of its programs.
Exit describe_keys(const Invocation& invocation, const Machine& machine, const std::string& key) {
  const ParameterSet libraries = jobs::told_settings();
  ParameterSet named = selected(machine.parameters(), key);
  const bool is_of_machine = !named.declared().empty();
  if (!is_of_machine) named = selected(libraries, key);
  if (named.declared().empty()) throw unknown_key(machine.name(), key, {machine.parameters(), libraries});
  invocation.print(for_terminal(to_text(named, is_of_machine)));
  invocation.write_json({{"name", machine.name()}, {"kind", "machine"}, {"parameters", to_json(named)}});
  return Exit::done;
}

Exit describe_machine(const Invocation& invocation, const std::string& name) {
  const Machine machine({.name = name, .settings = invocation.common.settings, .seed = invocation.common.seed});
  if (const std::string key = invocation.text("key"); key != all_keys) return describe_keys(invocation, machine, key);
  std::string text = machine.headline() + "\n\n" + std::to_string(machine.hosts()) + " hosts, " +
                     std::to_string(machine.graph().switch_count()) + " switches, " +
                     std::to_string(machine.graph().link_count()) + " links\nloads are fractions of " +
                     rate_to_text(machine.link_rate()) +
                     ", the rate of a host's link into the network\n\nparameters:\n" +
                     to_text(machine.parameters(), true) + "\nstatistics of each channel:\n";
  Json json{{"name", machine.name()},
            {"kind", "machine"},
            {"summary", machine.summary()},
            {"hosts", machine.hosts()},
            {"switches", machine.graph().switch_count()},
            {"links", machine.graph().link_count()},
            {"load_unit_MBps", machine.link_rate() / bytes_per_MB},
            {"parameters", to_json(machine.parameters())}};
  if (!machine.changes().empty()) json["changed"] = machine.changes();
  for (const auto& [statistic, meaning] : statistics) {
    text += "  " + statistic + ": " + meaning + "\n";
    json["statistics"].push_back({{"name", statistic}, {"documentation", meaning}});
  }
  const ParameterSet of_libraries = jobs::told_settings();
  for (const auto& [key, one] : of_libraries.declared()) json["library_settings"].push_back(key);
  text += "\nsettings of programs' libraries, which -s of `sanvp run` takes, too:\n" + library_keys() +
          "  `sanvp describe mpi.alltoall` explains one, `sanvp describe mpi` all of a library\n";
  invocation.print(for_terminal(text));
  invocation.write_json(json);
  return Exit::done;
}

Exit describe_settings(const Invocation& invocation, const std::string& name, const ParameterSet& settings) {
  invocation.print(for_terminal(name + ": sanvp run MACHINE APP -s KEY=VALUE\n\nsettings of programs' libraries:\n" +
                                to_text(settings, false)));
  invocation.write_json({{"name", name}, {"kind", "settings"}, {"parameters", to_json(settings)}});
  return Exit::done;
}

std::string app_text(const Entry& app) {
  std::string text = app.name + " (app): " + app.summary + "\n";
  const std::vector<jobs::Option> options = jobs::options_of(app.name);
  text += options.empty() ? "\nit has no options\n" : "\noptions: sanvp run MACHINE " + app.name + " -- --KEY VALUE\n";
  std::size_t width = 0;
  for (const jobs::Option& option : options) width = std::max(width, option.key.size());
  for (const auto& [key, meaning, fallback] : options)
    text += "  --" + key + std::string(width - key.size() + 2, ' ') + meaning +
            (fallback.empty() ? "" : " (default " + fallback + ")") + "\n";
  return text + "settings that it has read are in the manifest of --out\n";
}

Json to_json(const std::vector<jobs::Option>& options) {
  Json json = Json::array();
  for (const auto& [key, meaning, fallback] : options)
    json.push_back({{"key", key}, {"documentation", meaning}, {"default", fallback}});
  return json;
}

constexpr const char* registers_key = "registers";

/// `sanvp describe elan3 registers`: the register map alone.
Exit describe_registers(const Invocation& invocation, const std::string& name, const std::vector<Description>& parts) {
  const auto part = std::ranges::find_if(parts, [](const Description& one) { return one.registers != nullptr; });
  if (part == parts.end())
    throw UserError("sanvp describe", name + " has no registers", "cards have: elan3, lanai, ds_link, tofu, vcp, ...");
  invocation.print(for_terminal("registers of " + name + ":\n" + register_text(*part->registers)));
  Json json{{"name", name}, {"kind", part->entry.kind}};
  json.update(register_json(*part->registers));
  invocation.write_json(json);
  return Exit::done;
}

Exit run(const Invocation& invocation) {
  const std::string name = invocation.text("name");
  std::vector<Description> parts = describe_parts(name);
  std::vector<Entry> apps = catalogue("apps");
  std::erase_if(apps, [&](const Entry& app) { return app.name != name; });
  if (parts.empty() && apps.empty()) {
    std::vector<std::string> known;
    for (const char* category : {"machines", "apps", "patterns", "parts"})
      for (const Entry& entry : catalogue(category)) known.push_back(entry.name);
    const bool is_path = name.find('/') != std::string::npos || name.ends_with(".ini");
    if (is_path || std::find(known.begin(), known.end(), name) != known.end())
      return describe_machine(invocation, name);
    const ParameterSet all_settings = jobs::told_settings();
    const ParameterSet settings = selected(all_settings, name);
    if (!settings.declared().empty()) return describe_settings(invocation, name, settings);
    for (const auto& [key, one] : all_settings.declared()) known.push_back(key);
    const std::string near = nearest(name, known);
    throw UserError("sanvp describe", "there is no machine, part, app or pattern " + in_quotes(name),
                    near.empty() ? "`sanvp list` names all" : "did you mean '" + near + "'?");
  }
  if (!parts.empty() && !invocation.common.settings.empty())
    throw UserError("-s", "a part is described with its defaults", "describe a machine to see what a setting does");
  Json json = Json::array();
  std::string text;
  const std::string key = invocation.text("key");
  if (key == registers_key) return describe_registers(invocation, name, parts);
  if (key != all_keys) {
    std::vector<ParameterSet> every;
    for (Description& part : parts) {
      every.push_back(part.parameters);
      part.parameters = selected(part.parameters, key);
      part.note.clear();
      part.registers = nullptr;
    }
    std::erase_if(parts, [](const Description& part) { return part.parameters.declared().empty(); });
    if (parts.empty()) throw unknown_key(name, key, every);
    apps.clear();
  }
  for (const auto& [entry, parameters, note, registers] : parts) {
    text += (text.empty() ? "" : "\n") + entry.name + " (" + entry.kind + "): " + entry.summary + "\n\nparameters:\n" +
            to_text(parameters, false) + (note.empty() ? "" : "note: " + note + "\n");
    json.push_back(
        {{"name", entry.name}, {"kind", entry.kind}, {"summary", entry.summary}, {"parameters", to_json(parameters)}});
    if (registers == nullptr) continue;
    text += "\nregisters:\n" + register_text(*registers);
    json.back().update(register_json(*registers));
  }
  for (const Entry& app : apps) {
    text += (text.empty() ? "" : "\n") + app_text(app);
    json.push_back({{"name", app.name},
                    {"kind", app.kind},
                    {"summary", app.summary},
                    {"options", to_json(jobs::options_of(app.name))}});
  }
  invocation.print(for_terminal(text));
  invocation.write_json(json.size() == 1 ? json[0] : json);
  return Exit::done;
}

const Registration<Command> registration{
    {.name = "describe",
     .summary = "parameters of a machine, a part, an app, a pattern or a library's settings; registers of a card",
     .positional = {{"name"}, {"key", all_keys}},
     .common = {"s", "seed", "json"},
     .options = {},
     .run = run}};

}  // namespace
}  // namespace sanvp::commands
