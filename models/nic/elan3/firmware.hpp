/// Programs for the thread processor: images that the driver has had loaded, by number.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/nic/elan3/registers.h"
#include "sw/hal/firmware_host.h"

namespace sanvp::native {
class Image;
}

namespace sanvp::nic::elan3 {

class Firmware {
 public:
  using Program = void(const e3_thread*, e3_addr);

  /// @param folder  shared objects NAME.so
  explicit Firmware(std::string folder);
  ~Firmware();
  Firmware(const Firmware&) = delete;
  Firmware& operator=(const Firmware&) = delete;

  /// @param calls  what the program is given; outlives this object
  /// @return the same number each time, from 1; -1 where there is no such file. Throws UserError where it is no
  /// firmware.
  int load(const std::string& name, const elan3_firmware_host& calls);
  /// Null where there is no such number.
  Program* find(std::uint32_t number) const;

 private:
  struct Loaded {
    std::string name;
    std::unique_ptr<native::Image> image;
    Program* program = nullptr;
  };
  std::string folder_;
  std::vector<Loaded> loaded_;
};

}  // namespace sanvp::nic::elan3
