#include "platform/jobs/told_settings.hpp"

#include <filesystem>

#include "platform/core/parameters.hpp"
#include "platform/jobs/apps.hpp"
#include "platform/jobs/setting_values.hpp"

namespace sanvp::jobs {
namespace {

namespace fs = std::filesystem;

}  // namespace

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
