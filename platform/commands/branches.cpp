#include "platform/commands/branches.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <utility>

#include "models/native/interrupts.hpp"
#include "models/native/safety_net.hpp"
#include "platform/commands/interruption.hpp"
#include "platform/core/terminal.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"
#include "platform/snapshots/fork.hpp"
#include "platform/snapshots/open_files.hpp"

namespace sanvp::commands {
namespace {

namespace po = boost::program_options;

/// Why parameters do not change in the middle of a run, by the beginning of their keys. The first that fits counts.
constexpr std::array<std::pair<std::string_view, const char*>, 9> reasons{
    {{"host.cpu.", "CPUs have been built with it"},
     {"topology.", "the network has been built"},
     {"routing.", "packets are under way on its routes"},
     {"switch.", "buffers and packets under way have been planned with it"},
     {"fault.", "it counts from the start of the run; --fault adds events"},
     {"host.", "nodes have been built, and have computed, with it"},
     {"nic.", "cards have been built with it"},
     {"mpi.", "it has been read in MPI_Init"},
     {"", "it has been read when the run began"}}};

bool is_for(const Change& change, bool is_traffic) { return is_traffic || !change.is_for_traffic; }

/// "--fault, --seed; -s switch.arbitration, ..."
std::string what_can_change(bool is_traffic) {
  std::string options, keys;
  for (const auto& [name, change] : Registry<Change>::all()) {
    if (!is_for(change, is_traffic)) continue;
    if (!change.option.empty()) options += (options.empty() ? "--" : ", --") + change.option;
    for (const std::string& key : change.keys)
      keys += (keys.empty() ? "-s " : ", ") + key + (key.ends_with('.') ? "*" : "");
  }
  return options + "; " + keys;
}

[[noreturn]] void refuse(const std::string& what, bool is_traffic) {
  const auto reason =
      std::find_if(reasons.begin(), reasons.end(), [&](const auto& one) { return what.starts_with(one.first); });
  throw UserError("--branch", what + " cannot change during a run: " + reason->second,
                  "these can: " + what_can_change(is_traffic));
}

bool has_open_quote(const std::string& text) {
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (quote != 0)
      quote = text[i] == quote ? 0 : quote;
    else if (text[i] == '\'' || text[i] == '"')
      quote = text[i];
  }
  return quote != 0;
}

/// Keys whose values differ.
std::vector<std::string> differences(const ParameterSet& a, const ParameterSet& b) {
  std::vector<std::string> keys;
  for (const auto& [key, one] : b.declared()) {
    const auto other = a.declared().find(key);
    if (other == a.declared().end() || other->second.value != one.value) keys.push_back(key);
  }
  return keys;
}

/// The same of settings that are not the machine's, such as those of a library or of the measurement.
std::vector<std::string> changed_settings(const ParameterSet& before, const ParameterSet& after) {
  std::vector<std::string> keys;
  for (const auto& [key, given] : after.given()) {
    const auto* const other = before.find(key);
    if (other == nullptr || other->text != given.text) keys.push_back(key);
  }
  return keys;
}

}  // namespace

void add_branch_options(po::options_description_easy_init add) {
  add("branch-at", po::value<std::string>()->value_name("TIME"),
      "run to this time once, and from there each --branch, one after the other; with --out DIR, which gets a folder "
      "for each (docs/branches.md)");
  add("branch", po::value<std::vector<std::string>>()->composing()->value_name("OPTIONS"),
      "what changes in a branch, such as \"--fault '4ms link 3 down'\", \"--seed 7\", \"-s "
      "switch.arbitration=oldest\"; "
      "\"\": nothing (repeat for more)");
}

