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
bool is_of_a_runtime(std::string_view name) {
  constexpr std::array<std::string_view, 3> prefixes{"OMP_", "GOMP_", "GFORTRAN_"};
  return std::any_of(prefixes.begin(), prefixes.end(), [&](auto prefix) { return name.starts_with(prefix); });
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
    if (is_of_a_runtime(*variable)) found.emplace_back(*variable);
  if (found.empty()) return variables;
  std::sort(found.begin(), found.end());  // in whatever order a shell hands them over
  const std::string code = contents_of(program);
  for (const std::string& variable : found) {
    const std::string name(name_of(variable));
    const bool is_named = std::any_of(variables.begin(), variables.end(),
                                      [&](const std::string& other) { return name_of(other) == name; });
    if (!is_named && code.find(name.c_str(), 0, name.size() + 1) != std::string::npos) variables.push_back(variable);
  }
  return variables;
}

}  // namespace sanvp::host
