/// The text of machine files:
///   # a comment: at the start of a line or after a blank
///   include = base.ini          above the first section; relative to this file; what this file gives wins, and where
///                               it gives a section another `type`, nothing else of that section is inherited
///   [switch]
///   buffer = 128                the key is switch.buffer
/// Parsed by hand: Boost.Program_options' parser knows neither line numbers nor includes, and a good message needs
/// the one as a shared base needs the other.
#pragma once

#include <string>
#include <vector>

namespace sanvp {

/// One `key = value` line.
struct MachineEntry {
  std::string key;    ///< "switch.buffer"
  std::string text;   ///< "128"
  std::string place;  ///< "qsnet-64.ini:12"
};

/// All entries in force order: a later one replaces an earlier one of the same key (a base comes before its user).
/// Throws UserError with `name:line`: bad line, bad key, a key given twice in one file, a base that includes its user.
/// @param name  the file's path: stands in messages; includes are relative to its folder, or to that of the shipped
///              machines
std::vector<MachineEntry> parse_machine_text(const std::string& text, const std::string& name);

/// "switch" for "switch.type": a section whose other keys mean nothing to another type. Empty for other keys.
std::string section_typed_by(const std::string& key);

/// Throws UserError unless `key` is words of letters, digits, `_` and `-`, joined by dots.
void require_key(const std::string& key, const std::string& place);

}  // namespace sanvp
