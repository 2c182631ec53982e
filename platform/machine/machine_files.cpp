/// Finds machine files by name.
#include <algorithm>
#include <cctype>
#include <filesystem>

#include "platform/core/error.hpp"
#include "platform/core/own_files.hpp"
#include "platform/core/text.hpp"
#include "platform/machine/machine.hpp"

namespace sanvp {
namespace {

namespace fs = std::filesystem;

constexpr const char* extension = ".ini";

/// Orders qsnet-64 before qsnet-1024: digits compare as numbers.
bool comes_before(const std::string& a, const std::string& b) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const auto end = [&](const std::string& text, std::size_t from) {
        while (from < text.size() && is_digit(text[from])) ++from;
        return from;
      };
      const std::string one = a.substr(i, end(a, i) - i), other = b.substr(j, end(b, j) - j);
      if (one.size() != other.size()) return one.size() < other.size();
      if (one != other) return one < other;
      i += one.size();
      j += other.size();
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

}  // namespace

std::string machine_folder() { return own_folder("machines"); }

std::vector<std::string> machine_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(machine_folder(), error))
    if (entry.is_regular_file() && entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  if (error)
    throw UserError(machine_folder(), "the machine files are not there (" + error.message() + ")",
                    "install the program with its files, or name a machine file by its path");
  std::sort(names.begin(), names.end(), comes_before);
  return names;
}

std::string find_machine_file(const std::string& name) {
  if (name.ends_with(extension) || name.find('/') != std::string::npos) return name;
  const std::vector<std::string> names = machine_names();
  if (std::find(names.begin(), names.end(), name) != names.end())
    return (fs::path(machine_folder()) / (name + extension)).string();
  const std::string near = nearest(name, names);
  throw UserError("machine", "there is no machine " + in_quotes(name),
                  near.empty() ? "`sanvp list machines` names all; a machine file of your own is given by its path"
                               : "did you mean '" + near + "'?");
}

}  // namespace sanvp
