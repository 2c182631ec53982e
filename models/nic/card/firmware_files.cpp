#include "models/nic/card/firmware_files.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>

#include "models/native/image.hpp"
#include "platform/core/elf_file.hpp"
#include "platform/core/error.hpp"
#include "platform/core/lists.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/text.hpp"

namespace sanvp::nic {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view suffix = ".so";

/// What programs of the cards that come with sanvp begin with, to tell the user which card a file is for.
struct Kind {
  const char* main;
  const char* card;
};
constexpr std::array kinds{Kind{"elan3_thread_main", "elan3"}, Kind{"lanai_main", "lanai"}};

/// Whether a shared object for x86-64 defines the function for others. Images are that on all computers.
bool exports(const ElfFile& file, std::string_view function) {
  const std::span<const char> symbols = file.section(".dynsym").bytes, names = file.section(".dynstr").bytes;
  for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol{};
    std::memcpy(&symbol, &symbols[at], sizeof symbol);
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= names.size()) continue;
    const std::string_view rest(&names[symbol.st_name], names.size() - symbol.st_name);
    if (rest.substr(0, rest.find('\0')) == function) return true;
  }
  return false;
}

void require_firmware(const std::string& path, const std::string& place, const std::string& main) {
  const std::string name = in_quotes(path);
  const std::string compile = "`" + own_program("sanvp-cc") + " --firmware NAME.c -o NAME.so` makes firmware";
  std::error_code refused;
  if (!fs::is_regular_file(path, refused))
    throw UserError(place, fs::is_directory(path, refused) ? name + " is a folder" : "there is no file " + name,
                    "give files with commas between them; " + compile);
  if (!path.ends_with(suffix))
    throw UserError(place, name + " does not end in .so", "a program's name is that of its file; " + compile);
  const ElfFile file(path);
  if (exports(file, main)) return;
  for (const Kind& kind : kinds)
    if (exports(file, kind.main))
      throw UserError(place, name + " is firmware for card " + kind.card, "this card's begins with " + main);
  throw UserError(place, name + " is not firmware for this card: it has no function " + main, compile);
}

}  // namespace

FirmwareFiles FirmwareFiles::read(const Parameters& parameters, const std::string& main) {
  const std::string text = parameters.text(
      "firmware", "",
      "files of programs for the card's processor, such as tport.so, with commas between them: each replaces sanvp's "
      "own of that name",
      "yours; docs/your-own-firmware.md");
  FirmwareFiles files;
  for (const std::string_view one : between_commas(text)) {
    const std::string path(one), place = parameters.place("firmware");
    require_firmware(path, place, main);
    const std::string name = fs::path(path).stem().string();
    if (files.contains(name))
      throw UserError(place, "two files are the program " + in_quotes(name), "give one of them");
    files.given_.push_back({name, fs::absolute(path).string(), path});
  }
  return files;
}

const FirmwareProgram* FirmwareFiles::find(const std::string& name) const {
  const auto found = std::ranges::find(given_, name, &FirmwareProgram::name);
  return found != given_.end() ? &*found : nullptr;
}

std::string FirmwareFiles::path(const std::string& folder, const std::string& name) const {
  const FirmwareProgram* const own = find(name);
  return own != nullptr ? own->path : folder + "/" + name + std::string(suffix);
}

void require_firmware_version(const native::Image& image, const char* symbol, std::uint32_t version) {
  const auto* const found = static_cast<const std::uint32_t*>(image.symbol(symbol));
  if (found == nullptr || *found != version)
    throw UserError(image.path(), "was compiled for another version of sanvp",
                    "compile it again with " + own_program("sanvp-cc") + " --firmware");
}

}  // namespace sanvp::nic
