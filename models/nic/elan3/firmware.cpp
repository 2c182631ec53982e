#include "models/nic/elan3/firmware.hpp"

#include <filesystem>

#include "models/native/image.hpp"

namespace sanvp::nic::elan3 {

Firmware::Firmware(std::string folder) : folder_(std::move(folder)) {}
Firmware::~Firmware() = default;

int Firmware::load(const std::string& name, const elan3_firmware_host& calls) {
  for (std::size_t i = 0; i < loaded_.size(); ++i)
    if (loaded_[i].name == name) return static_cast<int>(i) + 1;
  const std::string path = folder_ + "/" + name + ".so";
  if (!std::filesystem::exists(path)) return -1;
  auto image = std::make_unique<native::Image>(path);
  Program& program = image->required<Program>("elan3_thread_main");
  image->required<void(const elan3_firmware_host*)>("elan3_thread_attach")(&calls);
  loaded_.push_back({name, std::move(image), &program});
  return static_cast<int>(loaded_.size());
}

Firmware::Program* Firmware::find(std::uint32_t number) const {
  return number >= 1 && number <= loaded_.size() ? loaded_[number - 1].program : nullptr;
}

}  // namespace sanvp::nic::elan3
