#include "platform/core/units.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "platform/core/error.hpp"
#include "platform/core/text.hpp"

namespace sanvp {
namespace {

__extension__ using Wide = unsigned __int128;  // holds any fraction times any factor

struct Unit {
  std::string_view name;
  std::int64_t factor;
};

constexpr std::int64_t kilo = 1'000, mega = kilo * kilo, giga = mega * kilo, tera = giga * kilo;
constexpr std::int64_t kibi = 1'024, mebi = kibi * kibi, gibi = mebi * kibi;
constexpr double bits_per_byte = 8;

constexpr Unit time_units[] = {{"ps", 1}, {"ns", kilo}, {"us", mega}, {"ms", giga}, {"s", tera}};
constexpr Unit size_units[] = {{"B", 1},      {"kB", kilo},  {"MB", mega}, {"GB", giga},
                               {"KiB", kibi}, {"MiB", mebi}, {"GiB", gibi}};
constexpr Unit count_suffixes[] = {{"", 1},      {"k", kilo},  {"M", mega}, {"G", giga},
                                   {"Ki", kibi}, {"Mi", mebi}, {"Gi", gibi}};
constexpr Unit bit_units[] = {{"bit", 1}, {"kbit", kilo}, {"Mbit", mega}, {"Gbit", giga}};

/// A kind of whole quantity, with the words for its messages.
struct Quantity {
  const char* name;
  const char* example;
  const char* smallest;
  std::span<const Unit> units;
  bool may_be_negative;
};

constexpr Quantity time_quantity{"time", "35ns", "1 ps", time_units, false};
constexpr Quantity size_quantity{"size", "64KiB", "1 B", size_units, false};
constexpr Quantity count_quantity{"whole number", "64", "1", count_suffixes, true};

std::string known(std::span<const Unit> units) {
  std::vector<std::string> names;
  for (const auto& unit : units)
    if (!unit.name.empty()) names.emplace_back(unit.name);
  return listed(names);
}

const Unit* find(std::span<const Unit> units, std::string_view name) {
  for (const auto& unit : units)
    if (unit.name == name) return &unit;
  return nullptr;
}

std::string_view take_digits(std::string_view& text) {
  const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto digits = text.substr(0, end);
  text.remove_prefix(end);
  return digits;
}

bool take(std::string_view& text, char c) {
  const bool taken = text.starts_with(c);
  if (taken) text.remove_prefix(1);
  return taken;
}

/// whole * factor, or empty if it does not fit.
std::optional<std::int64_t> scale_whole(std::string_view digits, std::int64_t factor) {
  std::int64_t whole = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), whole).ec != std::errc{}) return {};
  std::int64_t scaled = 0;
  if (__builtin_mul_overflow(whole, factor, &scaled)) return {};
  return scaled;
}

/// 0.digits * factor, or empty if that is not a whole number.
std::optional<std::int64_t> scale_fraction(std::string_view digits, std::int64_t factor) {
  while (digits.ends_with('0')) digits.remove_suffix(1);
  if (digits.size() > std::numeric_limits<std::int64_t>::digits10) return {};
  Wide numerator = 0, denominator = 1;
  for (const char digit : digits) {
    numerator = numerator * 10 + static_cast<unsigned>(digit - '0');
    denominator *= 10;
  }
  numerator *= static_cast<Wide>(factor);
  if (numerator % denominator != 0) return {};
  return static_cast<std::int64_t>(numerator / denominator);
}

std::int64_t parse_exact(const std::string& text, const std::string& place, const Quantity& quantity) {
  const auto fail = [&](const std::string& cause, const std::string& cure) -> UserError {
    return {place, in_quotes(text) + " " + cause, cure};
  };
  const auto not_a_number = [&] {
    return fail(std::string("is not a ") + quantity.name, std::string("write it like ") + quantity.example);
  };
  std::string_view rest = trimmed(text);
  const bool negative = take(rest, '-');
  const auto whole = take_digits(rest);
  if (whole.empty()) throw not_a_number();
  std::string_view fraction;
  if (take(rest, '.') && (fraction = take_digits(rest)).empty()) throw not_a_number();
  rest = trimmed(rest);

  const Unit* unit = find(quantity.units, rest);
  if (!unit && rest.empty()) throw fail("has no unit", "known: " + known(quantity.units));
  if (!unit) throw fail("has the unknown unit " + in_quotes(rest), "known: " + known(quantity.units));
  if (negative && !quantity.may_be_negative) throw fail("is negative", {});

  const auto large = scale_whole(whole, unit->factor);
  if (!large) throw fail("is too large", "it must be below 2^63 times " + std::string(quantity.smallest));
  const auto small = scale_fraction(fraction, unit->factor);
  if (!small) throw fail(std::string("is not a multiple of ") + quantity.smallest, {});
  std::int64_t value = 0;
  if (__builtin_add_overflow(*large, *small, &value))
    throw fail("is too large", "it must be below 2^63 times " + std::string(quantity.smallest));
  return negative ? -value : value;
}

