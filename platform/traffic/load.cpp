#include "platform/traffic/load.hpp"

#include <cmath>

#include "platform/core/error.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"

namespace sanvp::traffic {
namespace {

constexpr const char* forms = "write a fraction of the link rate (0.5) or a rate of payload per node (120MB/s)";
/// Far beyond saturation; a higher load would only fill the memory with waiting messages.
constexpr double most_fraction = 10;

constexpr const char* sweep_form = "write FIRST:LAST:STEP, as in 0.1:0.9:0.1 or 50MB/s:200MB/s:50MB/s";

bool is_rate(const Load& load) { return load.payload_rate_Bps > 0; }

double amount_of(const Load& load) { return is_rate(load) ? load.payload_rate_Bps : load.fraction; }

/// Whether "/s" makes a rate of it: "100MB".
bool lacks_per_second(const std::string& text, const std::string& place) {
  try {
    return parse_rate(text + "/s", place) > 0;
  } catch (const UserError&) {
    return false;
  }
}

double parse_fraction(const std::string& text, const std::string& place) {
  try {
    return parse_real(text, place);
  } catch (const UserError&) {
    if (lacks_per_second(text, place))
      throw UserError(place, in_quotes(text) + " is an amount of data, not a rate", "write " + text + "/s");
    throw UserError(place, in_quotes(text) + " is not a load", forms);
  }
}

/// "0.5@3ms" after a load of `first`.
LoadStep parse_step(const std::string& text, const Load& first, const std::string& place) {
  const auto at = text.find('@');
  if (at == std::string::npos)
    throw UserError(place, in_quotes(text) + " does not say when it begins", "write LOAD@TIME, as in 0.1,0.5@3ms");
  const Load load = Load::parse(text.substr(0, at), place);
  if (is_rate(load) != is_rate(first)) throw UserError(place, "mixes fractions and rates", forms);
  return {parse_time(text.substr(at + 1), place), amount_of(load) / amount_of(first)};
}

Load parse_changing(const std::string& text, const std::string& place) {
  auto end = text.find(',');
  Load load = Load::parse(text.substr(0, end), place);
  while (end != std::string::npos) {
    const auto begin = end + 1;
    end = text.find(',', begin);
    const LoadStep step = parse_step(std::string(trimmed(text.substr(begin, end - begin))), load, place);
    if (step.from <= (load.steps.empty() ? Time{0} : load.steps.back().from))
      throw UserError(place, in_quotes(text) + " is not in order of time",
                      "give each LOAD@TIME a later time than the one before");
    load.steps.push_back(step);
  }
  return load;
}

}  // namespace

Load Load::parse(const std::string& text, const std::string& place) {
  const bool has_rate = text.find("/s") != std::string::npos;
  const double value = has_rate ? parse_rate(text, place) : parse_fraction(text, place);
  if (!(value > 0)) throw UserError(place, in_quotes(text) + " is not a load", forms);
  if (has_rate) return {.payload_rate_Bps = value};
  if (value > most_fraction) throw UserError(place, in_quotes(text) + " of the link rate is too much", forms);
  return {.fraction = value};
}

std::vector<Load> Load::parse_sweep(const std::string& text, const std::string& place) {
  const auto first_colon = text.find(':');
  if (first_colon == std::string::npos) return {parse_changing(text, place)};
  const auto second_colon = text.find(':', first_colon + 1);
  if (second_colon == std::string::npos)
    throw UserError(place, in_quotes(text) + " is not a sweep of loads", sweep_form);
  const Load first = parse(text.substr(0, first_colon), place);
  const Load last = parse(text.substr(first_colon + 1, second_colon - first_colon - 1), place);
  const Load step = parse(text.substr(second_colon + 1), place);
  if (is_rate(first) != is_rate(last) || is_rate(first) != is_rate(step))
    throw UserError(place, in_quotes(text) + " mixes fractions and rates", sweep_form);
  constexpr double most_steps = 1000;
  const double range = amount_of(last) - amount_of(first);
  if (range < 0 || range / amount_of(step) > most_steps)
    throw UserError(place, in_quotes(text) + " is not a sweep of loads",
                    "give at most 1000 steps, the least load first");
  std::vector<Load> loads;
  constexpr double to_micro = 1e6;  // so that 0.1 + 2 * 0.1 is named 0.3
  const auto steps = static_cast<int>(range / amount_of(step) + 1e-9);
  for (int i = 0; i <= steps; ++i) {
    Load& load = loads.emplace_back(first);
    double& amount = is_rate(first) ? load.payload_rate_Bps : load.fraction;
    amount = std::round((amount + i * amount_of(step)) * to_micro) / to_micro;
  }
  return loads;
}

std::string Load::to_text() const {
  constexpr double mega = 1e6;
  const auto at = [&](double factor) {
    return payload_rate_Bps > 0 ? real_to_text(factor * payload_rate_Bps / mega) + "MB/s"
                                : real_to_text(factor * fraction);
  };
  std::string text = at(1);
  for (const LoadStep& step : steps) text += "," + at(step.factor) + "@" + sanvp::to_text(step.from);
  return text;
}

}  // namespace sanvp::traffic
