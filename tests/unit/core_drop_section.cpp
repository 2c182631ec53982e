#include <catch2/catch.hpp>

#include "platform/core/parameters.hpp"

TEST_CASE("a dropped section is forgotten with those below it, and nothing else") {
  auto set = sanvp::ParameterSet::from_text("[link]\nrate = 1\n[link.host]\nrate = 2\n[linked]\nrate = 3\n", "m.ini");
  set.drop_section("link");
  CHECK(set.find("link.rate") == nullptr);
  CHECK(set.find("link.host.rate") == nullptr);
  REQUIRE(set.find("linked.rate") != nullptr);
  CHECK(set.find("linked.rate")->text == "3");
}
