/// A machine's parts as objects of SystemC's hierarchy, for programs that embed it: sc_find_object("qsnet.switch_3"),
/// with its parameters as attributes. The models have no such objects, which would only cost memory and time: they are
/// made when this is constructed.
///
///   switch_N   number N of the graph: attributes name, ports, and the parameters of [switch] by their keys
///   link_N     attributes name (its two ends), class, and the parameters of its class
///   UNIT       of a card: a section [nic.UNIT], such as `dma`, with its parameters
///
/// The parameters of [nic] itself are attributes of the card. A time is an sc_attribute<sc_time>, a count an
/// sc_attribute<long long>, a size in bytes, too; a rate in bytes per second and a real number are
/// sc_attribute<double>; a flag is an sc_attribute<bool>, everything else an sc_attribute<std::string>.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include "platform/core/parameters.hpp"
#include "platform/machine/machine.hpp"

namespace sanvp {

/// A named object without behaviour, or a module's attributes, and what owns them.
class AttributeList {
 public:
  explicit AttributeList(sc_core::sc_object& object) : object_(object) {}
  AttributeList(const AttributeList&) = delete;
  AttributeList& operator=(const AttributeList&) = delete;
  ~AttributeList();

  void add(const std::string& name, const ParameterSet::Declared& parameter);
  template <class T>
  void add(const std::string& name, const T& value) {
    attributes_.push_back(std::make_unique<sc_core::sc_attribute<T>>(name, value));
    object_.add_attribute(*attributes_.back());
  }

 private:
  sc_core::sc_object& object_;
  std::vector<std::unique_ptr<sc_core::sc_attr_base>> attributes_;
};

class PartObject final : public sc_core::sc_object {
 public:
  explicit PartObject(const std::string& name) : sc_object(name.c_str()) {}
  const char* kind() const override { return "sanvp_part"; }

  AttributeList attributes{*this};
};

class PartObjects {
 public:
  /// The machine's switches and links, as children of `module`.
  PartObjects(const Machine& machine, sc_core::sc_module& module);

  /// The units of a card.
  void add_card(const Machine& machine, sc_core::sc_module& card);

 private:
  std::vector<std::unique_ptr<PartObject>> parts_;
  std::vector<std::unique_ptr<AttributeList>> cards_;
};

/// The value of an attribute. Throws std::out_of_range if the object has none of that name and type.
template <class T>
T attribute(const sc_core::sc_object& object, const std::string& name) {
  const auto* found = dynamic_cast<const sc_core::sc_attribute<T>*>(object.get_attribute(name));
  if (found == nullptr)
    throw std::out_of_range(std::string(object.name()) + " has no attribute " + name + " of that type");
  return found->value;
}

}  // namespace sanvp
