/// A run's result folder (docs/result-folder.md): manifest.json, stats.csv and series as CSV. Every file is written
/// whole and renamed into place, numbers are the shortest text that reads back to the same value, and rows keep their
/// order, so that equal runs leave equal files.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "platform/core/parameters.hpp"
#include "platform/core/statistics.hpp"
#include "platform/core/time.hpp"

namespace sanvp {

/// A cell of a table. Not-a-number and infinity leave the cell empty.
using Cell = std::variant<std::int64_t, double, std::string>;

/// A CSV file (RFC 4180) with one heading row; a heading bears its unit: "latency_ns".
class Table {
 public:
  explicit Table(const std::vector<std::string>& columns);
  /// Throws std::invalid_argument where the number of cells is not that of the columns.
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
  /// count, mean, p50, p95, p99, min and max, as `name.mean` and so on, each in `unit`, of which one is `per_unit`
  /// samples (1000, where samples are in ps and the unit is ns).
  void add(const std::string& path, const std::string& name, const std::string& unit, const Distribution& distribution,
           double per_unit = 1);
  const Table& table() const { return table_; }

 private:
  Table table_{{"path", "name", "unit", "value"}};
};

/// A distribution's bins as a table: from, to (inclusive), both in `unit`; count.
Table histogram_table(const Distribution& distribution, const std::string& unit, double per_unit = 1);

/// What identifies a run and how it went.
struct Manifest {
  std::vector<std::string> command;  ///< the arguments as given
  std::uint64_t seed = 0;
  std::map<std::string, std::string> versions;  ///< "sanvp", "systemc", "compiler"
  std::string status = "running";               ///< then "done", "deadlock", "failed"; for ever: the program was killed
  std::string message{};                        ///< why it failed
  double wall_seconds = 0;
  Time simulated{0};
};

class ResultFolder {
 public:
  /// Creates the folder where it is absent. Throws UserError where nothing can be written into it: before the run, not
  /// after.
  explicit ResultFolder(std::string path);

  /// manifest.json; call it before the run and again after it.
  void write(const Manifest& manifest, const ParameterSet& parameters) const;
  /// stats.csv
  void write(const StatisticsTable& statistics) const;
  /// NAME.csv. Throws std::invalid_argument unless `name` is letters, digits, `_` and `-`.
  void write(const std::string& name, const Table& series) const;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace sanvp
