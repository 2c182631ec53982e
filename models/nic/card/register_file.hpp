/// A card's registers, one line each: name, offset, the value that reads return, the effect of writes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

namespace sanvp::nic {

class RegisterFile {
 public:
  using Read = std::function<std::uint32_t()>;
  using Write = std::function<void(std::uint32_t)>;
  struct Register {
    const char* name;
    std::uint32_t offset;
    Read read{};    ///< empty: reads as 0
    Write write{};  ///< empty: read-only
  };

  explicit RegisterFile(std::initializer_list<Register> registers) {
    for (const Register& one : registers) registers_.emplace(one.offset, one);
  }

  /// Null if no register is at `offset`.
  const Register* find(std::uint32_t offset) const {
    const auto found = registers_.find(offset);
    return found == registers_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::uint32_t, Register> registers_;
};

}  // namespace sanvp::nic
