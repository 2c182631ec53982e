#include "models/nic/stc104/stc104.hpp"

namespace sanvp::nic::stc104 {
namespace {

constexpr std::uint32_t word = sizeof(std::uint32_t);
constexpr Row links{STC104_LINKS, STC104_LINK(1U) - STC104_LINK(0U), "link"};

}  // namespace

template <std::uint32_t Stc104::Link::*word>
Register<Stc104> Stc104::word_of_link(const char* name, std::uint32_t offset, const char* meaning, const char* source) {
  return {.name = name,
          .offset = STC104_LINK(0U) + offset,
          .row = links,
          .read = [](const Stc104& device, const Instance& one) -> Value { return device.links_[one.row].*word; },
          .write = [](Stc104& device,
                      const Store& store) { device.links_[store.instance.row].*word = store.as<std::uint32_t>(); },
          .meaning = meaning,
          .source = source};
}

const RegisterMap<Stc104>& Stc104::register_map() {
  static const auto map =
      RegisterMap<Stc104>(std::vector<Window<Stc104>>{{.name = "configuration",
                                                       .bytes = STC104_DEVICE_BYTES,
                                                       .meaning = "of one switch, by its control link",
                                                       .source = "FACTS 3.2; offsets are assumed"}})
          .with(Registers<Stc104>{
              {.name = "Identity",
               .offset = STC104_IDENTITY,
               .reset = STC104_IS_ONE,
               .read = [](const Stc104&, const Instance&) -> Value { return STC104_IS_ONE; },
               .meaning = "STC104_IS_ONE",
               .source = "assumed"},
              word_of_link<&Link::mode>("Mode", STC104_MODE, "STC104_MODE_...: grouped, deletes, randomises",
                                        "FACTS 3.2"),
              word_of_link<&Link::random>("Random", STC104_RANDOM, "headers that randomising draws from, STC104_RANGE",
                                          "FACTS 3.2"),
              word_of_link<&Link::own>("Own", STC104_OWN, "headers that are deleted where they come in, STC104_RANGE",
                                       "FACTS 3.2"),
              {.name = "Interval",
               .offset = STC104_LINK(0U) + STC104_INTERVAL(0U),
               .row = links,
               .item = {STC104_INTERVALS, word},
               .read = [](const Stc104& device, const Instance& one) -> Value {
                 return device.links_[one.row].intervals[one.item];
               },
               .write =
                   [](Stc104& device, const Store& store) {
                     device.links_[store.instance.row].intervals[store.instance.item] = store.as<std::uint32_t>();
                   },
               .meaning = "end of an interval of headers, and the link that it leads to, STC104_ENTRY",
               .source = "FACTS 3.2; their number is assumed"}});
  return map;
}

std::optional<std::uint32_t> Stc104::read(std::uint32_t offset) const {
  const RegisterTable::Found found = register_map().find(0, offset);
  if (found.number < 0 || found.inside != 0) return std::nullopt;
  const std::optional<Value> value = register_map().look(*this, found);
  return value ? std::optional(value->word()) : std::nullopt;
}

bool Stc104::write(std::uint32_t offset, std::uint32_t value) {
  const RegisterMap<Stc104>& map = register_map();
  const RegisterTable::Found found = map.find(0, offset);
  if (found.number < 0 || found.inside != 0) return false;
  if (!map.registers()[static_cast<std::size_t>(found.number)].can_write) return false;
  map.write(*this, found.number, Store::of(value, found.instance));
  return true;
}

std::optional<Stc104::Output> Stc104::find(int link, std::uint32_t header) const {
  std::uint32_t begin = 0;
  for (const std::uint32_t entry : links_[link].intervals) {
    const std::uint32_t end = STC104_ENTRY_END(entry);
    if (end <= begin) break;
    begin = end;
    if (header >= end) continue;
    Output output{.link = static_cast<int>(STC104_ENTRY_LINK(entry))};
    if (output.link >= static_cast<int>(STC104_LINKS)) break;  // a way to discard packets on purpose
    output.deletes = (links_[output.link].mode & STC104_MODE_DELETE) != 0;
    while (output.link + output.links < static_cast<int>(STC104_LINKS) &&
           (links_[output.link + output.links].mode & STC104_MODE_GROUPED) != 0)
      ++output.links;
    return output;
  }
  return std::nullopt;
}

Stc104::Range Stc104::randomises(int link) const {
  return (links_[link].mode & STC104_MODE_RANDOMISE) != 0 ? range(STC104_RANDOM, link) : Range{};
}

Stc104::Range Stc104::range(std::uint32_t which, int link) const {
  const std::uint32_t value = which == STC104_OWN ? links_[link].own : links_[link].random;
  return {STC104_RANGE_FIRST(value), STC104_RANGE_COUNT(value)};
}

}  // namespace sanvp::nic::stc104
