/// `--inspect` of `run`: the machine at instants of the run, as text, in inspections.json of the results folder and in
/// the results' JSON.
#pragma once

#include <string>
#include <vector>

#include "platform/commands/command.hpp"
#include "platform/inspection/inspection.hpp"

namespace sanvp::commands {

void add_inspection_options(boost::program_options::options_description_easy_init add);

class Inspections {
 public:
  /// Throws UserError for a time or a subject that is none.
  explicit Inspections(const Invocation& invocation);

  /// Looks at these instants. Throws UserError for what the machine does not have. @param print  takes the text. All
  /// outlive the run
  void begin(const Inspected& inspected, const std::function<void(const std::string&)>& print);
  /// Says which of them are after the end of the run.
  void note_missed(Time end) const;
  bool are_wanted() const { return !wanted_.empty(); }
  /// What has been seen: {"at_ns", "what", "seen"}, in order.
  const nlohmann::ordered_json& seen() const { return seen_; }

 private:
  struct Wanted {
    Time at;
    std::string what;  ///< empty: the whole machine
    bool is_over = false;
  };
  void look(Wanted& wanted, const Inspected& inspected, const std::function<void(const std::string&)>& print);

  std::vector<Wanted> wanted_;
  nlohmann::ordered_json seen_ = nlohmann::ordered_json::array();
};

}  // namespace sanvp::commands
