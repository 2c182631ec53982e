/// `--record` of `run`: the messages and the computation of a job as GOAL.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/commands/command.hpp"
#include "platform/goal/collective_calls.hpp"
#include "platform/goal/recorder.hpp"
#include "platform/machine/cluster.hpp"

namespace sanvp::commands {

void add_record_options(boost::program_options::options_description_easy_init add);

class RecordFile {
 public:
  /// Refuses what cannot be recorded, and a file that cannot be written. @param programs  the jobs'
  RecordFile(const Invocation& invocation, const std::vector<Program>& programs);
  /// Null: nothing is recorded.
  goal::Recorder* recorder() { return recorder_ ? &*recorder_ : nullptr; }
  /// Null: collective operations are recorded as their messages.
  goal::CollectiveCalls* calls() { return calls_ ? &*calls_ : nullptr; }
  /// Writes the file if the program has ended well, and says what is in it.
  void close(bool ended_well);

 private:
  std::string path_;
  std::optional<goal::Recorder> recorder_;
  std::optional<goal::CollectiveCalls> calls_;
};

}  // namespace sanvp::commands
