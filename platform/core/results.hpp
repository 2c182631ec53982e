/// A run's result folder (docs/result-folder.md): manifest.json, stats.csv and series as CSV. Every file is written
/// whole and renamed into place, numbers are the shortest text that reads back to the same value, and rows keep their
/// order, so that equal runs write equal files.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "platform/core/files.hpp"
#include "platform/core/statistics.hpp"
#include "platform/core/time.hpp"

namespace sanvp {
class ParameterSet;

/// A cell of a table. Not-a-number and infinity give an empty cell.
using Cell = std::variant<std::int64_t, double, std::string>;

/// A CSV file (RFC 4180) with one heading row; a heading includes the unit: "latency_ns".
class Table {
 public:
  explicit Table(const std::vector<std::string>& columns);
  /// Throws std::invalid_argument unless there is one cell per column.
  void add(const std::vector<Cell>& row);
  const std::string& csv() const { return csv_; }

 private:
  std::size_t width_;
  std::string csv_;
};

/// `stats.csv`: path,name,unit,value.
class StatisticsTable {
 public:
  void add(const std::string& path, const std::string& name, const std::string& unit, const Cell& value);
  /// count, mean, p50, p95, p99, min and max, as `name.mean` and so on, in `unit`; `per_unit` samples are one unit
  /// (1000 if samples are in ps and the unit is ns).
  void add(const std::string& path, const std::string& name, const std::string& unit, const Distribution& distribution,
           double per_unit = 1);
  const Table& table() const { return table_; }

 private:
  Table table_{{"path", "name", "unit", "value"}};
};

/// A distribution's bins as a table: from and to (inclusive), both in `unit`, and count.
Table histogram_table(const Distribution& distribution, const std::string& unit, double per_unit = 1);

/// Identification and outcome of a run.
struct Manifest {
  std::vector<std::string> command;  ///< the arguments as given
  std::uint64_t seed = 0;
  std::map<std::string, std::string> versions;  ///< "sanvp", "systemc", "compiler"
  std::string status = "running";  ///< later "done", "deadlock" or "failed"; stays if the program was killed
  std::string message{};           ///< cause of a failure
  double wall_seconds = 0;
  Time simulated{0};
};

class ResultFolder {
 public:
  /// Creates the folder if it does not exist. Throws UserError if it is not writable, before the run instead of
  /// after it.
  explicit ResultFolder(std::string path);

  /// manifest.json; call it before the run and again after it.
  void write(const Manifest& manifest, const ParameterSet& parameters) const;
  /// stats.csv
  void write(const StatisticsTable& statistics) const;
  /// NAME.csv. Throws std::invalid_argument unless `name` is letters, digits, `_` and `-`.
  void write(const std::string& name, const Table& series) const;

  /// A file of this name.
  void write_text(const std::string& name, const std::string& contents) const;

 private:
  std::string path_;
  std::shared_ptr<const OutputFolder> folder_;
};

}  // namespace sanvp
