/// Programs for the thread processor: images that the driver has loaded, by number.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "models/native/cycle_meter.hpp"
#include "models/nic/card/firmware_files.hpp"
#include "sw/abi/hal/firmware_host.h"
#include "sw/abi/registers/elan3.h"

namespace sanvp::nic::elan3 {

class Firmware {
 public:
  struct Program {
    std::string name;
    std::unique_ptr<native::Image> image;
    native::Function<void(const e3_thread*, e3_addr)> main;
    mutable native::CycleMeter meter{};  ///< cycles of its threads
  };

  static constexpr const char* entry = "elan3_thread_main";

  /// @param folder  shared objects NAME.so
  /// @param files   the user's, which go before them
  Firmware(std::string folder, FirmwareFiles files, std::shared_ptr<native::Loader> loader)
      : folder_(std::move(folder)), files_(std::move(files)), loader_(std::move(loader)) {}

  /// @param calls  the table passed to the program; outlives this object
  /// @return the same number each time, from 1; -1 if there is no such file. Throws UserError if it is not
  /// firmware.
  int load(const std::string& name, const elan3_firmware_host& calls);
  const FirmwareFiles& files() const { return files_; }
  std::vector<FirmwareProgram> loaded() const;
  /// Null if no program has that number. The address is stable.
  const Program* find(std::uint32_t number) const {
    return number >= 1 && number <= loaded_.size() ? &loaded_[number - 1] : nullptr;
  }

 private:
  std::string folder_;
  FirmwareFiles files_;
  std::shared_ptr<native::Loader> loader_;
  std::deque<Program> loaded_;
};

}  // namespace sanvp::nic::elan3
