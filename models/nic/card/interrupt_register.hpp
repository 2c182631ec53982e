/// A card's interrupt register: pending causes and a mask. The line is raised while an unmasked cause is pending.
#pragma once

#include <cstdint>
#include <functional>

namespace sanvp::nic {

class InterruptRegister {
 public:
  /// @param line  called when the level changes
  explicit InterruptRegister(std::function<void(bool raised)> line) : line_(std::move(line)) {}

  void raise(std::uint32_t bits) { set(pending_ | bits, mask_); }
  void clear(std::uint32_t bits) { set(pending_ & ~bits, mask_); }
  void set_mask(std::uint32_t mask) { set(pending_, mask); }
  std::uint32_t pending() const { return pending_; }
  std::uint32_t mask() const { return mask_; }

 private:
  void set(std::uint32_t pending, std::uint32_t mask) {
    const bool was = (pending_ & mask_) != 0;
    pending_ = pending;
    mask_ = mask;
    if (const bool is = (pending_ & mask_) != 0; is != was) line_(is);
  }

  std::function<void(bool)> line_;
  std::uint32_t pending_ = 0;
  std::uint32_t mask_ = 0;
};

}  // namespace sanvp::nic
