#include "platform/mpi_check/finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sanvp::mpi_check {
namespace {

using Json = nlohmann::ordered_json;

/// "MPI_Send() in main() at prog.c:12"
std::string text_of(const Site& site, Places& places) {
  const std::string& place = places.at(site);
  return *site.call + (place.empty() ? "" : " in " + place);
}

/// The finding's text with its calls named.
std::string text_of(const Finding& finding, Places& places) {
  std::string text;
  for (std::size_t i = 0; i < finding.text.size(); ++i) {
    const char letter = finding.text[i];
    const bool is_brace = letter == '{' || letter == '}';
    if (!is_brace) {
      text += letter;
    } else if (i + 1 < finding.text.size() && finding.text[i + 1] == letter) {  // of with_braces()
      text += letter;
      ++i;
    } else {
      text += text_of(finding.sites.at(static_cast<std::size_t>(finding.text[i + 1] - '0')), places);
      i += 2;
    }
  }
  return text;
}

/// A text without the numbers of ranks, in which findings that are one may differ.
std::string without_ranks(const std::string& text) {
  std::string left;
  for (std::size_t i = 0; i < text.size();) {
    left += text[i++];
    if (!left.ends_with("rank ") && !left.ends_with("ranks ")) continue;
    i = std::min(text.find_first_not_of("0123456789,- ", i), text.size());
  }
  return left;
}

constexpr std::size_t most_texts = 10;  // of one mistake at one place: more are counted only

}  // namespace

const char* name_of(Severity severity) {
  constexpr std::array<const char*, 3> names{"error", "warning", "note"};
  return names.at(static_cast<std::size_t>(severity));
}

std::string text_of(const std::set<int>& ranks) {
  std::string list;
  for (auto at = ranks.begin(); at != ranks.end();) {
    const int first = *at;
    int last = first;
    while (++at != ranks.end() && *at == last + 1) ++last;
    list += (list.empty() ? "" : ", ") + std::to_string(first) + (last > first ? "-" + std::to_string(last) : "");
  }
  return (ranks.size() == 1 ? "rank " : "ranks ") + list;
}

const std::string& Places::at(const Site& site) {
  const auto [known, is_new] = known_.try_emplace({site.program, site.code});
  if (!is_new || site.program == nullptr || site.code == 0) return known->second;
  auto& symbols = symbols_[*site.program];
  if (!symbols) symbols = std::make_unique<native::Symbols>(*site.program);
  for (native::Place& place : symbols->places_at(site.code - 1)) {  // within the call
    constexpr std::string_view own_prefix = "sanvp_";               // of libraries (scripts/own_names.py)
    if (place.function.starts_with(own_prefix)) place.function.erase(0, own_prefix.size());
    known->second += (known->second.empty() ? "" : " < ") + place.to_text();
  }
  return known->second;
}

std::string with_braces(const std::string& text) {
  std::string all;
  for (const char letter : text) all.append(letter == '{' || letter == '}' ? 2 : 1, letter);
  return all;
}

void Findings::add(Finding finding) {
  std::string key = fmt::format("{} {}", name_of(finding.severity), finding.kind);
  for (const Site& site : finding.sites) key += fmt::format("|{}|{}", fmt::ptr(site.call), site.code);
  const int rank = finding.sites.empty() ? -1 : finding.sites.front().rank;
  auto& texts = by_key_[key];
  const std::string text = without_ranks(finding.text);
  auto same = texts.find(text);
  const bool is_other = same == texts.end() && texts.size() == most_texts;
  if (same == texts.end() && !is_other) {
    found_.push_back(std::make_unique<Folded>(Folded{.first = std::move(finding), .ranks = {}}));
    same = texts.emplace(text, found_.back().get()).first;
  }
  Folded* const known = is_other ? texts.begin()->second : same->second;
  known->others += is_other ? 1 : 0;
  known->ranks.insert(rank);
  ++known->times;
}

bool Findings::has(Severity severity) const {
  return std::any_of(found_.begin(), found_.end(), [&](const auto& one) { return one->first.severity == severity; });
}

bool Findings::has(const std::string& kind) const {
  return std::any_of(found_.begin(), found_.end(), [&](const auto& one) { return one->first.kind == kind; });
}

bool Findings::names(const Site& site) const {
  return std::any_of(found_.begin(), found_.end(), [&](const auto& one) {
    const auto& sites = one->first.sites;
    return one->first.kind != "call refused" &&
           std::any_of(sites.begin(), sites.end(), [&](const Site& other) { return other.place() == site.place(); });
  });
}

std::vector<const Findings::Folded*> Findings::in_order() const {
  std::vector<const Folded*> all;
  for (const auto& one : found_) all.push_back(one.get());
  std::stable_sort(all.begin(), all.end(),
                   [](const Folded* a, const Folded* b) { return a->first.severity < b->first.severity; });
  return all;
}

std::vector<std::pair<Severity, std::string>> Findings::lines(Places& places, const std::string& job) const {
  std::vector<std::pair<Severity, std::string>> lines;
  for (const Folded* one : in_order()) {
    std::string more = one->times > one->ranks.size() ? fmt::format(" ({} times)", one->times) : "";
    if (one->others > 0) more += fmt::format(" ({} of them with other data)", one->others);
    lines.emplace_back(one->first.severity, fmt::format("{}{}: {}: {}{}{}", job, one->first.kind, text_of(one->ranks),
                                                        text_of(one->first, places), more,
                                                        one->first.cure.empty() ? "" : "; " + one->first.cure));
  }
  return lines;
}

Json Findings::to_json(Places& places, int job) const {
  Json all = Json::array();
  for (const Folded* one : in_order()) {
    Json calls = Json::array();
    for (const Site& site : one->first.sites)
      calls.push_back({{"rank", site.rank}, {"call", *site.call}, {"place", places.at(site)}});
    all.push_back({{"severity", name_of(one->first.severity)},
                   {"kind", one->first.kind},
                   {"job", job},
                   {"ranks", one->ranks},
                   {"times", one->times},
                   {"calls", calls},
                   {"text", text_of(one->first, places)},
                   {"cure", one->first.cure}});
  }
  return all;
}

std::vector<std::string> Findings::columns() {
  return {"severity", "kind", "job", "ranks", "times", "call", "place", "text", "cure"};
}

void Findings::add_to(Table& table, Places& places, int job) const {
  for (const Folded* one : in_order()) {
    const Site& site = one->first.sites.front();
    table.add({std::string(name_of(one->first.severity)), one->first.kind, static_cast<std::int64_t>(job),
               text_of(one->ranks), static_cast<std::int64_t>(one->times), *site.call, places.at(site),
               text_of(one->first, places), one->first.cure});
  }
}

}  // namespace sanvp::mpi_check
