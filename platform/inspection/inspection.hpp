/// The machine at one instant, for gdb's `monitor` and `--inspect`: one subject a file in this folder, registered by
/// name. A subject is JSON; its text is made of the same values. Looking changes nothing.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "platform/jobs/job_run.hpp"
#include "platform/machine/cluster.hpp"

namespace sanvp {

struct Inspected {
  const Machine& machine;
  Cluster& cluster;
  const jobs::JobRun& jobs;
};

/// A subject.
struct Inspection {
  using Json = nlohmann::ordered_json;
  static constexpr const char* kind() { return "inspection"; }

  std::string name;
  std::string summary;
  /// The number of what, or null: it takes none.
  const char* numbered = nullptr;
  /// How many there are, for the range of numbers.
  int (*count)(const Inspected&) = nullptr;
  /// @param number  empty: all, or those that have something to say
  std::function<Json(const Inspected&, std::optional<int> number)> look;
};

/// The subject of a `line` such as "card 3", and its number. Throws UserError for anything else.
/// @param place  for messages
struct AskedSubject {
  const Inspection& subject;
  std::optional<int> number;
};
AskedSubject find_subject(const Inspected& inspected, std::string_view line, const std::string& place);

/// What `line` asks for: a subject's name and perhaps a number, such as "card 3". Throws UserError for anything else.
/// @param place  for messages
Inspection::Json inspect(const Inspected& inspected, std::string_view line, const std::string& place);

/// A number below `count`. Throws UserError for anything else. @param what  of what: "card"
int parse_number(const std::string& text, const std::string& place, const char* what, int count);

/// The same values for people, each line with its end.
std::string to_text(const Inspection::Json& json);

}  // namespace sanvp
