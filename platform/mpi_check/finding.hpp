/// What the checker of MPI's calls has found: one finding for all ranks and repetitions of the same mistake at the same
/// places of the program.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "models/native/symbols.hpp"
#include "platform/core/results.hpp"

namespace sanvp::mpi_check {

/// A mistake, by the standard; something that costs or surprises; something to know.
enum class Severity { error, warning, note };
const char* name_of(Severity severity);

/// A call of a rank, and where the program makes it.
struct Site {
  int rank = -1;                         ///< in MPI_COMM_WORLD
  const std::string* call = nullptr;     ///< its name; outlives the checker's job
  const std::string* program = nullptr;  ///< path
  std::uint64_t code = 0;                ///< address in that file, behind the call

  auto place() const { return std::tuple(call, program, code); }
};

struct Finding {
  Severity severity = Severity::error;
  std::string kind;         ///< such as "type mismatch"
  std::vector<Site> sites;  ///< the first is the rank that it is about
  std::string text;         ///< "{0}" is the call of the first site and its place, "{1}" that of the second ...;
                            ///< what the program names: with_braces()
  std::string cure;
};

/// Lines of source by address.
class Places {
 public:
  /// "main() at prog.c:12"; empty where that is not known.
  const std::string& at(const Site& site);

 private:
  std::map<std::string, std::unique_ptr<native::Symbols>> symbols_;
  std::map<std::pair<const std::string*, std::uint64_t>, std::string> known_;
};

class Findings {
 public:
  void add(Finding finding);
  bool has(Severity severity) const;
  bool has(const std::string& kind) const;
  /// Whether one is about a call at this place, of whichever rank.
  bool names(const Site& site) const;
  bool empty() const { return found_.empty(); }
  /// A line for each, errors first, such as "type mismatch: rank 0: ...; cure". @param job  prefix where there are
  /// several
  std::vector<std::pair<Severity, std::string>> lines(Places& places, const std::string& job) const;
  nlohmann::ordered_json to_json(Places& places, int job) const;
  void add_to(Table& table, Places& places, int job) const;
  static std::vector<std::string> columns();

 private:
  struct Folded {
    Finding first;
    std::set<int> ranks;
    std::uint64_t times = 0;
    std::uint64_t others = 0;  ///< of them, whose text is another
  };
  std::vector<const Folded*> in_order() const;

  std::vector<std::unique_ptr<Folded>> found_;
  std::map<std::string, std::map<std::string, Folded*>> by_key_;  ///< then by text
};

/// A text that is not the checker's own, as a part of a finding's text.
std::string with_braces(const std::string& text);
/// "rank 3", "ranks 0, 3-7".
std::string text_of(const std::set<int>& ranks);

}  // namespace sanvp::mpi_check
