/// Programs for a card's own processor that the user brings (key `firmware`), in place of sanvp's own or beside them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::native {
class Image;
}  // namespace sanvp::native

namespace sanvp::nic {

struct FirmwareProgram {
  std::string name;  ///< by which drivers and libraries ask for it: that of the file, without .so
  std::string path;
  std::string given{};  ///< as the user wrote it
};

class FirmwareFiles {
 public:
  /// Reads key `firmware`. Throws UserError for a file that does not exist, or is not firmware for this card.
  /// @param main  the function with which programs of the card's processor begin
  static FirmwareFiles read(const Parameters& parameters, const std::string& main);

  const std::vector<FirmwareProgram>& given() const { return given_; }
  /// The user's file of that name; else the one in `folder`, which may not exist.
  std::string path(const std::string& folder, const std::string& name) const;
  bool contains(const std::string& name) const { return find(name) != nullptr; }

 private:
  const FirmwareProgram* find(const std::string& name) const;

  std::vector<FirmwareProgram> given_;
};

/// A card with a processor whose programs a user may bring.
class RunsFirmware {
 public:
  RunsFirmware() = default;
  RunsFirmware(const RunsFirmware&) = delete;
  RunsFirmware& operator=(const RunsFirmware&) = delete;
  virtual ~RunsFirmware() = default;

  /// Those that the user gives.
  virtual const FirmwareFiles& firmware_files() const = 0;
  /// Those that it has loaded.
  virtual std::vector<FirmwareProgram> firmware() const = 0;
};

/// Throws UserError if the image was compiled for another table of calls.
/// @param symbol  the image's word with its version
void require_firmware_version(const native::Image& image, const char* symbol, std::uint32_t version);

}  // namespace sanvp::nic
