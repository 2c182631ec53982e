/// The registers and windows of a card as declarations. Each register says once where it is, how wide it is, what it
/// means, and what a read or a write does. The declarations serve the decoding of accesses (card_windows.hpp), the
/// messages about refused ones, names in traces, `sanvp describe`, and the inspection of a card at run time.
///
/// A unit declares its registers beside its code:
///
///   nic::Registers<Interrupts> Interrupts::registers() {
///     return {{.name = "Interrupt",
///              .window = E3_BAR_REGISTERS,
///              .offset = E3_REG_INTERRUPT,
///              .read = nic::get<&Interrupts::pending>,
///              .write = nic::put<&Interrupts::clear>,
///              .meaning = "pending interrupts; a write clears the bits written",
///              .source = "FACTS 1.5"}};
///   }
///
/// The card collects them in a RegisterMap (register_map.hpp). Which accesses are allowed follows from the functions: a
/// register without `write` can only be read. A read that changes something is `take` in place of `read`.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "platform/core/trace.hpp"

namespace sanvp::nic {

constexpr std::size_t most_register_bytes = 64;

/// Equal things, one after another: pages of a window, registers of a page, words of a register.
struct Row {
  std::uint32_t count = 1;
  std::uint32_t stride = 0;  ///< bytes from one to the next
  const char* each = "";     ///< what each belongs to, such as "context"
};

/// Which of several equal registers an access means.
struct Instance {
  std::uint32_t page = 0;  ///< of its window
  std::uint32_t row = 0;   ///< in Register::row
  std::uint32_t item = 0;  ///< in Register::item
};

/// The bytes of a register of up to 64 bytes.
class Value {
 public:
  /// Integers and enumerations are words of 32 bits, as registers are. Others, such as records, are taken as they are.
  template <class T>
  Value(const T& value) {  // NOLINT(*-explicit-constructor,*-member-init): `return pending_;` in a unit
    static_assert(std::is_trivially_copyable_v<T> && sizeof value <= most_register_bytes);
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
      set(static_cast<std::uint32_t>(value));
    else
      set(value);
  }
  std::span<const std::byte> bytes() const { return {data_.data(), size_}; }
  std::uint32_t word() const {
    std::uint32_t value = 0;
    std::memcpy(&value, data_.data(), std::min(sizeof value, size_));
    return value;
  }

 private:
  template <class T>
  void set(const T& value) {
    size_ = sizeof value;
    std::memcpy(data_.data(), &value, sizeof value);
  }

  std::size_t size_;
  std::array<std::byte, most_register_bytes> data_;
};

/// A store to a register.
struct Store {
  Instance instance{};
  std::optional<Trace::Point> cause{};  ///< its place in the trace
  std::array<std::byte, most_register_bytes> data{};

  template <class T>
  static Store of(const T& value, const Instance& instance) {
    Store store{.instance = instance};
    std::memcpy(store.data.data(), &value, sizeof value);
    return store;
  }
  /// What was stored: a word, or the record that the register takes.
  template <class T>
  T as() const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= most_register_bytes);
    T value;
    std::memcpy(&value, data.data(), sizeof value);
    return value;
  }
};

/// A register, or several equal ones, of a unit. @tparam Unit  what its functions are called for: a unit or the card
template <class Unit>
struct Register {
  const char* name;          ///< that of its macro in sw/abi/registers, in CamelCase
  int window = 0;            ///< number of the base address register
  std::uint32_t offset = 0;  ///< in the window, or in each of its pages; a multiple of 4
  unsigned bytes = 4;        ///< that an access has, exactly
  unsigned most_bytes = 0;   ///< of a wider store, if one is taken: what is beyond `bytes` is ignored
  Row row{};                 ///< of registers
  Row item{};                ///< of registers in each element of the row
  std::uint32_t reset = 0;   ///< the value at time 0
  Value (*read)(const Unit&, const Instance&) = nullptr;
  Value (*take)(Unit&, const Instance&) = nullptr;  ///< a read with an effect: `effect` says which
  const char* effect = nullptr;
  void (*write)(Unit&, const Store&) = nullptr;  ///< at the instant at which the store has arrived
  const char* meaning = "";
  const char* source = "";  ///< a section of FACTS.md, a data sheet, or "assumed"
};
template <class Unit>
using Registers = std::vector<Register<Unit>>;

