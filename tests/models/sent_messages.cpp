#include <catch2/catch.hpp>

#include "platform/jobs/sent_messages.hpp"

using namespace sanvp;
using jobs::SentMessages;
using Lines = std::vector<std::string>;

namespace {

constexpr std::uint64_t any_tag = 0xffffffff00000000u;  // a mask: the context alone
constexpr std::uint64_t whole_tag = UINT64_MAX;
constexpr int any_rank = -1;

std::uint64_t tag_of(std::uint64_t context, std::uint64_t tag) { return context << 32 | tag; }

}  // namespace

TEST_CASE("a message that no receive takes is named by ranks, tag, communicator and size") {
  SentMessages messages;
  messages.sent(0, 1, tag_of(0, 7), 4);
  messages.posted(1, 100, 0, tag_of(0, 8), whole_tag);
  messages.sent(2, 1, tag_of(2, 0), 1);
  messages.sent(0, 3, tag_of(6, 9), 0);
  CHECK(messages.unmatched() == Lines{"to rank 1: from rank 0, tag 7, MPI_COMM_WORLD, 4 bytes",
                                      "to rank 1: from rank 2, tag 0, MPI_COMM_SELF, 1 byte",
                                      "to rank 3: from rank 0, tag 9, communicator 6, 0 bytes"});
  CHECK(messages.counts(4) == std::vector<std::int64_t>{0, 2, 0, 1});
}

TEST_CASE("a posted receive takes the first message that fits, also before its program has it") {
  SentMessages messages;
  messages.sent(0, 1, tag_of(0, 7), 4);
  messages.sent(0, 1, tag_of(0, 7), 8);
  messages.posted(1, 100, any_rank, tag_of(0, 0), any_tag);
  CHECK(messages.unmatched() == Lines{"to rank 1: from rank 0, tag 7, MPI_COMM_WORLD, 8 bytes"});
  messages.over(0, 1, tag_of(0, 7), 100);
  CHECK(messages.unmatched() == Lines{"to rank 1: from rank 0, tag 7, MPI_COMM_WORLD, 8 bytes"});
  messages.over(0, 1, tag_of(0, 7), 101);
  CHECK(messages.unmatched().empty());
  CHECK(messages.counts(2) == std::vector<std::int64_t>{0, 0});
}

TEST_CASE("a receive of another communicator, sender or tag takes nothing") {
  SentMessages messages;
  messages.sent(0, 1, tag_of(0, 7), 4);
  messages.posted(1, 1, any_rank, tag_of(6, 0), any_tag);
  messages.posted(1, 2, 2, tag_of(0, 7), whole_tag);
  messages.posted(1, 3, 0, tag_of(0, 6), whole_tag);
  CHECK(messages.unmatched().size() == 1);
}

TEST_CASE("a cancelled receive takes no message with it, and a cancelled send takes its own") {
  SentMessages messages;
  messages.posted(1, 100, 0, tag_of(0, 7), whole_tag);
  messages.sent(0, 1, tag_of(0, 7), 4);
  messages.sent(0, 1, tag_of(0, 7), 8);
  messages.over(any_rank, 1, 0, 100);
  CHECK(messages.unmatched().size() == 2);
  messages.over(0, 1, tag_of(0, 7), 0);
  CHECK(messages.unmatched() == Lines{"to rank 1: from rank 0, tag 7, MPI_COMM_WORLD, 4 bytes"});
}

TEST_CASE("messages of programs that tell no tags are counted and not named") {
  SentMessages messages;
  messages.sent(0, 1, SentMessages::unknown_tag, 0);
  CHECK(messages.unmatched().empty());
  CHECK(messages.counts(2) == std::vector<std::int64_t>{0, 1});
  messages.over(any_rank, 1, SentMessages::unknown_tag, 0);
  messages.over(any_rank, 1, SentMessages::unknown_tag, 0);  // one more than was sent
  CHECK(messages.counts(2) == std::vector<std::int64_t>{0, 0});
}
