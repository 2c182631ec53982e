/// `sanvp list`: all machines, apps, patterns and parts, with one line each.
#include <algorithm>

#include "platform/commands/catalogue.hpp"
#include "platform/commands/command.hpp"
#include "platform/core/terminal.hpp"
#include "platform/core/text.hpp"
#include "platform/jobs/apps.hpp"

namespace sanvp::commands {
namespace {

/// "--all --iterations --rows", or empty.
std::string option_names(const std::vector<jobs::Option>& options) {
  std::string names;
  for (const jobs::Option& option : options) names += (names.empty() ? "--" : " --") + option.key;
  return names;
}

Exit run(const Invocation& invocation) {
  const std::string wanted = invocation.text("kind");
  const std::vector<std::string> kinds{"machines", "apps", "patterns", "parts"};
  if (wanted != "all" && std::find(kinds.begin(), kinds.end(), wanted) == kinds.end()) {
    const std::string near = nearest(wanted, kinds);
    throw UserError("sanvp list", in_quotes(wanted) + " is not one of " + listed(kinds),
                    near.empty() ? "" : "did you mean '" + near + "'?");
  }
  nlohmann::ordered_json json;
  std::string text;
  for (const std::string& kind : kinds) {
    if (wanted != "all" && wanted != kind) continue;
    const std::vector<Entry> entries = catalogue(kind);
    auto& rows = json[kind] = nlohmann::ordered_json::array();
    std::size_t width = 0;
    for (const Entry& entry : entries) width = std::max(width, entry.name.size());
    if (wanted == "all") text += (text.empty() ? "" : "\n") + kind + (entries.empty() ? ": none yet\n" : ":\n");
    for (const auto& [name, entry_kind, summary] : entries) {
      rows.push_back({{"name", name}, {"kind", entry_kind}, {"summary", summary}});
      const std::string kind_column = kind == "parts" ? entry_kind + ": " : "";
      text += (wanted == "all" ? "  " : "") + name + std::string(width - name.size() + 2, ' ') + kind_column + summary +
              "\n";
      if (kind != "apps") continue;
      const std::vector<jobs::Option> options = jobs::options_of(name);
      rows.back()["options"] = nlohmann::ordered_json::array();
      for (const jobs::Option& option : options) rows.back()["options"].push_back(option.key);
      if (wanted == "apps" && !options.empty()) text += std::string(width + 2, ' ') + option_names(options) + "\n";
    }
  }
  invocation.print(for_terminal(text));
  invocation.write_json(json);
  return Exit::done;
}

const Registration<Command> registration{{.name = "list",
                                          .summary = "machines, apps, patterns or parts, a line each",
                                          .positional = {{"kind", "all"}},
                                          .common = {"json"},
                                          .options = {},
                                          .run = run}};

}  // namespace
}  // namespace sanvp::commands
