/// Self-registration: a new part is one new file, and no central list changes. Each part ends its file with
///   static const Registration<SwitchPart> registration{{"elite", "...", build}};
/// The folders that hold parts are CMake OBJECT libraries, so that the linker keeps all of them. A part of a user's own
/// registers itself in the same way, when it is loaded (parts.hpp).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "platform/core/error.hpp"

namespace sanvp {

/// The nearest known name, for messages (defined with the parameters).
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);
/// The known name that differs only in `-` and `_` (text.hpp).
std::string spelled_otherwise(const std::string& word, const std::vector<std::string>& candidates);

/// The registrations since this was last cleared, for load_part (parts.hpp).
struct Registrations {
  int made = 0;
  std::vector<std::string> refused{};  ///< a name that existed, with its kind: "switch 'elite'"

  static Registrations& of_process() {
    static Registrations registrations;
    return registrations;
  }
};

/// All parts of one kind, by name. `Part` has `name`, `summary`, and a static `kind()` ("switch", "topology").
template <class Part>
class Registry {
 public:
  /// Registration objects fill it before main() and when a part is loaded, before a machine is built; ordered by name.
  static const std::map<std::string, Part>& all() { return parts(); }

  static std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const auto& [name, part] : parts()) names.push_back(name);
    return names;
  }

  /// The part of that name, also with `-` for `_`. If it is not registered, throws UserError that names the nearest
  /// part.
  static const Part& get(const std::string& name, const std::string& place) {
    const auto found = parts().find(name);
    if (found != parts().end()) return found->second;
    const std::vector<std::string> known_names = names();
    const auto same = parts().find(spelled_otherwise(name, known_names));
    if (same != parts().end()) return same->second;
    const std::string near = nearest(name, known_names);
    std::string list;
    for (const auto& known : known_names) list += (list.empty() ? "" : ", ") + known;
    throw UserError(place, std::string("there is no ") + Part::kind() + " '" + name + "'",
                    near.empty() ? "known: " + list : "did you mean '" + near + "'? (known: " + list + ")");
  }

 private:
  template <class>
  friend class Registration;
  static std::map<std::string, Part>& parts() {
    static std::map<std::string, Part> parts;
    return parts;
  }
};

template <class Part>
class Registration {
 public:
  explicit Registration(Part part) {
    Registrations& registrations = Registrations::of_process();
    ++registrations.made;
    const auto [place, is_new] = Registry<Part>::parts().emplace(part.name, part);
    if (!is_new) registrations.refused.push_back(std::string(Part::kind()) + " '" + place->first + "'");
  }
};

}  // namespace sanvp
