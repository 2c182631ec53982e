/// All windows and registers of a kind of card, with their functions: one table for all cards of a machine.
///
///   const nic::RegisterMap<Elan3>& Elan3::register_map() {
///     static const auto map = nic::RegisterMap<Elan3>({{.name = "SDRAM", ...}, ...})
///                                 .with(Interrupts::registers(), &Elan3::interrupts_)
///                                 .with(own_registers());
///     return map;
///   }
///
/// A RegisterMapPart makes it known to `sanvp describe`.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/nic/card/registers.hpp"
#include "platform/core/registry.hpp"
#include "platform/core/time.hpp"

namespace sanvp::nic {

/// What a window answers that forwards accesses.
struct Served {
  Time takes{0};
  std::string refusal{};  ///< empty: none
};

/// A base address register: registers, if no function is given. Its number is its place in the card's list.
template <class Card>
struct Window {
  const char* name;
  std::uint64_t bytes = 0;  ///< 0: pages, or it depends on the machine
  Row pages{};              ///< equal pages of registers, each for one context, queue, ...; count 0: see bytes
  /// Memory: the bytes at an offset; empty: not there.
  std::span<std::byte> (*memory)(Card&, std::uint32_t offset, std::size_t bytes) = nullptr;
  /// For memory: stores are posted, and this is called after each. Null: they take effect at once.
  void (*stored)(Card&) = nullptr;
  /// Memory that can only be read; what follows reads as zeros.
  std::span<const std::byte> (*contents)(const Card&) = nullptr;
  /// Forwards accesses, of which each takes its time.
  Served (*serve)(Card&, std::uint32_t offset, std::span<std::byte> data, bool is_write) = nullptr;
  const char* meaning = "";
  const char* source = "";

  WindowFacts facts() const {
    const WindowKind kind = memory != nullptr     ? WindowKind::memory
                            : contents != nullptr ? WindowKind::read_only
                            : serve != nullptr    ? WindowKind::served
                                                  : WindowKind::registers;
    return {.name = name, .bytes = bytes, .pages = pages, .kind = kind, .meaning = meaning, .source = source};
  }
};

template <class Card>
class RegisterMap : public RegisterTable {
 public:
  explicit RegisterMap(std::vector<Window<Card>> windows) : windows_(std::move(windows)) {
    for (const Window<Card>& window : windows_) add(window.facts());
  }

  /// Adds the registers of one of the card's units.
  template <class Unit>
  RegisterMap&& with(const Registers<Unit>& registers, Unit Card::*unit) && {
    for (const Register<Unit>& one : registers)
      declare(one, bound(one.read, unit), bound(one.take, unit), bound(one.write, unit));
    return std::move(*this);
  }
  /// Adds those of the card itself.
  RegisterMap&& with(const Registers<Card>& registers) && {
    for (const Register<Card>& one : registers) declare(one, one.read, one.take, one.write);
    return std::move(*this);
  }

  const Window<Card>& window(std::uint32_t number) const { return windows_[number]; }

  /// Precondition: the access is allowed.
  Value read(Card& card, const Found& found) const {
    const Functions& of = functions_[static_cast<std::size_t>(found.number)];
    return of.take ? of.take(card, found.instance) : of.read(card, found.instance);
  }
  /// A read without an effect; nothing if the register has none.
  std::optional<Value> look(const Card& card, const Found& found) const {
    const auto& read = functions_[static_cast<std::size_t>(found.number)].read;
    return read ? std::optional(read(card, found.instance)) : std::nullopt;
  }
  void write(Card& card, int number, const Store& store) const {
    functions_[static_cast<std::size_t>(number)].write(card, store);
  }
  /// The same map, but `told` is called before each store takes effect, with the register's number.
  RegisterMap with_stores_told(const std::function<void(int number, const Store& store)>& told) const {
    RegisterMap map = *this;
    for (std::size_t i = 0; i < map.functions_.size(); ++i) {
      auto& write = map.functions_[i].write;
      if (!write) continue;
      write = [told, number = static_cast<int>(i), effect = write](Card& card, const Store& store) {
        told(number, store);
        effect(card, store);
      };
    }
    return map;
  }

  /// All registers with their present values, without the effect of a read. Registers without a value appear once per
  /// declaration. @param sizes  of the card's windows
  std::vector<RegisterValue> inspect(const Card& card, std::span<const std::uint64_t> sizes) const {
    std::vector<RegisterValue> values;
    for (std::size_t i = 0; i < functions_.size(); ++i) {
      const RegisterFacts& facts = registers()[i];
      const auto number = static_cast<int>(i);
      if (!functions_[i].read) {
        values.push_back({&facts, {}, facts.name, {}});
        continue;
      }
      const Row& pages = this->windows()[static_cast<std::size_t>(facts.window)].pages;
      const std::uint64_t size = sizes[static_cast<std::size_t>(facts.window)];
      const std::uint64_t page_count = pages.stride == 0 ? 1 : size / pages.stride;
      for (std::uint32_t page = 0; page < page_count; ++page)
        for (std::uint32_t row = 0; row < facts.row.count; ++row)
          for (std::uint32_t item = 0; item < facts.item.count; ++item) {
            const Instance instance{page, row, item};
            values.push_back({&facts, instance, name({number, instance}), functions_[i].read(card, instance)});
          }
    }
    return values;
  }

 private:
  struct Functions {
    std::function<Value(const Card&, const Instance&)> read;
    std::function<Value(Card&, const Instance&)> take;
    std::function<void(Card&, const Store&)> write;
  };

  /// A unit's function as one of the card. Small enough for std::function to hold without an allocation.
  template <class Unit, class Result, class MaybeConstUnit, class Argument>
  static auto bound(Result (*function)(MaybeConstUnit&, const Argument&), Unit Card::*unit) {
    using MaybeConstCard = std::conditional_t<std::is_const_v<MaybeConstUnit>, const Card, Card>;
    using Bound = std::function<Result(MaybeConstCard&, const Argument&)>;
    return function == nullptr ? Bound() : Bound([function, unit](MaybeConstCard& card, const Argument& argument) {
      return function(card.*unit, argument);
    });
  }

  template <class Unit>
  void declare(const Register<Unit>& one, std::function<Value(const Card&, const Instance&)> read,
               std::function<Value(Card&, const Instance&)> take, std::function<void(Card&, const Store&)> write) {
    add({.name = one.name,
         .window = one.window,
         .offset = one.offset,
         .bytes = one.bytes,
         .most_bytes = one.most_bytes,
         .row = one.row,
         .item = one.item,
         .reset = one.reset,
         .can_read = one.read != nullptr || one.take != nullptr,
         .can_write = one.write != nullptr,
         .effect = one.take != nullptr ? one.effect : nullptr,
         .meaning = one.meaning,
         .source = one.source});
    functions_.push_back({std::move(read), std::move(take), std::move(write)});
  }

  std::vector<Window<Card>> windows_;
  std::vector<Functions> functions_;  ///< by number of the register
};

/// Makes a card's registers known to `sanvp describe`, under the name of its part.
struct RegisterMapPart {
  static constexpr const char* kind() { return "register map"; }
  std::string name;  ///< of the part that has the registers
  std::string summary;
  std::function<const RegisterTable&()> table;
  std::string part_kind = "NIC";
};

}  // namespace sanvp::nic
