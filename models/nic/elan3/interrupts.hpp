/// The card's interrupt line: a register of causes behind a mask, and the queue of cookies that events leave for the
/// driver (registers.h, E3_REG_INTERRUPT).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>

namespace sanvp::nic::elan3 {

class Interrupts {
 public:
  /// @param line  told whenever the level changes
  explicit Interrupts(std::function<void(bool raised)> line) : line_(std::move(line)) {}

  void raise(std::uint32_t bits) { set(pending_ | bits, mask_); }
  void clear(std::uint32_t bits) { set(pending_ & ~bits, mask_); }
  void set_mask(std::uint32_t mask) { set(pending_, mask); }
  std::uint32_t pending() const { return pending_; }
  std::uint32_t mask() const { return mask_; }

  void push_cookie(std::uint32_t cookie) { cookies_.push_back(cookie); }
  /// The oldest; 0 where there is none.
  std::uint32_t take_cookie() {
    if (cookies_.empty()) return 0;
    const std::uint32_t cookie = cookies_.front();
    cookies_.pop_front();
    return cookie;
  }

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
  std::deque<std::uint32_t> cookies_;
};

}  // namespace sanvp::nic::elan3
