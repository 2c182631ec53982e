/// The text of machine files:
///   # a comment: at the start of a line or after a blank
///   include = base.ini          above the first section; relative to this file; what this file gives wins, and where
///                               it gives a section another `type`, nothing else of that section is inherited
///   [switch]
///   buffer = 128                the key is switch.buffer
/// A parser of our own, because Boost.Program_options' has neither line numbers, which good messages need, nor
/// includes, which a shared base needs.
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

/// All entries, in the order in which they take effect: a later entry replaces an earlier one of the same key (a base
/// precedes the file that includes it). Throws UserError with `name:line` for a bad line or key, a key given twice in
/// one file, or a base that includes its user.
/// @param name  the file's path, for messages; includes are relative to its folder, or to that of the shipped machines
std::vector<MachineEntry> parse_machine_text(const std::string& text, const std::string& name);

/// "switch" for "switch.type": a section whose other keys have no meaning for another type. Empty for other keys.
std::string section_typed_by(const std::string& key);

/// Throws UserError unless `key` is words of letters, digits, `_` and `-`, joined by dots.
void require_key(const std::string& key, const std::string& place);

}  // namespace sanvp