/// A register that reads as the result of a member function or variable of its unit.
template <auto member, class Unit>
Value get(const Unit& unit, const Instance&) {
  return std::invoke(member, unit);
}
template <auto member, class Unit>
Value take(Unit& unit, const Instance&) {
  return std::invoke(member, unit);
}
/// A register whose writes call a member function with the word or record that is stored.
template <auto member, class Unit>
void put(Unit& unit, const Store& store) {
  const auto call = [&]<class Of, class Result, class Argument>(Result (Of::*function)(Argument)) {
    (unit.*function)(store.as<std::remove_cvref_t<Argument>>());
  };
  call(member);
}
/// The same, where the value does not matter.
template <auto member, class Unit>
void strobe(Unit& unit, const Store&) {
  std::invoke(member, unit);
}

/// What is known of a register apart from its functions.
struct RegisterFacts {
  std::string name;
  int window = 0;
  std::uint32_t offset = 0;
  unsigned bytes = 0, most_bytes = 0;
  Row row{}, item{};
  std::uint32_t reset = 0;
  bool can_read = false, can_write = false;
  const char* effect = nullptr;  ///< of a read; null: none
  const char* meaning = "";
  const char* source = "";

  bool takes(std::size_t size, bool is_write) const {
    return size == bytes || (is_write && size > bytes && size <= most_bytes);
  }
};

enum class WindowKind : std::uint8_t { registers, memory, read_only, served };

struct WindowFacts {
  std::string name;
  std::uint64_t bytes = 0;  ///< 0: it depends on the machine
  Row pages{};              ///< count 0: it depends on the machine
  WindowKind kind = WindowKind::registers;
  const char* meaning = "";
  const char* source = "";
};

/// A register as it is at run time.
struct RegisterValue {
  const RegisterFacts* facts;
  Instance instance;
  std::string name;            ///< "Counters 3"
  std::optional<Value> value;  ///< nothing: it can only be written, or reading it has an effect (facts->effect)
};

/// Windows and registers by number, without functions.
class RegisterTable {
 public:
  const std::vector<WindowFacts>& windows() const { return windows_; }
  const std::vector<RegisterFacts>& registers() const { return registers_; }
  /// Bytes of each window; 0: it depends on the machine.
  std::vector<std::uint64_t> sizes() const;

  struct Found {
    int number = -1;           ///< in registers(); below 0: there is no register
    Instance instance{};       ///< which one, if there are several
    std::uint32_t inside = 0;  ///< bytes from its start
  };
  /// Precondition: there is such a window. Does not check whether it has so many pages.
  Found find(int window, std::uint32_t offset) const {
    const Index& index = indices_[static_cast<std::size_t>(window)];
    Found found;
    if (index.page_bytes != 0) {
      found.instance.page = offset / index.page_bytes;
      offset %= index.page_bytes;
    }
    const std::size_t word = offset / word_bytes;
    if (word >= index.numbers.size() || index.numbers[word] == 0) return found;
    found.number = index.numbers[word] - 1;
    const RegisterFacts& facts = registers_[static_cast<std::size_t>(found.number)];
    found.inside = offset - facts.offset;
    if (facts.row.count > 1) {
      found.instance.row = found.inside / facts.row.stride;
      found.inside %= facts.row.stride;
    }
    if (facts.item.count > 1) {
      found.instance.item = found.inside / facts.item.stride;
      found.inside %= facts.item.stride;
    }
    return found;
  }

  struct Attempt {
    int window = 0;
    std::uint32_t offset = 0;
    std::size_t bytes = 0;
    bool is_write = false;
  };
  /// Why an access is refused, a sentence without its end: "a read of SetEvent, which can only be written". Empty: it
  /// is not. @param sizes  of the windows of the card that was accessed
  std::string refusal(const Attempt& attempt, std::span<const std::uint64_t> sizes) const;
  /// "SetEvent of context 3", "Counters 5".
  std::string name(const Found& found) const;

 protected:
  /// Throw std::logic_error for a declaration that contradicts another one.
  void add(WindowFacts window);
  void add(RegisterFacts facts);

 private:
  static constexpr std::uint32_t word_bytes = sizeof(std::uint32_t);
  struct Index {
    std::uint32_t page_bytes = 0;        ///< 0: the window is one page
    std::vector<std::uint16_t> numbers;  ///< by word of a page: number of the register + 1; 0: none
  };

  std::vector<WindowFacts> windows_;
  std::vector<RegisterFacts> registers_;
  std::vector<Index> indices_;  ///< by window
};

}  // namespace sanvp::nic
