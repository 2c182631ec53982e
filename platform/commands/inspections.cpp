#include "platform/commands/inspections.hpp"

#include <fmt/format.h>

#include <array>
#include <iostream>
#include <sstream>

#include "platform/core/registry.hpp"
#include "platform/core/terminal.hpp"
#include "platform/core/units.hpp"

namespace sanvp::commands {
namespace {

namespace po = boost::program_options;

/// What is shown of the whole machine.
constexpr std::array all_subjects{"ranks", "mpi", "packets", "card"};

std::string subjects() {
  std::string text;
  for (const auto& [name, subject] : Registry<Inspection>::all())
    text += (text.empty() ? "" : ", ") + name + (subject.numbered == nullptr ? "" : " [N]");
  return text;
}

}  // namespace

void add_inspection_options(po::options_description_easy_init add) {
  add("inspect", po::value<std::vector<std::string>>()->composing()->value_name("TIME"),
      ("print what the machine does at this time: all of it, or \"TIME SUBJECT\" of " + subjects() +
       " (repeat for more)")
          .c_str());
}

Inspections::Inspections(const Invocation& invocation) {
  if (!invocation.has("inspect")) return;
  for (const std::string& text : invocation.values["inspect"].as<std::vector<std::string>>()) {
    std::istringstream words(text);
    std::string time, subject, number;
    words >> time >> subject >> number;
    if (!subject.empty()) Registry<Inspection>::get(subject, "--inspect");
    wanted_.push_back({parse_time(time, "--inspect"), subject + (number.empty() ? "" : " " + number)});
  }
}

void Inspections::begin(const Inspected& inspected, const std::function<void(const std::string&)>& print) {
  for (const Wanted& wanted : wanted_)
    if (!wanted.what.empty()) find_subject(inspected, wanted.what, "--inspect");
  for (Wanted& wanted : wanted_)
    inspected.cluster.look_at(wanted.at, [this, &wanted, inspected, print] {
      look(wanted, inspected, print);
      return true;
    });
}

void Inspections::look(Wanted& wanted, const Inspected& inspected,
                       const std::function<void(const std::string&)>& print) {
  wanted.is_over = true;
  nlohmann::ordered_json seen = nlohmann::ordered_json::object();
  if (wanted.what.empty()) {
    for (const char* subject : all_subjects) seen.update(inspect(inspected, subject, "--inspect"));
  } else {
    seen = inspect(inspected, wanted.what, "--inspect");
  }
  print(fmt::format("at {}{}:\n{}", to_text(wanted.at), wanted.what.empty() ? "" : ", " + wanted.what, to_text(seen)));
  seen_.push_back({{"at_ns", in_ns(wanted.at)}, {"what", wanted.what}, {"seen", std::move(seen)}});
}

void Inspections::note_missed(Time end) const {
  for (const Wanted& wanted : wanted_)
    if (!wanted.is_over)
      std::cerr << heading("note") << "--inspect: the run ended at " << to_text(end) << ", before the inspection at "
                << to_text(wanted.at) << "\n";
}

}  // namespace sanvp::commands
