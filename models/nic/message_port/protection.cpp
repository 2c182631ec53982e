#include "models/nic/message_port/protection.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::message_port {

Protection::Rules Protection::Rules::read(const Parameters& parameters, const char* fallback, const char* source,
                                          Time check, Time timeout) {
  const std::string scheme = parameters.choice(
      "protection", fallback, {"none", "parity", "crc"},
      "against bit errors: none, damage stays undetected; parity, the link detects and drops damaged packets, which "
      "ends the run; crc, a what-if: cards detect them and retransmit (with parameters crc.*)",
      source);
  const char* const what_if = "assumed: no such machine had it";
  const Parameters crc = parameters.section("crc");
  Rules rules{
      .scheme = scheme == "crc"      ? Scheme::crc
                : scheme == "parity" ? Scheme::parity
                                     : Scheme::none,
      .bytes = static_cast<int>(
          crc.count("bytes", 4, "of each packet on the wire, confirmations too: a CRC of 16 bits, a number of 16 bits",
                    what_if, 0, 64)),
      .check = crc.time("packet", check, "of the card's processor to make or check a packet's CRC",
                        "assumed; a T805 has an instruction for it: 35 cycles of 30 MHz for each word, 35 us for "
                        "120 bytes"),
      .timeout =
          crc.time("timeout", timeout, "until an unconfirmed packet is retransmitted; doubled after each attempt",
                   "assumed: several round trips across the machine"),
      .attempts =
          static_cast<int>(crc.count("attempts", 8, "after which the packet's node counts as dead", what_if, 1, 32))};
  if (rules.scheme != Scheme::crc) rules.bytes = 0;
  return rules;
}

void Protection::going(std::uint32_t node, const Payload& packet) {
  Header header = header_of(packet);
  header.sequence = ++numbers_[node];
  put_header(packet, header);
  const Key key{node, header.sequence};
  unconfirmed_.emplace(key, Unconfirmed{packet});
  wait_for(key, 1);
}

void Protection::wait_for(const Key& key, int attempts) {
  const std::int64_t at = queue_.now_ps() + (rules_.timeout.count() << (attempts - 1));
  deadlines_.emplace(at, key);
  constexpr std::uint16_t kind = 125;
  queue_.schedule({.ps = at, .handler = this, .kind = kind, .unit = host_});
}

void Protection::handle(const net::Event&) {
  while (!deadlines_.empty() && deadlines_.begin()->first <= queue_.now_ps()) {
    const Key key = deadlines_.begin()->second;
    deadlines_.erase(deadlines_.begin());
    const auto found = unconfirmed_.find(key);
    if (found == unconfirmed_.end()) continue;
    Unconfirmed& waiting = found->second;
    if (waiting.attempts >= rules_.attempts) {
      const Header header = header_of(waiting.packet);
      const int attempts = waiting.attempts;
      unconfirmed_.erase(found);
      calls_.give_up(header, attempts);
      continue;
    }
    ++waiting.attempts;
    ++counters_.resent;
    wait_for(key, waiting.attempts);
    calls_.send(key.first, waiting.packet);
  }
}

bool Protection::come(const Payload& packet) {
  const Header header = header_of(packet);
  if (header.kind == Header::Kind::confirmation) {
    unconfirmed_.erase({header.node, header.sequence});
    return false;
  }
  const Header confirmation{.kind = Header::Kind::confirmation, .node = host_, .sequence = header.sequence};
  ++counters_.confirmations;
  calls_.send(header.node, encode(confirmation, 0));
  return is_new(header);
}

bool Protection::is_new(const Header& header) {
  Come& come = come_[header.node];
  if (header.sequence < come.next || !come.later.insert(header.sequence).second) {
    ++counters_.duplicates;
    return false;
  }
  while (!come.later.empty() && *come.later.begin() == come.next) {
    come.later.erase(come.later.begin());
    ++come.next;
  }
  return true;
}

}  // namespace sanvp::nic::message_port
