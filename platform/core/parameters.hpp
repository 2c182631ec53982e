/// Typed parameters of parts. A part declares each parameter once, where it reads it; `sanvp describe` makes the same
/// call and prints the declaration. Values have units; an unknown, duplicate or unread key is an error that names file,
/// line and the nearest known key.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/core/text.hpp"
#include "platform/core/time.hpp"
#include "platform/core/units.hpp"

namespace sanvp {

/// Values as given: from a machine file (key, text, `file:line`), overridden by `-s key=value`.
class ParameterSet {
 public:
  struct Given {
    std::string text;
    std::string place;  ///< "qsnet-64.ini:12" or "-s link.rate"
  };
  /// One parameter as a part declared it, with the effective value.
  struct Declared {
    std::string key;
    std::string kind;  ///< count, time, rate, size, real, flag, choice, text
    std::string fallback;
    std::string value;
    std::string place;  ///< origin of the value, or "default"
    std::string documentation;
    std::string source;
  };

  /// Reads an INI-style machine file: `[section]`, `key = value`, `#` comments. Throws UserError with file and line.
  static ParameterSet from_file(const std::string& path);
  /// The same from text; `name` names the text in messages.
  static ParameterSet from_text(const std::string& text, const std::string& name);

  /// Sets or replaces one value. A different `type` discards the keys that a file gave the section.
  /// @param assignment "section.key=value"
  void set(const std::string& assignment);
  void set(const std::string& key, const std::string& text, const std::string& place);

  /// Drops the values given for a section and its subsections, because another section replaces it.
  void drop_section(const std::string& section);
  /// The same of values that a file gave; those of `-s` stay.
  void drop_section_of_file(const std::string& section);

  const Given* find(const std::string& key) const;
  /// All values given, by key.
  const std::map<std::string, Given>& given() const { return given_; }
  void declare(const Declared& declared);

  /// A copy that also contains the declarations of `other`.
  ParameterSet with(const ParameterSet& other) const;
  /// All parameters declared so far, ordered by key: the effective set for the manifest.
  const std::map<std::string, Declared>& declared() const { return declared_; }
  /// Throws UserError for the first given value that no part has read, with the nearest declared key.
  void require_all_read() const;

 private:
  std::map<std::string, Given> given_;
  std::map<std::string, Declared> declared_;
};

/// A view of one section ("switch", "link.cable") of a set, from which a part reads its parameters.
class Parameters {
 public:
  Parameters(ParameterSet& set, std::string section) : set_(&set), section_(std::move(section)) {}

  /// A whole number; suffixes k, M, G and Ki, Mi, Gi are understood. Throws UserError outside [least, most].
  std::int64_t count(std::string_view name, std::int64_t fallback, std::string_view documentation,
                     std::string_view source, std::int64_t least = 0, std::int64_t most = INT64_MAX) const;
  /// A span of time with unit: ps, ns, us, ms, s. Not negative.
  Time time(std::string_view name, Time fallback, std::string_view documentation, std::string_view source) const;
  /// The same with a default that another part of the machine knows; empty if it holds.
  /// @param otherwise  names it ("link.delay"), and may be given as a value
  std::optional<Time> time_or(std::string_view name, std::string_view otherwise, std::string_view documentation,
                              std::string_view source) const;
  /// A size in bytes with unit: B, KiB, MiB, kB, MB.
  std::int64_t size(std::string_view name, std::int64_t fallback_bytes, std::string_view documentation,
                    std::string_view source) const;
  /// Bytes per second with unit: 400MB/s, 100Mbit/s.
  double rate(std::string_view name, double fallback_Bps, std::string_view documentation,
              std::string_view source) const;
  double real(std::string_view name, double fallback, std::string_view documentation, std::string_view source,
              double least = 0, double most = 1e18) const;
  bool flag(std::string_view name, bool fallback, std::string_view documentation, std::string_view source) const;
  std::string text(std::string_view name, std::string_view fallback, std::string_view documentation,
                   std::string_view source) const;
  /// One of `options`; throws UserError that lists them and names the nearest.
  std::string choice(std::string_view name, std::string_view fallback, std::initializer_list<std::string_view> options,
                     std::string_view documentation, std::string_view source) const;
  /// The same with options that are not known at compile time, as the names of a Registry.
  std::string choice(std::string_view name, std::string_view fallback, const std::vector<std::string>& options,
                     std::string_view documentation, std::string_view source) const;

  /// The contents of the file `path`, which the value of `name` is, or is in. If it cannot be read, the message also
  /// names the key.
  std::string read_file(std::string_view name, const std::string& path) const;

  Parameters section(std::string_view name) const;
  /// The same, but values that are not given there are inherited from this section.
  Parameters heir(std::string_view name) const;
  const std::string& path() const { return section_; }
  bool is_given(std::string_view name) const;
  /// The place where the value of `name` was given (`file:line`), or its key if it is the default: for a part's own
  /// messages.
  std::string place(std::string_view name) const;
  /// place() with the key's name: the start of a message about the value.
  std::string where(std::string_view name) const;

 private:
  Time parse(std::string_view name, const std::string& text, Time fallback) const;
  std::string value(std::string_view name, std::string_view kind, const std::string& fallback,
                    std::string_view documentation, std::string_view source) const;
  /// The key that provides the value of `name`: its own key or an inherited one.
  std::string key_in_force(std::string_view name) const;

  ParameterSet* set_;
  std::string section_;
  std::optional<std::string> inherits_{};  ///< the section, or empty
};

}  // namespace sanvp
