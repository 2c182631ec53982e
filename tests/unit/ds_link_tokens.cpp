#include "models/nic/ds_link/tokens.hpp"

#include <catch2/catch.hpp>

#include "platform/core/random.hpp"

using namespace sanvp;
using namespace sanvp::nic::ds_link;

namespace {

std::vector<std::byte> bytes(std::size_t count, std::uint64_t seed = 1) {
  Random random(seed, "bytes");
  std::vector<std::byte> made(count);
  for (auto& byte : made) byte = static_cast<std::byte>(random.below(256));
  return made;
}

std::vector<bool> to_bits(const std::vector<Token>& tokens) {
  TokenSender sender;
  std::vector<bool> bits;
  for (const Token token : tokens) sender.send(token, bits);
  return bits;
}

}  // namespace

TEST_CASE("packets of DS links have the bits of FACTS 7.2") {
  const auto bits = [](std::size_t header, std::size_t payload) {
    return to_bits(packet_tokens(bytes(header), bytes(payload), false)).size();
  };
  CHECK(bits(1, 64) == 654);
  CHECK(bits(2, 64) == 664);
  CHECK(bits(1, 32) == 334);
  CHECK(bits(2, 128) == 1304);
  CHECK(bits(2, 4) == 64);
  CHECK(bits(2, 0) == 24);                               // an acknowledgement
  CHECK(to_bits({Token::esc, Token::fct}).size() == 8);  // NULL
}

TEST_CASE("tokens come out of their bits as they went in, control tokens between them") {
  std::vector<Token> tokens{Token::esc, Token::fct, Token::fct};
  for (const Token token : packet_tokens(bytes(2), bytes(32), true)) tokens.push_back(token);
  tokens.insert(tokens.begin() + 10, Token::fct);  // FCTs go inside packets too
  tokens.push_back(Token::esc);
  tokens.push_back(Token::fct);
  const auto received = TokenReceiver::receive(to_bits(tokens));
  CHECK_FALSE(received.parity_error);
  CHECK(received.tokens == tokens);
  CHECK(tokens[tokens.size() - 3] == Token::eom);
}

TEST_CASE("every single wrong bit is found, by the token it is in or the next one") {
  const std::vector<Token> tokens = packet_tokens(bytes(2, 7), bytes(32, 8), false);
  auto all = tokens;
  all.push_back(Token::esc);  // a link is never silent: something follows
  all.push_back(Token::fct);
  const std::vector<bool> bits = to_bits(all);
  const std::size_t packet_bits = to_bits(tokens).size();
  for (std::size_t wrong = 0; wrong < packet_bits; ++wrong) {
    auto hit = bits;
    hit[wrong] = !hit[wrong];
    const auto received = TokenReceiver::receive(hit);
    INFO("bit " << wrong);
    REQUIRE(received.parity_error);
    // What was received before the error is right, but for the token with the wrong bit itself.
    REQUIRE(received.error_bit + 12 >= wrong);
    REQUIRE(received.tokens.size() <= tokens.size() + 1);
    for (std::size_t i = 0; i + 1 < received.tokens.size(); ++i) REQUIRE(received.tokens[i] == tokens[i]);
  }
}

TEST_CASE("exactly one of data and strobe changes at each bit") {
  const std::vector<bool> bits = to_bits(packet_tokens(bytes(2), bytes(64), false));
  const DataStrobe wires = to_wires(bits);
  bool data = false;
  bool strobe = false;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    CHECK((wires.data[i] != data) != (wires.strobe[i] != strobe));
    data = wires.data[i];
    strobe = wires.strobe[i];
  }
  REQUIRE(from_wires(wires).has_value());
  CHECK(*from_wires(wires) == bits);
  DataStrobe noise = wires;
  noise.strobe[17] = !noise.strobe[17];
  CHECK_FALSE(from_wires(noise).has_value());
}
