/// An initiator that makes every mistake of the base protocol at every window of every card: transfers of all commands,
/// sizes, alignments, byte enables and streaming widths. The card answers each as the protocol says, which the checker
/// in line looks at, and lives on. SANVP_HOSTILE=N makes it N times as long.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>

#include "platform/testing/card_bench.hpp"
#include "platform/testing/card_host.hpp"

using namespace sanvp;
using namespace sanvp::testing;

namespace {

class HostileHost : public CardHost {
 public:
  using CardHost::CardHost;
  std::function<void(HostileHost&)> program;

 private:
  void run() override {
    if (program) program(*this);
  }
};
using Bench = CardBench<HostileHost>;

int length_factor() {
  const char* const factor = std::getenv("SANVP_HOSTILE");
  return factor == nullptr ? 1 : std::atoi(factor);
}

class Hostile {
 public:
  Hostile(HostileHost& host, const nic::NicModule& card, std::uint64_t seed)
      : host_(host), windows_(card.windows()), random_(seed) {
    for (const nic::RegisterValue& one : card.inspect()) registers_.push_back(one.facts);
  }

  void act() {
    tlm::tlm_generic_payload payload;
    payload.set_command(static_cast<tlm::tlm_command>(below(3)));
    payload.set_address(address());
    const unsigned length = pick({0, 1, 2, 3, 4, 4, 4, 5, 8, 8, 12, 16, 24, 32, 48, 64, 65, 4096});
    for (unsigned char& byte : data_) byte = static_cast<unsigned char>(below(8) == 0 ? below(256) : 0);
    payload.set_data_ptr(below(50) == 0 ? nullptr : data_.data());
    payload.set_data_length(length);
    payload.set_streaming_width(below(8) == 0 ? pick({0, 1, 4, 8, 100000}) : length);
    if (below(10) == 0) {
      payload.set_byte_enable_ptr(enables_.data());
      payload.set_byte_enable_length(pick({0, 1, 4, 8}));
    }
    const bool is_legal = payload.get_data_ptr() != nullptr && length > 0 && payload.get_byte_enable_ptr() == nullptr &&
                          payload.get_streaming_width() >= length;
    sc_core::sc_time delay = net::to_sc_time(Time{below(4) == 0 ? below(1000000) : 0});
    transfer(payload, delay);
    if (payload.get_command() != tlm::TLM_IGNORE_COMMAND && !is_legal) refused_ += payload.is_response_error();
    if (payload.get_command() != tlm::TLM_IGNORE_COMMAND && !is_legal) ++illegal_;
    accepted_ += payload.is_response_ok();
    if (below(16) == 0) sc_core::wait(net::to_sc_time(Time{below(5000000)}));
  }

  std::uint64_t accepted() const { return accepted_; }
  std::uint64_t illegal() const { return illegal_; }
  std::uint64_t refused() const { return refused_; }

 private:
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }
  unsigned pick(std::initializer_list<unsigned> from) {
    return from.begin()[below(static_cast<std::uint32_t>(from.size()))];
  }

  /// A register, or an edge of a window, or anything.
  std::uint64_t address() {
    std::uint64_t window = below(static_cast<std::uint32_t>(windows_.size()) + 1), offset = 0;
    switch (below(4)) {
      case 0:
        return std::uint64_t{random_()} << 32 | random_();
      case 1:
        offset = window < windows_.size() ? windows_[window] - below(70) : below(70);
        break;
      case 2:
        offset =
            window < windows_.size() && windows_[window] > 0 ? random_() % windows_[window] & ~std::uint64_t{3} : 0;
        break;
      default:
        if (registers_.empty()) break;
        const nic::RegisterFacts& one = *registers_[below(static_cast<std::uint32_t>(registers_.size()))];
        window = static_cast<std::uint64_t>(one.window);
        offset = one.offset + (below(8) == 0 ? below(9) : 0);
    }
    return window << 32 | (offset & UINT32_MAX);
  }

  void transfer(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    tlm::tlm_dmi dmi;
    switch (below(12)) {
      case 0:
        // The debug transport has no checks to make: lengths and pointers are right.
        if (payload.get_data_ptr() == nullptr) payload.set_data_ptr(data_.data());
        host_.card->transport_dbg(payload);
        break;
      case 1:
        host_.card->get_direct_mem_ptr(payload, dmi);
        break;
      default:
        return host_.card->b_transport(payload, delay);
    }
    payload.set_command(tlm::TLM_IGNORE_COMMAND);  // has no response
  }

  HostileHost& host_;
  std::vector<std::uint64_t> windows_;
  std::vector<const nic::RegisterFacts*> registers_;
  std::mt19937_64 random_;
  std::array<unsigned char, 4096> data_{};
  std::array<unsigned char, 8> enables_{0xff, 0, 0xff, 0, 0xff, 0xff, 0, 0};
  std::uint64_t accepted_ = 0, illegal_ = 0, refused_ = 0;
};

void attack(const std::string& machine, std::vector<std::string> settings = {}) {
  constexpr int accesses = 3000;
  Bench bench(2, machine, std::move(settings));
  for (int i = 0; i < 2; ++i) {
    bench.checker(i).checks_requests = false;
    bench[i].program = [&bench, i](HostileHost& host) {
      Hostile hostile(host, bench.card(i), static_cast<std::uint64_t>(i) + 1);
      for (int count = length_factor() * accesses; count > 0; --count) hostile.act();
      CHECK(hostile.accepted() > 0);
      CHECK(hostile.illegal() > 0);
      CHECK(hostile.refused() == hostile.illegal());
    };
  }
  bench.timeline.run(20ms);
  CHECK(bench.checker(0).transfers() > accesses / 2);
}

}  // namespace

TEST_CASE("hostile initiators find each mistake refused by an Elan3, which lives on") { attack("qsnet-16"); }
TEST_CASE("hostile initiators find each mistake refused by a LANai, which lives on") { attack("myrinet-8"); }
TEST_CASE("hostile initiators find each mistake refused by a DS-link card, which lives on") {
  attack("macrame-clos-64");
}
TEST_CASE("hostile initiators find each mistake refused by a VCP, which lives on") { attack("moc-2-1"); }
TEST_CASE("hostile initiators find each mistake refused by a transputer, which lives on") { attack("gcel-64"); }
TEST_CASE("hostile initiators find each mistake refused by TOFU's card, which lives on") { attack("tofu-36"); }
