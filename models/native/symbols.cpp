#include "models/native/symbols.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <string_view>

namespace sanvp::native {
namespace {

/// No search for files of symbols elsewhere, and no download of them.
int find_no_debuginfo(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word, char**) {
  return -1;
}

constexpr Dwfl_Callbacks callbacks{.find_elf = nullptr,
                                   .find_debuginfo = find_no_debuginfo,
                                   .section_address = dwfl_offline_section_address,
                                   .debuginfo_path = nullptr};

}  // namespace

std::string readable_function(const std::string& name) {
  if (!name.starts_with("_Z")) return name + "()";  // of C: `f` would be the type float
  int status = 0;
  char* const demangled = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string text = demangled == nullptr ? name + "()" : demangled;
  std::free(demangled);
  return text;
}

Symbols::Symbols(const std::string& path) : session_(dwfl_begin(&callbacks)) {
  dwfl_report_begin(session_);
  module_ = dwfl_report_offline(session_, path.c_str(), path.c_str(), -1);
  dwfl_report_end(session_, nullptr, nullptr);
  if (module_ != nullptr) read_functions();
}

Symbols::~Symbols() { dwfl_end(session_); }

void Symbols::read_functions() {
  const int count = dwfl_module_getsymtab(module_);
  for (int i = 1; i < count; ++i) {  // symbol 0 is none
    GElf_Sym symbol{};
    GElf_Addr address = 0;
    const char* const found = dwfl_module_getsym_info(module_, i, &symbol, &address, nullptr, nullptr, nullptr);
    if (found == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0) continue;
    const std::string_view name(found);
    // Without what the compiler adds: "spin.constprop.0".
    functions_.try_emplace(symbol.st_value,
                           Function{symbol.st_value + symbol.st_size, std::string(name.substr(0, name.find('.')))});
  }
}

Symbols::Functions::const_iterator Symbols::find_function(std::uint64_t address) const {
  const auto after = functions_.upper_bound(address);
  if (after == functions_.begin() || address >= std::prev(after)->second.end) return functions_.end();
  return std::prev(after);
}

std::string Symbols::function_at(std::uint64_t address) const {
  const auto found = find_function(address);
  return found == functions_.end() ? std::string() : found->second.name;
}

std::optional<std::uint64_t> Symbols::function_begin(std::uint64_t address) const {
  const auto found = find_function(address);
  return found == functions_.end() ? std::nullopt : std::optional(found->first);
}

std::uint64_t Symbols::bias() const {
  GElf_Addr bias = 0;
  if (module_ != nullptr) dwfl_module_getelf(module_, &bias);
  return bias;
}

/// By the units themselves: libdw refuses the whole index of addresses (.debug_aranges) where the linker has dropped
/// the first function of a unit (--gc-sections), whose entry of zeros looks like the end of the unit's part.
Dwarf_Line* Symbols::find_line(std::uint64_t address) const {
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = nullptr;
  while ((unit = dwfl_module_nextcu(module_, unit, &bias)) != nullptr) {
    const Dwarf_Addr code = address + this->bias() - bias;
    if (dwarf_haspc(unit, code) == 1) return dwarf_getsrc_die(unit, code);
  }
  return nullptr;
}

std::string Symbols::line_at(std::uint64_t address) const {
  if (module_ == nullptr) return {};
  Dwarf_Line* const line = find_line(address);
  int number = 0;
  if (line == nullptr || dwarf_lineno(line, &number) != 0) return {};
  const char* const found = dwarf_linesrc(line, nullptr, nullptr);
  if (found == nullptr || number == 0) return {};  // 0: code that the compiler added
  const std::string_view file(found);
  return std::string(file.substr(file.rfind('/') + 1)) + ":" + std::to_string(number);
}

}  // namespace sanvp::native
