#include "models/native/symbols.hpp"

#include <cxxabi.h>
#include <dwarf.h>

#include <cstdlib>
#include <string_view>
#include <utility>

namespace sanvp::native {
namespace {

/// Searches no other files of symbols, and downloads none.
int find_no_debuginfo(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word, char**) {
  return -1;
}

constexpr Dwfl_Callbacks callbacks{.find_elf = nullptr,
                                   .find_debuginfo = find_no_debuginfo,
                                   .section_address = dwfl_offline_section_address,
                                   .debuginfo_path = nullptr};

/// A place whose function is not known yet.
Place place_in(const char* path, int number) {
  if (path == nullptr || number == 0) return {};  // 0: code that the compiler added
  const std::string_view file(path);
  return {.function = {},
          .line = std::string(file.substr(file.rfind('/') + 1)) + ":" + std::to_string(number),
          .is_cxx_library = file.find("/include/c++/") != std::string_view::npos};
}

Place line_at(Dwarf_Die* unit, Dwarf_Addr code) {
  Dwarf_Line* const line = dwarf_getsrc_die(unit, code);
  int number = 0;
  if (line == nullptr || dwarf_lineno(line, &number) != 0) return {};
  return place_in(dwarf_linesrc(line, nullptr, nullptr), number);
}

/// Calls that the compiler has replaced by the function's code, the innermost first.
std::vector<Dwarf_Die> inlined_at(Dwarf_Die* unit, Dwarf_Addr code) {
  // Beyond the innermost call the scopes at an address are those of the function's source, those of a scope its
  // callers.
  Dwarf_Die* at_code = nullptr;
  Dwarf_Die* around = nullptr;
  const int found = dwarf_getscopes(unit, code, &at_code);
  const int count = found > 0 ? dwarf_getscopes_die(at_code, &around) : 0;
  std::vector<Dwarf_Die> calls;
  for (int i = 0; i < count && dwarf_tag(&around[i]) != DW_TAG_subprogram; ++i)
    if (dwarf_tag(&around[i]) == DW_TAG_inlined_subroutine) calls.push_back(around[i]);
  std::free(around);
  std::free(at_code);
  return calls;
}

std::string name_of(Dwarf_Die& function) {
  Dwarf_Attribute attribute;
  const char* const symbol = dwarf_formstring(dwarf_attr_integrate(&function, DW_AT_linkage_name, &attribute));
  const char* const name = symbol == nullptr ? dwarf_diename(&function) : symbol;
  return name == nullptr ? "?" : name;
}

Place line_of_call(Dwarf_Die* unit, Dwarf_Die& call) {
  Dwarf_Attribute attribute;
  Dwarf_Word file = 0, number = 0;
  Dwarf_Files* files = nullptr;
  if (dwarf_formudata(dwarf_attr(&call, DW_AT_call_file, &attribute), &file) != 0 ||
      dwarf_formudata(dwarf_attr(&call, DW_AT_call_line, &attribute), &number) != 0 ||
      dwarf_getsrcfiles(unit, &files, nullptr) != 0)
    return {};
  return place_in(dwarf_filesrc(files, file, nullptr, nullptr), static_cast<int>(number));
}

}  // namespace

std::string readable_function(const std::string& name) {
  if (!name.starts_with("_Z")) return name + "()";  // of C: `f` would be the type float
  int status = 0;
  char* const demangled = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string text = demangled == nullptr ? name + "()" : demangled;
  std::free(demangled);
  return text;
}

std::string Place::to_text() const { return readable_function(function) + (line.empty() ? "" : " at " + line); }

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

std::vector<Place> Symbols::places_at(std::uint64_t address) const {
  const auto found = find_function(address);
  if (found == functions_.end()) return {};
  std::vector<Place> places;
  Place outermost = add_inlined(address, places);
  outermost.function = found->second.name;
  places.push_back(std::move(outermost));
  return places;
}

/// By the units themselves: libdw refuses the whole index of addresses (.debug_aranges) if the linker has dropped the
/// first function of a unit (--gc-sections), whose entry of zeros looks like the end of the unit's part.
Place Symbols::add_inlined(std::uint64_t address, std::vector<Place>& places) const {
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = nullptr;
  while ((unit = dwfl_module_nextcu(module_, unit, &bias)) != nullptr) {
    const Dwarf_Addr code = address + this->bias() - bias;
    if (dwarf_haspc(unit, code) != 1) continue;
    Place place = line_at(unit, code);
    for (Dwarf_Die& call : inlined_at(unit, code)) {
      place.function = name_of(call);
      places.push_back(std::move(place));
      place = line_of_call(unit, call);
    }
    return place;
  }
  return {};
}

}  // namespace sanvp::native
