#include "platform/core/parameters.hpp"

#include <algorithm>

#include "platform/core/error.hpp"
#include "platform/core/files.hpp"
#include "platform/core/machine_file.hpp"

namespace sanvp {
namespace {

std::string section_of(const std::string& key) {
  const auto dot = key.rfind('.');
  return dot == std::string::npos ? "" : key.substr(0, dot);
}

std::string join(const std::string& section, std::string_view name) {
  return section.empty() ? std::string(name) : section + "." + std::string(name);
}

/// The cure for an unknown key: the nearest declared key, or else the keys of its section.
std::string cure_for(const std::string& key, const std::map<std::string, ParameterSet::Declared>& declared) {
  std::vector<std::string> all, siblings;
  for (const auto& [known, unused] : declared) {
    all.push_back(known);
    if (section_of(known) == section_of(key)) siblings.push_back(known);
  }
  if (const auto near = nearest(key, all); !near.empty()) return "did you mean '" + near + "'?";
  return siblings.empty() ? "`sanvp describe` lists the keys of every part" : "known there: " + listed(siblings);
}

}  // namespace

ParameterSet ParameterSet::from_file(const std::string& path) { return from_text(read_text_file(path), path); }

ParameterSet ParameterSet::from_text(const std::string& text, const std::string& name) {
  ParameterSet set;
  for (const auto& entry : parse_machine_text(text, name)) set.set(entry.key, entry.text, entry.place);
  return set;
}

void ParameterSet::set(const std::string& assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string::npos)
    throw UserError("-s", in_quotes(assignment) + " assigns nothing", "write -s section.key=value");
  const std::string key(trimmed(std::string_view(assignment).substr(0, equals)));
  require_key(key, "-s");
  const std::string text(trimmed(std::string_view(assignment).substr(equals + 1)));
  // As in a machine file: the keys that the file gave the section belong to the old type.
  if (const std::string section = section_typed_by(key); !section.empty())
    if (const Given* old = find(key); old == nullptr || old->text != text) drop_section_of_file(section);
  set(key, text, "-s " + key);
}

void ParameterSet::set(const std::string& key, const std::string& text, const std::string& place) {
  given_.insert_or_assign(key, Given{text, place});
}

void ParameterSet::drop_section(const std::string& section) {
  std::erase_if(given_, [&](const auto& one) { return one.first.starts_with(section + "."); });
}

void ParameterSet::drop_section_of_file(const std::string& section) {
  std::erase_if(given_, [&](const auto& one) {
    return one.first.starts_with(section + ".") && !one.second.place.starts_with("-s ");
  });
}

const ParameterSet::Given* ParameterSet::find(const std::string& key) const {
  const auto found = given_.find(key);
  return found == given_.end() ? nullptr : &found->second;
}

void ParameterSet::declare(const Declared& declared) { declared_.insert_or_assign(declared.key, declared); }

ParameterSet ParameterSet::with(const ParameterSet& other) const {
  ParameterSet both = *this;
  for (const auto& [key, declared] : other.declared_) both.declare(declared);
  return both;
}

void ParameterSet::require_all_read() const {
  for (const auto& [key, given] : given_)
    if (!declared_.contains(key))
      throw UserError(given.place, "no part of this machine reads " + in_quotes(key), cure_for(key, declared_));
}

std::string Parameters::value(std::string_view name, std::string_view kind, const std::string& fallback,
                              std::string_view documentation, std::string_view source) const {
  const std::string key = join(section_, name);
  const auto* given = set_->find(key_in_force(name));
  const std::string& text = given ? given->text : fallback;
  set_->declare({.key = key,
                 .kind = std::string(kind),
                 .fallback = fallback,
                 .value = text,
                 .place = given ? given->place : "default",
                 .documentation = std::string(documentation),
                 .source = std::string(source)});
  return text;
}

std::int64_t Parameters::count(std::string_view name, std::int64_t fallback, std::string_view documentation,
                               std::string_view source, std::int64_t least, std::int64_t most) const {
  const auto text = value(name, "count", std::to_string(fallback), documentation, source);
  const auto number = parse_count(text, where(name));
  if (number < least) throw UserError(where(name), in_quotes(text) + " is less than " + std::to_string(least));
  if (number > most) throw UserError(where(name), in_quotes(text) + " is more than " + std::to_string(most));
  return number;
}

