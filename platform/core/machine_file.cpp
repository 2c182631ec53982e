#include "platform/core/machine_file.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "platform/core/error.hpp"
#include "platform/core/files.hpp"
#include "platform/core/own_files.hpp"
#include "platform/core/text.hpp"

namespace sanvp {
namespace {

namespace fs = std::filesystem;

/// Limits of a plausible machine file; beyond them the user named the wrong file, or the file is hostile.
constexpr std::size_t largest_file = std::size_t{16} << 20;
constexpr std::size_t longest_line = std::size_t{64} << 10;
constexpr int most_includes = 64;  // also bounds their depth, and 2^n includes of files that include each other

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // some editors begin UTF-8 files with it

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/// A base is found beside the file that includes it, or else among the shipped machines, so that a machine file can be
/// copied anywhere.
std::string base_file(const fs::path& path, const fs::path& folder) {
  const fs::path beside = folder / path, shipped = fs::path(own_folder("machines")) / path;
  std::error_code ignored;
  const bool is_shipped = !fs::exists(beside, ignored) && fs::exists(shipped, ignored);
  return (is_shipped ? shipped : beside).lexically_normal().string();
}

std::string_view without_comment(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool starts_word = i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t';
    if (line[i] == '#' && starts_word) return line.substr(0, i);
  }
  return line;
}

class Reader {
 public:
  void read(const std::string& text, const std::string& name);
  std::vector<MachineEntry> take() { return std::move(entries_); }

 private:
  /// State while the lines of one file are read.
  struct File {
    std::string name;
    std::string section;
    int line = 0;
    std::vector<MachineEntry> own;
    std::map<std::string, int> first_line;  ///< by key

    std::string place() const { return name + ":" + std::to_string(line); }
  };

  void read_line(std::string_view line, File& file);
  void read_section(std::string_view line, File& file);
  void discard_what_types_replace(const File& file);
  void include(const std::string& path, const File& file);

  std::vector<MachineEntry> entries_;
  std::vector<std::string> chain_;  ///< the files being read, outermost first
  int includes_ = 0;
};

void Reader::read(const std::string& text, const std::string& name) {
  File file{.name = name, .section = {}, .own = {}, .first_line = {}};
  chain_.push_back(name);
  std::string_view rest = text;
  if (rest.starts_with(byte_order_mark)) rest.remove_prefix(byte_order_mark.size());
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    ++file.line;
    read_line(rest.substr(0, end), file);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  chain_.pop_back();
  discard_what_types_replace(file);
  std::move(file.own.begin(), file.own.end(), std::back_inserter(entries_));
}

void Reader::read_line(std::string_view line, File& file) {
  if (line.size() > longest_line)
    throw UserError(file.place(), "the line has " + std::to_string(line.size()) + " characters",
                    "is this a machine file?");
  if (line.find('\0') != std::string_view::npos)
    throw UserError(file.place(), "the line holds a NUL byte", "is this a machine file?");
  const std::string_view content = trimmed(without_comment(line));
  if (content.empty()) return;
  if (content.front() == '[') return read_section(content, file);

  const auto equals = content.find('=');
  if (equals == std::string_view::npos)
    throw UserError(file.place(), in_quotes(content) + " is neither a section nor an assignment", "write key = value");
  const std::string name(trimmed(content.substr(0, equals)));
  const std::string value(trimmed(content.substr(equals + 1)));
  require_key(name, file.place());
  if (name == "include") {
    if (!file.section.empty())
      throw UserError(file.place(), "include is inside [" + file.section + "]", "move it above the first section");
    return include(value, file);
  }
  const std::string key = file.section.empty() ? name : file.section + "." + name;
  const auto [first, is_new] = file.first_line.emplace(key, file.line);
  if (!is_new)
    throw UserError(file.place(), in_quotes(key) + " is given twice",
                    "it was given in line " + std::to_string(first->second) + "; remove one");
  file.own.push_back({key, value, file.place()});
}

void Reader::read_section(std::string_view line, File& file) {
  if (line.back() != ']') throw UserError(file.place(), in_quotes(line) + " is not a section", "write [name]");
  file.section = trimmed(line.substr(1, line.size() - 2));
  require_key(file.section, file.place());
}

void Reader::discard_what_types_replace(const File& file) {
  for (const MachineEntry& own : file.own) {
    const std::string section = section_typed_by(own.key);
    if (section.empty()) continue;
    const bool is_same = std::any_of(entries_.rbegin(), entries_.rend(), [&](const MachineEntry& inherited) {
      return inherited.key == own.key && inherited.text == own.text;
    });
    if (!is_same)
      std::erase_if(entries_, [&](const MachineEntry& inherited) { return inherited.key.starts_with(section + "."); });
  }
}

void Reader::include(const std::string& path, const File& file) {
  if (path.empty()) throw UserError(file.place(), "include names no file");
  const std::string resolved = base_file(path, fs::path(file.name).parent_path());
  for (const auto& outer : chain_) {
    std::error_code ignored;
    if (outer != resolved && !fs::equivalent(outer, resolved, ignored)) continue;
    throw UserError(file.place(), "a file includes itself: " + listed(chain_) + ", " + resolved);
  }
  if (++includes_ > most_includes)
    throw UserError(file.place(), "more than " + std::to_string(most_includes) + " files are included");
  std::string text;
  try {
    text = read_text_file(resolved, largest_file);
  } catch (const UserError& error) {
    throw UserError(file.place(), error.what(),
                    "an included file lies beside the one that includes it or in " + own_folder("machines"));
  }
  read(text, resolved);
}

}  // namespace

std::vector<MachineEntry> parse_machine_text(const std::string& text, const std::string& name) {
  if (text.size() > largest_file)
    throw UserError(name, "is larger than " + std::to_string(largest_file) + " bytes", "is it a machine file?");
  Reader reader;
  reader.read(text, name);
  return reader.take();
}

std::string section_typed_by(const std::string& key) {
  constexpr std::string_view ending = ".type";
  return key.ends_with(ending) ? key.substr(0, key.size() - ending.size()) : std::string();
}

void require_key(const std::string& key, const std::string& place) {
  bool word_open = false;
  bool good = true;
  for (const char c : key) {
    good = good && (c == '.' ? word_open : is_word_character(c));
    word_open = c != '.';
  }
  if (good && word_open) return;
  throw UserError(place, in_quotes(key) + " is not a name", "use letters, digits, _ and -, and dots between words");
}

}  // namespace sanvp
