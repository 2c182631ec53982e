#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "models/net/fifo.hpp"

using sanvp::net::Fifo;

namespace {

std::vector<int> rest(Fifo<int>& fifo) { return {fifo.begin(), fifo.end()}; }

}  // namespace

TEST_CASE("a Fifo gives back what it got, in order") {
  Fifo<int> fifo;
  CHECK(fifo.empty());
  for (const int value : {1, 2, 3}) fifo.push_back(value);
  CHECK(fifo.size() == 3);
  CHECK(fifo.front() == 1);
  CHECK(fifo.take_front() == 1);
  fifo.push_back(4);
  CHECK(rest(fifo) == std::vector{2, 3, 4});
  fifo.pop_front();
  CHECK(fifo.take_front() == 3);
  CHECK(fifo.take_front() == 4);
  CHECK(fifo.empty());
}

TEST_CASE("a Fifo begins again at the same place when it has run empty") {
  Fifo<int> fifo;
  fifo.push_back(1);
  const int* const place = &fifo.front();
  for (int i = 2; i < 1000; ++i) {
    fifo.pop_front();
    fifo.push_back(i);
    CHECK(&fifo.front() == place);
  }
}

TEST_CASE("a Fifo takes values in front, in between and out of it") {
  Fifo<int> fifo;
  fifo.push_front(2);
  fifo.push_front(1);
  fifo.push_back(4);
  fifo.insert(fifo.begin() + 2, 3);
  CHECK(rest(fifo) == std::vector{1, 2, 3, 4});
  fifo.erase(fifo.begin() + 1);
  CHECK(rest(fifo) == std::vector{1, 3, 4});
  fifo.erase(fifo.begin());
  fifo.push_front(0);
  CHECK(rest(fifo) == std::vector{0, 3, 4});
}

TEST_CASE("a Fifo that never runs empty keeps its order and forgets what is gone") {
  Fifo<std::shared_ptr<int>> fifo;
  std::weak_ptr<int> first;
  for (int i = 0; i < 10; ++i) fifo.push_back(std::make_shared<int>(i));
  first = fifo.front();
  bool in_order = true;
  for (int i = 0; i < 5000; ++i) {
    in_order = in_order && *fifo.take_front() == i;
    fifo.push_back(std::make_shared<int>(i + 10));
  }
  CHECK(in_order);
  CHECK(fifo.size() == 10);
  CHECK(first.expired());
}