Time Parameters::time(std::string_view name, Time fallback, std::string_view documentation,
                      std::string_view source) const {
  return parse(name, value(name, "time", to_text(fallback), documentation, source), fallback);
}

std::optional<Time> Parameters::time_or(std::string_view name, std::string_view otherwise,
                                        std::string_view documentation, std::string_view source) const {
  const auto text = value(name, "time", std::string(otherwise), documentation, source);
  if (text == otherwise) return std::nullopt;
  return parse(name, text, Time{0});
}

Time Parameters::parse(std::string_view name, const std::string& text, Time fallback) const {
  constexpr Time longest{1'000'000'000'000'000};  // 1000 s: sums of many such times stay within the range of Time
  const Time time = parse_time(text, where(name));
  if (time > longest && time != fallback)
    throw UserError(where(name), in_quotes(text) + " is more than " + to_text(longest));
  return time;
}

std::int64_t Parameters::size(std::string_view name, std::int64_t fallback_bytes, std::string_view documentation,
                              std::string_view source) const {
  return parse_size(value(name, "size", size_to_text(fallback_bytes), documentation, source), where(name));
}

double Parameters::rate(std::string_view name, double fallback_Bps, std::string_view documentation,
                        std::string_view source) const {
  return parse_rate(value(name, "rate", rate_to_text(fallback_Bps), documentation, source), where(name));
}

double Parameters::real(std::string_view name, double fallback, std::string_view documentation, std::string_view source,
                        double least, double most) const {
  const auto text = value(name, "real", real_to_text(fallback), documentation, source);
  const auto number = parse_real(text, where(name));
  if (number < least) throw UserError(where(name), in_quotes(text) + " is less than " + real_to_text(least));
  if (number > most) throw UserError(where(name), in_quotes(text) + " is more than " + real_to_text(most));
  return number;
}

bool Parameters::flag(std::string_view name, bool fallback, std::string_view documentation,
                      std::string_view source) const {
  return parse_flag(value(name, "flag", fallback ? "yes" : "no", documentation, source), where(name));
}

std::string Parameters::text(std::string_view name, std::string_view fallback, std::string_view documentation,
                             std::string_view source) const {
  return value(name, "text", std::string(fallback), documentation, source);
}

std::string Parameters::choice(std::string_view name, std::string_view fallback,
                               std::initializer_list<std::string_view> options, std::string_view documentation,
                               std::string_view source) const {
  return choice(name, fallback, std::vector<std::string>(options.begin(), options.end()), documentation, source);
}

std::string Parameters::choice(std::string_view name, std::string_view fallback,
                               const std::vector<std::string>& options, std::string_view documentation,
                               std::string_view source) const {
  const std::string documented = std::string(documentation) + " (" + listed(options) + ")";
  auto chosen = value(name, "choice", std::string(fallback), documented, source);
  if (std::find(options.begin(), options.end(), chosen) != options.end()) return chosen;
  const auto near = nearest(chosen, options);
  throw UserError(where(name), in_quotes(chosen) + " is not one of " + listed(options),
                  near.empty() ? "" : "did you mean '" + near + "'?");
}

Parameters Parameters::section(std::string_view name) const { return {*set_, join(section_, name)}; }

Parameters Parameters::heir(std::string_view name) const {
  Parameters heir = section(name);
  heir.inherits_ = section_;
  return heir;
}

std::string Parameters::key_in_force(std::string_view name) const {
  std::string own = join(section_, name);
  if (!inherits_ || set_->find(own) != nullptr) return own;
  std::string inherited = join(*inherits_, name);
  return set_->find(inherited) != nullptr ? inherited : own;
}

std::string Parameters::place(std::string_view name) const {
  const std::string key = key_in_force(name);
  const auto* given = set_->find(key);
  return given ? given->place : key;
}

std::string Parameters::read_file(std::string_view name, const std::string& path) const {
  try {
    return read_text_file(path);
  } catch (const UserError& error) {
    throw UserError(where(name), error.what(),
                    is_given(name) ? "" : "name the file with -s " + join(section_, name) + "=FILE");
  }
}

bool Parameters::is_given(std::string_view name) const { return set_->find(key_in_force(name)) != nullptr; }

std::string Parameters::where(std::string_view name) const {
  const std::string key = key_in_force(name), given_at = place(name);
  return given_at.ends_with(key)
             ? given_at
             : given_at + ": " + key;  // the place of `-s key` contains the key, that of `file:line` does not
}

}  // namespace sanvp
