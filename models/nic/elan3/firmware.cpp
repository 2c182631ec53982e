#include "models/nic/elan3/firmware.hpp"

#include <algorithm>
#include <filesystem>

namespace sanvp::nic::elan3 {
namespace {

/// Programs name firmware, and must not load other code of this computer with it: only the files of the software's
/// folder, which contains the firmware's.
bool is_within(const std::filesystem::path& folder, const std::filesystem::path& file) {
  const auto root = std::filesystem::weakly_canonical(folder).parent_path(),
             found = std::filesystem::weakly_canonical(file);
  return std::mismatch(root.begin(), root.end(), found.begin(), found.end()).first == root.end();
}

}  // namespace

int Firmware::load(const std::string& name, const elan3_firmware_host& calls) {
  for (std::size_t i = 0; i < loaded_.size(); ++i)
    if (loaded_[i].name == name) return static_cast<int>(i) + 1;
  const std::string path = files_.path(folder_, name);
  if (!files_.contains(name) && (!std::filesystem::exists(path) || !is_within(folder_, path))) return -1;
  auto image = std::make_unique<native::Image>(path, *loader_);
  const auto main = image->required<void(const e3_thread*, e3_addr)>(entry);
  require_firmware_version(*image, "sanvp_elan3_firmware_version", ELAN3_FIRMWARE_ABI_VERSION);
  image->required<void(const elan3_firmware_host*)>("sanvp_elan3_thread_attach")(&calls);
  const native::CycleMeter meter(*image);
  loaded_.push_back({name, std::move(image), main, meter});
  return static_cast<int>(loaded_.size());
}

std::vector<FirmwareProgram> Firmware::loaded() const {
  std::vector<FirmwareProgram> all;
  for (const Program& program : loaded_) all.push_back({program.name, program.image->path()});
  return all;
}

}  // namespace sanvp::nic::elan3