/// Parses and removes a finite number at the front of `rest`.
double take_real(std::string_view& rest, const std::string& text, const std::string& place, const char* example) {
  double value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error == std::errc::result_out_of_range)
    throw UserError(place, in_quotes(text) + " is outside the range of numbers");
  if (error != std::errc{} || !std::isfinite(value))
    throw UserError(place, in_quotes(text) + " is not a finite number", std::string("write it like ") + example);
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return value;
}

}  // namespace

Time parse_time(const std::string& text, const std::string& place) {
  return Time{parse_exact(text, place, time_quantity)};
}

std::int64_t parse_size(const std::string& text, const std::string& place) {
  return parse_exact(text, place, size_quantity);
}

std::int64_t parse_count(const std::string& text, const std::string& place) {
  return parse_exact(text, place, count_quantity);
}

double parse_rate(const std::string& text, const std::string& place) {
  std::string_view rest = trimmed(text);
  const double value = take_real(rest, text, place, "400MB/s");
  rest = trimmed(rest);
  const std::string cure = "known: each of " + known(size_units) + ", " + known(bit_units) + " with /s";
  if (rest.empty()) throw UserError(place, in_quotes(text) + " has no unit", cure);
  const std::string_view amount = rest.ends_with("/s") ? rest.substr(0, rest.size() - 2) : std::string_view{};
  const Unit* bytes = find(size_units, amount);
  const Unit* bits = find(bit_units, amount);
  if (!bytes && !bits) throw UserError(place, in_quotes(text) + " has the unknown unit " + in_quotes(rest), cure);
  if (std::signbit(value)) throw UserError(place, in_quotes(text) + " is negative");
  const double rate =
      bytes ? value * static_cast<double>(bytes->factor) : value * static_cast<double>(bits->factor) / bits_per_byte;
  if (!std::isfinite(rate)) throw UserError(place, in_quotes(text) + " is outside the range of numbers");
  return rate;
}

double parse_real(const std::string& text, const std::string& place) {
  std::string_view rest = trimmed(text);
  const double value = take_real(rest, text, place, "0.75");
  if (!rest.empty()) throw UserError(place, in_quotes(text) + " is not a number", "write it like 0.75, without a unit");
  return value;
}

bool parse_flag(const std::string& text, const std::string& place) {
  const std::string_view word = trimmed(text);
  for (const auto yes : {"true", "yes", "on", "1"})
    if (word == yes) return true;
  for (const auto no : {"false", "no", "off", "0"})
    if (word == no) return false;
  throw UserError(place, in_quotes(text) + " is neither true nor false", "write yes or no");
}

std::string to_text(Time t) {
  if (t < Time{0}) {
    // -min does not exist in two's complement; no simulated time comes near it.
    return "-" + to_text(t == Time::min() ? Time::max() : -t);
  }
  if (t == Time{0}) return "0ns";  // the unit of results
  const Unit* unit = &time_units[0];
  for (const auto& larger : time_units)
    if (t.count() >= larger.factor) unit = &larger;
  std::string text = std::to_string(t.count() / unit->factor);
  if (const auto fraction = t.count() % unit->factor; fraction != 0) {
    const auto digits = std::to_string(unit->factor).size() - 1;
    text += fmt::format(".{:0{}}", fraction, digits);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text.append(unit->name);
}

std::string size_to_text(std::int64_t bytes) {
  Unit best{"B", 1};
  for (const auto& unit : {Unit{"KiB", kibi}, Unit{"MiB", mebi}, Unit{"GiB", gibi}})
    if (bytes != 0 && bytes % unit.factor == 0) best = unit;
  return std::to_string(bytes / best.factor).append(best.name);
}

std::string rate_to_text(double Bps) { return real_to_text(Bps / static_cast<double>(mega)) + "MB/s"; }

std::string real_to_text(double value) { return fmt::format("{}", value + 0.0); }  // + 0.0 turns -0 into 0

}  // namespace sanvp
