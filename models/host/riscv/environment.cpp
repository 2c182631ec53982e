#include "models/host/riscv/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

namespace sanvp::host {
namespace {

/// Variables of libgomp and libgfortran, which read them before `main`.
constexpr std::array<std::string_view, 3> prefixes{"OMP_", "GOMP_", "GFORTRAN_"};

/// The prefix of a runtime library's variable; empty for another variable.
std::string_view prefix_of(std::string_view name) {
  const auto* const found =
      std::find_if(prefixes.begin(), prefixes.end(), [&](auto prefix) { return name.starts_with(prefix); });
  return found == prefixes.end() ? std::string_view{} : *found;
}

/// Whether a program has a text, with the character that ends it.
bool has_text(const std::string& program, std::string_view text) {
  return program.find(std::string(text) + '\0') != std::string::npos;
}

/// Whether a program names a variable: libgomp since GCC 13 has prefix and name apart.
bool may_read(const std::string& program, std::string_view name) {
  const std::string_view prefix = prefix_of(name);
  const std::string rest = '\0' + std::string(name.substr(prefix.size()));
  return has_text(program, name) || (has_text(program, prefix) && has_text(program, rest));
}

std::string_view name_of(std::string_view variable) { return variable.substr(0, variable.find('=')); }

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::vector<std::string> environment_of(const std::string& program, const std::string& named) {
  std::vector<std::string> variables;
  std::istringstream words(named);
  for (std::string word; std::getline(words, word, ',');) {
    const char* const value = word.find('=') == std::string::npos ? std::getenv(word.c_str()) : nullptr;
    if (value != nullptr) word += std::string("=") + value;
    if (word.find('=') != std::string::npos) variables.push_back(word);
  }
  std::vector<std::string> found;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    if (!prefix_of(*variable).empty()) found.emplace_back(*variable);
  if (found.empty()) return variables;
  std::sort(found.begin(), found.end());  // in whatever order a shell hands them over
  const std::string code = contents_of(program);
  for (const std::string& variable : found) {
    const std::string name(name_of(variable));
    const bool is_named = std::any_of(variables.begin(), variables.end(),
                                      [&](const std::string& other) { return name_of(other) == name; });
    if (!is_named && may_read(code, name)) variables.push_back(variable);
  }
  return variables;
}

}  // namespace sanvp::host
