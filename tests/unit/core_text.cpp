#include <catch2/catch.hpp>

#include "platform/core/lists.hpp"
#include "platform/core/text.hpp"

using namespace sanvp;

TEST_CASE("the nearest name forgives a missing, a wrong, a doubled and a swapped letter, and the case") {
  const std::vector<std::string> known = {"switch.buffer", "switch.arbiter", "link.delay"};
  CHECK(nearest("switch.bufer", known) == "switch.buffer");
  CHECK(nearest("switch.buffet", known) == "switch.buffer");
  CHECK(nearest("switch.bufffer", known) == "switch.buffer");
  CHECK(nearest("swicth.buffer", known) == "switch.buffer");
  CHECK(nearest("Link.Delay", known) == "link.delay");
}

TEST_CASE("a name that is nowhere near has no nearest name") {
  CHECK(nearest("quantum", {"elite", "myrinet"}).empty());
  CHECK(nearest("elite", {}).empty());
  CHECK(nearest("", {"elite"}).empty());
}

TEST_CASE("a short name forgives one mistake only") {
  CHECK(nearest("abd", {"abc"}) == "abc");
  CHECK(nearest("adc", {"acd"}) == "acd");
  CHECK(nearest("axy", {"abc"}).empty());
}

TEST_CASE("among equally near names the first listed wins, and a nearer one beats it") {
  CHECK(nearest("torus", {"torud", "torup"}) == "torud");
  CHECK(nearest("fat_trees", {"fat_trxx", "fat_tree"}) == "fat_tree");
}

TEST_CASE("a megabyte of letters has no nearest name and takes no time") {
  CHECK(nearest(std::string(1 << 20, 'a'), {"elite", "myrinet"}).empty());
}

TEST_CASE("user text is shortened and made printable for a message") {
  CHECK(in_quotes("35xs") == "'35xs'");
  CHECK(in_quotes(std::string("a\0b\nc", 5)) == "'a?b?c'");
  CHECK(in_quotes(std::string(60, 'x')) == "'" + std::string(60, 'x') + "'");
  CHECK(in_quotes(std::string(61, 'x')) == "'" + std::string(60, 'x') + "...'");
}

TEST_CASE("blanks around a text are trimmed, those inside are not") {
  CHECK(trimmed(" \t a b \r") == "a b");
  CHECK(trimmed(" \t ").empty());
  CHECK(trimmed("").empty());
}

TEST_CASE("a name with the other of - and _ is the same name") {
  CHECK(spelled_otherwise("hot_spot", {"uniform", "hot-spot"}) == "hot-spot");
  CHECK(spelled_otherwise("a-b_c", {"a_b-c"}) == "a_b-c");
  CHECK(spelled_otherwise("hotspot", {"hot-spot"}).empty());
}

TEST_CASE("lines are broken at blanks, and go on below their second column") {
  CHECK(wrapped("one two three\nshort\n", 9) == "one two\nthree\nshort\n");
  CHECK(wrapped("  cg  a b c d e", 12) == "  cg  a b c\n      d e");
  CHECK(wrapped("    deep words of it", 12) == "    deep\n    words of\n    it");
  CHECK(wrapped("unbreakable word", 4) == "unbreakable\nword");
  CHECK(wrapped(" a column  far right", 12) == " a column\n far right");  // no room below it
}

TEST_CASE("what fits stays as it is, and a letter of two bytes is one column") {
  CHECK(wrapped("exactly ten\n\n", 11) == "exactly ten\n\n");
  CHECK(wrapped("\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4", 5) == "\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4");
  CHECK(wrapped("", 5).empty());
}

TEST_CASE("a list has what stands between its commas, without blanks, and may end with one") {
  using List = std::vector<std::string_view>;
  CHECK(between_commas("").empty());
  CHECK(between_commas("one") == List{"one"});
  CHECK(between_commas(" one , two words,three,") == List{"one", "two words", "three"});
  CHECK(between_commas("one,,two") == List{"one", "", "two"});
  CHECK(between_commas(",") == List{""});
}
