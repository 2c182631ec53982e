#include "platform/traffic/message_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "platform/core/error.hpp"
#include "platform/core/files.hpp"
#include "platform/core/statements.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"

namespace sanvp::traffic {
namespace {

constexpr const char* forms = "write N, uniform:A:B, exp:MEAN, bimodal:A:B:P or cdf:FILE, lengths with or without unit";

std::vector<std::string> fields(const std::string& text) {
  std::vector<std::string> result{""};
  for (const char c : text) {
    if (c == ':')
      result.emplace_back();
    else
      result.back() += c;
  }
  return result;
}

/// A number of bytes, with or without a unit.
std::int64_t parse_bytes(const std::string& text, const std::string& place) {
  const bool plain = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const std::int64_t bytes = plain ? parse_count(text, place) : parse_size(text, place);
  if (bytes < 1 || bytes > most_message_bytes)
    throw UserError(place, in_quotes(text) + " is not a message length", "choose 1B to 1GiB");
  return bytes;
}

/// Length of a message for the exponential variate `x`, in units of the mean.
std::int64_t exponential_bytes(double x, std::int64_t mean) {
  const double bytes = std::ceil(x * static_cast<double>(mean));
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(bytes), 1, most_message_bytes);
}

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

}  // namespace

MessageSizes MessageSizes::parse(const std::string& text, const std::string& place) {
  const auto parts = fields(text);
  const auto require = [&](std::size_t count) {
    if (parts.size() != count)
      throw UserError(place, in_quotes(text) + " is not a distribution of message lengths", forms);
  };
  const auto bytes = [&](std::size_t part) { return parse_bytes(parts[part], place); };
  if (parts[0] == "uniform") {
    require(3);
    const Uniform law{bytes(1), bytes(2)};
    if (law.least > law.most)
      throw UserError(place, in_quotes(text) + " has its bounds in the wrong order", "write uniform:LEAST:MOST");
    return MessageSizes{law};
  }
  if (parts[0] == "exp") {
    require(2);
    constexpr std::int64_t most_mean = std::int64_t{1}
                                       << 24;  // so that the bound on lengths is never reached in practice
    const Exponential law{bytes(1)};
    if (law.mean > most_mean) throw UserError(place, in_quotes(text) + " has too large a mean", "choose at most 16MiB");
    return MessageSizes{law};
  }
  if (parts[0] == "bimodal") {
    require(4);
    const Bimodal law{bytes(1), bytes(2), parse_real(parts[3], place)};
    if (!(law.second_share >= 0 && law.second_share <= 1))
      throw UserError(place, in_quotes(parts[3]) + " is not a probability", "give the second length's share, 0 to 1");
    return MessageSizes{law};
  }
  if (parts[0] == "cdf" && parts.size() > 1) return MessageSizes{read_distribution(text.substr(parts[0].size() + 1))};
  if (parts.size() != 1 || text.empty() || text.find_first_of("0123456789") != 0) {
    const auto near = nearest(parts[0], {"uniform", "exp", "bimodal", "cdf"});
    throw UserError(place, in_quotes(text) + " is not a distribution of message lengths",
                    near.empty() ? forms : "did you mean '" + near + "'? " + forms);
  }
  return MessageSizes{Fixed{bytes(0)}};
}

MessageSizes::Measured MessageSizes::read_distribution(const std::string& path) {
  const std::string text = read_text_file(path);
  Statements lines{text, path};
  Measured law;
  while (lines.next()) {
    lines.require_words(2, 2, "BYTES SHARE");
    const auto bytes = lines.integer(0, "length in bytes", 1, most_message_bytes);
    const double share = parse_real(std::string(lines.word(1)), lines.place());
    const bool ascends = law.points.empty() || (bytes > law.points.back().bytes && share >= law.points.back().share);
    if (!ascends || !(share >= 0 && share <= 1))
      lines.fail("lengths and shares do not ascend", "give the share of messages that are not longer, up to 1");
    law.points.push_back({bytes, share});
  }
  if (law.points.empty() || law.points.back().share < 1)
    throw UserError(path, "the last share is not 1", "end with the longest message and 1");
  return law;
}

std::int64_t MessageSizes::bytes_at(const Measured& law, double share) {
  const auto above = std::ranges::lower_bound(law.points, share, {}, &Measured::Point::share);
  if (above == law.points.begin()) return above->bytes;
  const auto& below = *std::prev(above);
  const double part = (share - below.share) / (above->share - below.share);
  return below.bytes +
         std::max<std::int64_t>(1, std::llround(std::ceil(part * static_cast<double>(above->bytes - below.bytes))));
}

std::int64_t MessageSizes::draw(Random& random) const {
  return std::visit(
      Overloaded{[](const Fixed& law) { return law.bytes; },
                 [&](const Uniform& law) {
                   return law.least +
                          static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(law.most - law.least + 1)));
                 },
                 [&](const Exponential& law) { return exponential_bytes(random.exponential(), law.mean); },
                 [&](const Bimodal& law) { return random.uniform() < law.second_share ? law.second : law.first; },
                 [&](const Measured& law) { return bytes_at(law, random.uniform()); }},
      law_);
}

double MessageSizes::mean_of(const std::function<double(std::int64_t)>& cost) const {
  return std::visit(Overloaded{[&](const Fixed& law) { return cost(law.bytes); },
                               [&](const Uniform& law) {
                                 constexpr std::int64_t most_visits = 1 << 18;
                                 const std::int64_t lengths = law.most - law.least + 1;
                                 const std::int64_t visits = std::min(lengths, most_visits);
                                 double sum = 0;
                                 for (std::int64_t i = 0; i < visits; ++i)
                                   sum += cost(law.least + (2 * i + 1) * lengths / (2 * visits));
                                 return sum / static_cast<double>(visits);
                               },
                               [&](const Exponential& law) {
                                 // Length s has probability q^(s-1) - q^s with q = exp(-1/mean); strata have `stride`
                                 // lengths each.
                                 constexpr std::int64_t strata_per_mean = 1 << 14;
                                 constexpr std::int64_t means = 40;  // longer messages have probability e^-40
                                 const std::int64_t stride = std::max<std::int64_t>(1, law.mean / strata_per_mean);
                                 const double fall =
                                     std::exp(-static_cast<double>(stride) / static_cast<double>(law.mean));
                                 double sum = 0;
                                 double beyond = 1;
                                 for (std::int64_t s = 1; s <= law.mean * means; s += stride, beyond *= fall)
                                   sum += cost(s + (stride - 1) / 2) * beyond * (1 - fall);
                                 return sum;
                               },
                               [&](const Bimodal& law) {
                                 return cost(law.first) * (1 - law.second_share) + cost(law.second) * law.second_share;
                               },
                               [&](const Measured& law) {
                                 constexpr int strata = 1 << 18;
                                 double sum = 0;
                                 for (int i = 0; i < strata; ++i) sum += cost(bytes_at(law, (i + 0.5) / strata));
                                 return sum / strata;
                               }},
                    law_);
}

double MessageSizes::mean_bytes() const {
  return mean_of([](std::int64_t bytes) { return static_cast<double>(bytes); });
}

}  // namespace sanvp::traffic
