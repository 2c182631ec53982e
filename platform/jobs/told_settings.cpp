#include "platform/jobs/told_settings.hpp"

#include <algorithm>
#include <filesystem>

#include "platform/core/elf_file.hpp"
#include "platform/core/parameters.hpp"
#include "platform/jobs/apps.hpp"

namespace sanvp::jobs {
namespace {

namespace fs = std::filesystem;

/// Text up to the next end of line, which is taken off `rest`.
std::string take_line(std::string& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  std::string line = rest.substr(0, end);
  rest.erase(0, end + 1);
  return line;
}

ParameterSet::Declared read(std::string text) {
  std::erase(text, '"');  // names of algorithms are told as they are written in C
  ParameterSet::Declared setting{};
  setting.kind = "text";
  setting.place = "default";
  setting.key = take_line(text);
  setting.value = setting.fallback = take_line(text);
  setting.documentation = take_line(text);
  setting.source = take_line(text);
  return setting;
}

}  // namespace

std::vector<ParameterSet::Declared> settings_told_by(const std::string& image) {
  std::vector<ParameterSet::Declared> told;
  for (const std::string& text : ElfFile(image).texts(".sanvp.settings")) told.push_back(read(text));
  return told;
}

ParameterSet told_settings() {
  ParameterSet told;
  std::error_code absent;
  for (const fs::path& folder : {fs::path(software_folder()), fs::path(software_folder()) / "apps"})
    for (const auto& entry : fs::directory_iterator(folder, absent))
      if (entry.path().extension() == ".so")
        for (const ParameterSet::Declared& setting : settings_told_by(entry.path().string())) told.declare(setting);
  return told;
}

}  // namespace sanvp::jobs
