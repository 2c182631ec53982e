/// `--trace F.otf2` of `run`: the calls and messages of a job as an OTF2 archive.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/commands/command.hpp"
#include "platform/machine/cluster.hpp"
#include "platform/otf2/recorder.hpp"

namespace sanvp::commands {

/// Whether a file of --trace is such an archive, by its name.
bool is_otf2(const std::string& file);

class Otf2File {
 public:
  /// Refuses what cannot be recorded, and a file that cannot be written.
  Otf2File(const Invocation& invocation, const Machine& machine, const std::vector<Program>& programs);
  /// Null: nothing is recorded.
  otf2::Recorder* recorder() { return recorder_ ? &*recorder_ : nullptr; }
  /// Writes the archive, and says what is in it.
  void close();

 private:
  std::string path_;
  std::optional<otf2::Recorder> recorder_;
};

}  // namespace sanvp::commands
