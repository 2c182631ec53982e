/// Parameters by CCI, Accellera's standard for the configuration of SystemC models: presets of a broker are settings of
/// a machine, and the values in force are visible to tools. Only a program that includes this header needs a CCI
/// library (1.0); nothing of sanvp does.
///
///   cci::cci_broker_handle broker = cci::cci_get_global_broker(cci::cci_originator("sc_main"));
///   embedding::MachineModule qsnet("qsnet", {.name = "qsnet-16", .settings = cci_settings("qsnet", broker)}, jobs);
///   embedding::CciParameters parameters("qsnet", qsnet.machine().parameters(), broker);
#pragma once

#include <cci_configuration>
#include <memory>
#include <string>
#include <vector>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::embedding {

/// A parameter's value as CCI sees it: a text with its unit ("10ns"), which a preset may also give as a number or a
/// truth value.
struct CciText {
  std::string text;
  bool operator==(const CciText&) const = default;
};

/// False for lists, maps and null.
inline bool read_text(const cci::cci_value& value, std::string& text) {
  if (value.is_string())
    text = value.get_string();
  else if (value.is_bool())
    text = value.get_bool() ? "yes" : "no";
  else if (value.is_number())
    text = value.to_json();
  else
    return false;
  return true;
}

/// The presets below `name` as settings of a MachineRequest: the preset "qsnet.switch.age_threshold" becomes
/// "switch.age_threshold=...". Throws UserError for a preset that is a list or a map.
inline std::vector<std::string> cci_settings(const std::string& name, cci::cci_broker_handle broker) {
  std::vector<std::string> settings;
  for (const auto& [preset, value] : broker.get_unconsumed_preset_values()) {
    if (!preset.starts_with(name + ".")) continue;
    std::string text;
    if (!read_text(value, text))
      throw UserError("preset " + preset, value.to_json() + " is no value of a parameter", "give a text such as 10ns");
    settings.push_back(preset.substr(name.size() + 1) + "=" + text);
  }
  return settings;
}

/// One immutable cci_param for each parameter that a part of the machine has read: `name` and its key, the value as
/// text with its unit, and its documentation. They use up the presets, which the values come from. They only tell: the
/// machine is built.
class CciParameters {
 public:
  CciParameters(const std::string& name, const ParameterSet& parameters, cci::cci_broker_handle broker) {
    for (const auto& [key, declared] : parameters.declared())
      parameters_.push_back(std::make_unique<Parameter>(name + "." + key, CciText{declared.value}, broker,
                                                        declared.documentation, cci::CCI_ABSOLUTE_NAME,
                                                        broker.get_originator()));
  }

 private:
  using Parameter = cci::cci_param<CciText, cci::CCI_IMMUTABLE_PARAM>;
  std::vector<std::unique_ptr<Parameter>> parameters_;
};

}  // namespace sanvp::embedding

template <>
struct cci::cci_value_converter<sanvp::embedding::CciText> {
  using type = sanvp::embedding::CciText;
  static bool pack(cci_value::reference to, const type& from) {
    to.set_string(from.text);
    return true;
  }
  static bool unpack(type& to, cci_value::const_reference from) {
    return sanvp::embedding::read_text(cci_value(from), to.text);
  }
};