Branches::Branches(Invocation& invocation, const Machine& machine) : invocation_(invocation), machine_(machine) {
  const bool has_time = invocation.has("branch-at"), has_branches = invocation.has("branch");
  if (!has_time && !has_branches) return;
  if (!has_time) throw UserError("--branch", "there is no --branch-at TIME", "give the time at which it begins");
  if (!has_branches)
    throw UserError("--branch-at", "there is no --branch", "give one or more, such as --branch \"--seed 7\"");
  at_ = parse_time(invocation.text("branch-at"), "--branch-at");
  out_ = invocation.common.out;
  if (out_.empty()) throw UserError("--branch-at", "there is no --out DIR", "each branch has results of its own there");
  for (const std::string option : {"gdb", "on-crash"})
    if (invocation.has(option)) throw UserError("--branch-at", "gdb cannot follow branches", "leave out --" + option);
  if (at_ >= invocation.common.until)
    throw UserError("--branch-at", to_text(at_) + " is not before --until " + to_text(invocation.common.until));
  for (const std::string& options : invocation.values["branch"].as<std::vector<std::string>>())
    branches_.push_back(read(options));
}

Branches::Branch Branches::read(const std::string& options) const {
  const bool is_traffic = !invocation_.runs_programs;
  Branch branch{.options = options};
  po::options_description known;
  known.add_options()("set,s", po::value<std::vector<std::string>>(&branch.settings)->composing());
  for (const auto& [name, change] : Registry<Change>::all())
    if (is_for(change, is_traffic) && !change.option.empty())
      known.add_options()(change.option.c_str(), po::value<std::vector<std::string>>()->composing());
  const std::string place = "--branch " + in_quotes(options), cure = "such as \"--fault '4ms link 3 down'\"";
  if (has_open_quote(options)) throw UserError(place, "a quote has no end", cure);
  po::variables_map values;
  try {
    constexpr int exact = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(po::split_unix(options)).options(known).positional({}).style(exact).run(),
              values);
    po::notify(values);
  } catch (const po::unknown_option& error) {
    refuse(error.get_option_name(), is_traffic);
  } catch (const std::exception& error) {
    throw UserError(place, error.what(), cure);
  }
  for (const auto& [name, change] : Registry<Change>::all())
    if (!change.option.empty() && values.count(change.option) != 0) {
      const auto all = values[change.option].as<std::vector<std::string>>();
      branch.values[change.name] = all.back();
      if (change.option == "fault") branch.faults = all;
    }
  find_changes(branch);
  return branch;
}

void Branches::find_changes(Branch& branch) const {
  const bool is_traffic = !invocation_.runs_programs;
  Invocation changed = invocation_;
  auto& settings = changed.common.settings;
  settings.insert(settings.end(), branch.settings.begin(), branch.settings.end());
  auto& faults = changed.common.faults;
  faults.insert(faults.end(), branch.faults.begin(), branch.faults.end());
  const auto own = changed_settings(invocation_.own_settings(), changed.own_settings());
  if (!own.empty()) refuse(own.front(), is_traffic);
  branch.software = changed.software_settings();
  std::vector<std::string> keys = changed_settings(invocation_.software_settings(), branch.software);
  if (!branch.settings.empty() || !branch.faults.empty()) {
    branch.machine = std::make_unique<const Machine>(changed.machine_request());
    for (std::string& key : differences(machine_.parameters(), branch.machine->parameters()))
      keys.push_back(std::move(key));
  }
  for (const auto& [name, change] : Registry<Change>::all()) {
    const auto is_its_own = [&change = change](const std::string& key) {
      return std::any_of(change.keys.begin(), change.keys.end(), [&](const std::string& own) {
        return own == key || (own.ends_with('.') && key.starts_with(own));
      });
    };
    if (branch.values.contains(name) || std::any_of(keys.begin(), keys.end(), is_its_own))
      branch.changes.push_back(&change);
    std::erase_if(keys, is_its_own);
  }
  if (!keys.empty()) refuse(keys.front(), is_traffic);
  for (const Change* change : branch.changes)
    if (change->check) change->check(planned(branch, *change));
}

PlannedBranch Branches::planned(const Branch& branch, const Change& change) const {
  const auto value = branch.values.find(change.name);
  return {.before = machine_,
          .machine = branch.machine ? *branch.machine : machine_,
          .at = at_,
          .value = value == branch.values.end() ? "" : value->second,
          .software = branch.software};
}

