/// Observers of the stores to a card's registers, for breakpoints and logs. A card without one has no part of this on
/// its way: the first observer replaces the card's register map by a copy whose registers tell of their stores.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "models/nic/card/registers.hpp"

namespace sanvp::nic {

/// What is stored: "0x1f" for a word, the bytes of a record.
std::string text_of(const RegisterFacts& facts, const Store& store);

class StoreObserver {
 public:
  /// A store is about to take effect, now. @param name  of the register, with its instance: "SetEvent of context 3"
  virtual void register_stored(const RegisterFacts& facts, const std::string& name, const Store& store) = 0;

 protected:
  ~StoreObserver() = default;
};

/// The registers of one card. Implemented by what is bound to NicModule::registers.
class RegisterWatch {
 public:
  virtual const RegisterTable& register_table() const = 0;
  virtual void add(StoreObserver& observer) = 0;
  virtual void remove(StoreObserver& observer) = 0;

 protected:
  ~RegisterWatch() = default;
};

}  // namespace sanvp::nic
