/// Source positions of an ELF file's code, by libdw: functions by the file's symbols, static ones included, and lines
/// by DWARF (-g). The file is a shared object of this computer, or a program for any other that libdw knows.
#pragma once

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sanvp::native {

/// A symbol's name as its language writes the function: "solve()", "Grid::solve(int)".
std::string readable_function(const std::string& name);

/// A function that is open at an address, and the line where it is.
struct Place {
  std::string function;         ///< of the symbol, such as "_ZN4Grid5solveEi"
  std::string line{};           ///< such as "prog.c:12", without folders; empty if that is not known
  bool is_cxx_library = false;  ///< the line is in a header of C++'s own library

  /// "Grid::solve(int) at grid.cpp:12", "memcpy()".
  std::string to_text() const;
};

/// Addresses are those of the file.
class Symbols {
 public:
  /// If the file cannot be read, it has no symbols.
  explicit Symbols(const std::string& path);
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  /// The function around `address`; empty if that is not known.
  std::string function_at(std::uint64_t address) const;
  /// Its first address.
  std::optional<std::uint64_t> function_begin(std::uint64_t address) const;
  /// The function around `address`, after those that are inlined there, each before its caller. None if the
  /// function is not known.
  std::vector<Place> places_at(std::uint64_t address) const;
  /// For other uses of libdw; the file is its only module. The file's own addresses are theirs less `bias`.
  Dwfl* session() const { return session_; }
  std::uint64_t bias() const;

 private:
  struct Function {
    std::uint64_t end;
    std::string name;
  };

  using Functions = std::map<std::uint64_t, Function>;

  void read_functions();
  Functions::const_iterator find_function(std::uint64_t address) const;
  /// Adds what is inlined at `address`. @returns the function into which it is, without its name
  Place add_inlined(std::uint64_t address, std::vector<Place>& places) const;

  Dwfl* session_ = nullptr;
  Dwfl_Module* module_ = nullptr;  ///< the file; the session's. Null: it cannot be read
  Functions functions_;            ///< by their first address
};

}  // namespace sanvp::native