bool Branches::have(std::string_view change) const {
  return std::any_of(branches_.begin(), branches_.end(), [&](const Branch& branch) {
    return std::any_of(branch.changes.begin(), branch.changes.end(),
                       [&](const Change* one) { return one->name == change; });
  });
}

std::string Branches::folder_of(std::size_t number) const { return fmt::format("{}/branch-{}", out_, number); }

bool Branches::fork_all(const Stage& stage) {
  for (const Branch& branch : branches_) {
    const std::size_t number = ended_.size() + 1;
    if (native::was_interrupted()) break;
    std::cerr << fmt::format("branch {} of {}, from {}: {} (results in {})\n", number, branches_.size(), to_text(at_),
                             branch.options.empty() ? "no change" : branch.options, folder_of(number));
    const pid_t child = fork_simulator([&] {
      prctl(PR_SET_PDEATHSIG, SIGKILL);  // a run that is ended from outside leaves no branch behind
      stage.continue_in_child();
      enter(number, stage.folder);
    });
    if (child == 0) {
      for (const Change* change : branch.changes) change->apply(planned(branch, *change), stage.run);
      return true;
    }
    ended_.push_back(exit_status_of(child, native::interrupting_signal));
  }
  if (ended_.empty()) ended_.push_back(static_cast<int>(status_of_interrupt()));
  return false;
}

/// In the child process.
void Branches::enter(std::size_t number, RunFolder& folder) {
  is_branch_ = true;
  const Branch& branch = branches_[number - 1];
  CommonOptions& common = invocation_.common;
  common.out = folder_of(number);
  if (const auto seed = branch.values.find("seed"); seed != branch.values.end())
    common.seed = static_cast<std::uint64_t>(parse_count(seed->second, "--branch: --seed"));
  common.settings.insert(common.settings.end(), branch.settings.begin(), branch.settings.end());
  common.faults.insert(common.faults.end(), branch.faults.begin(), branch.faults.end());
  folder.enter(common.out, branch.machine ? branch.machine->parameters() : ParameterSet());
  folder.write("branch",
               nlohmann::ordered_json{{"at_ns", in_ns(at_)}, {"number", number}, {"options", branch.options}});
  if (!common.json.empty()) common.json_file = std::make_shared<const OutputFile>(common.out + "/result.json");
  own_open_files(common.out + "/files");
}

nlohmann::ordered_json Branches::results() const {
  nlohmann::ordered_json json{{"branch_at_ns", in_ns(at_)}, {"branches", nlohmann::ordered_json::array()}};
  for (std::size_t i = 0; i < ended_.size(); ++i) {
    nlohmann::ordered_json one{
        {"options", branches_[i].options}, {"folder", folder_of(i + 1)}, {"exit_status", ended_[i]}};
    const std::string file = folder_of(i + 1) + "/result.json";
    one["result"] = nullptr;  // it has not got so far
    if (!invocation_.common.json.empty() && std::filesystem::exists(file))
      one["result"] = nlohmann::ordered_json::parse(read_text_file(file), nullptr, false);
    json["branches"].push_back(std::move(one));
  }
  return json;
}

Exit Branches::finish(RunFolder& folder) {
  Table table({"branch", "options", "folder", "exit_status"});
  for (std::size_t i = 0; i < ended_.size(); ++i)
    table.add({static_cast<std::int64_t>(i + 1), branches_[i].options, folder_of(i + 1),
               static_cast<std::int64_t>(ended_[i])});
  folder.write("branches", table);
  folder.ended("branched", at_);
  invocation_.write_json(results());
  const auto failed = std::find_if(ended_.begin(), ended_.end(), [](int status) { return status != 0; });
  return failed == ended_.end() ? Exit::done : static_cast<Exit>(*failed);
}

void Branches::require_begun(Time end) const {
  if (!are_wanted() || is_branch_ || are_over()) return;
  throw UserError("--branch-at", to_text(at_) + " is after the end of the run, at " + to_text(end),
                  "choose an earlier time");
}

}  // namespace sanvp::commands
