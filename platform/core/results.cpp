#include "platform/core/results.hpp"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp {
namespace {

using Json = nlohmann::ordered_json;

std::string escaped(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

struct CellText {
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return std::isfinite(number) ? real_to_text(number) : ""; }
  std::string operator()(const std::string& text) const { return escaped(text); }
};

std::string csv_line(const std::vector<Cell>& cells) {
  std::string line;
  for (const auto& cell : cells) line += std::visit(CellText{}, cell) + ",";
  line.back() = '\n';
  return line;
}

Json described(const ParameterSet& parameters) {
  Json all = Json::object();
  for (const auto& [key, declared] : parameters.declared())
    all[key] = {{"value", declared.value}, {"kind", declared.kind}, {"place", declared.place}};
  return all;
}

/// A file name or value may contain bytes that are not UTF-8; a manifest with a replacement character is better than
/// none.
std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

Table::Table(const std::vector<std::string>& columns) : width_(columns.size()) {
  if (columns.empty()) throw std::invalid_argument("a Table has at least one column");
  csv_ = csv_line({columns.begin(), columns.end()});
}

void Table::add(const std::vector<Cell>& row) {
  if (row.size() != width_) throw std::invalid_argument("a row of a Table has as many cells as there are columns");
  csv_ += csv_line(row);
}

void StatisticsTable::add(const std::string& path, const std::string& name, const std::string& unit,
                          const Cell& value) {
  table_.add({path, name, unit, value});
}

void StatisticsTable::add(const std::string& path, const std::string& name, const std::string& unit,
                          const Distribution& distribution, double per_unit) {
  add(path, name + ".count", "1", static_cast<std::int64_t>(distribution.count()));
  if (distribution.count() == 0) return;
  const auto scaled = [per_unit](std::int64_t value) { return static_cast<double>(value) / per_unit; };
  add(path, name + ".mean", unit, distribution.mean() / per_unit);
  for (const int percent : {50, 95, 99})
    add(path, name + ".p" + std::to_string(percent), unit, scaled(distribution.percentile(percent)));
  add(path, name + ".min", unit, scaled(distribution.least()));
  add(path, name + ".max", unit, scaled(distribution.most()));
}

Table histogram_table(const Distribution& distribution, const std::string& unit, double per_unit) {
  Table table({"from_" + unit, "to_" + unit, "count"});
  for (const auto& bin : distribution.histogram())
    table.add({static_cast<double>(bin.from) / per_unit, static_cast<double>(bin.to) / per_unit,
               static_cast<std::int64_t>(bin.count)});
  return table;
}

ResultFolder::ResultFolder(std::string path) : path_(std::move(path)) {
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  if (error) throw UserError(path_, "cannot be created: " + error.message(), "name another folder with --out");
  const std::string probe = ".writable";
  folder_ = std::make_shared<const OutputFolder>(path_, path_);
  write_text(probe, {});
  std::filesystem::remove(path_ + "/" + probe, error);
}

void ResultFolder::write_text(const std::string& name, const std::string& contents) const {
  folder_->write(name, contents, path_ + "/" + name);
}

void ResultFolder::write(const Manifest& manifest, const ParameterSet& parameters) const {
  Json json = {{"status", manifest.status}};
  if (!manifest.message.empty()) json["message"] = manifest.message;
  json.update(Json{{"command", manifest.command},
                   {"seed", manifest.seed},
                   {"versions", manifest.versions},
                   {"wall_seconds", manifest.wall_seconds},
                   {"sim_time_ns", in_ns(manifest.simulated)},
                   {"parameters", described(parameters)}});
  write_text("manifest.json", dumped(json));
}

void ResultFolder::write(const StatisticsTable& statistics) const { write("stats", statistics.table()); }

void ResultFolder::write(const std::string& name, const Table& series) const {
  constexpr auto good = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  if (name.empty() || name.find_first_not_of(good) != std::string::npos)
    throw std::invalid_argument("'" + name + "' cannot name a series");
  write_text(name + ".csv", series.csv());
}

}  // namespace sanvp
