// Something of each header of containers, algorithms, numbers, strings and threads that has code in libstdc++.
#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <barrier>
#include <bitset>
#include <charconv>
#include <chrono>
#include <complex>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <forward_list>
#include <fstream>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <latch>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <ranges>
#include <regex>
#include <semaphore>
#include <set>
#include <shared_mutex>
#include <sstream>
#include <stack>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <valarray>
#include <variant>
#include <vector>

template <class Container>
long sum_of(const Container& numbers) {
  return std::accumulate(std::begin(numbers), std::end(numbers), 0L);
}

long containers() {
  std::vector<int> numbers(100);
  std::iota(numbers.begin(), numbers.end(), 1);
  const auto begin = numbers.begin(), end = numbers.end();
  const std::unordered_set<int> hashed(begin, end);
  const std::unordered_multiset<int> hashed_twice(begin, end);
  std::unordered_map<std::string, int> named;
  std::unordered_multimap<double, int> real;
  std::map<int, int> ordered;
  std::multimap<int, int> ordered_twice;
  for (const int n : numbers) {
    named[std::to_string(n)] = ordered[n] = n;
    real.emplace(n, n);
    ordered_twice.emplace(n % 7, n);
  }
  std::priority_queue<int> heap(begin, end);
  std::queue<int> queue;
  std::stack<int> stack;
  queue.push(heap.top());
  stack.push(queue.front());
  std::pmr::monotonic_buffer_resource pool;
  const std::pmr::vector<int> pooled(begin, end, &pool);
  const std::valarray<long> values(5L, 10);
  const std::bitset<100> bits(0x1234);
  long sum = sum_of(hashed) + sum_of(hashed_twice) + sum_of(std::deque<int>(begin, end)) +
             sum_of(std::list<int>(begin, end)) + sum_of(std::forward_list<int>(begin, end)) +
             sum_of(std::set<int>(begin, end)) + sum_of(std::multiset<int>(begin, end)) + sum_of(pooled);
  for (const auto& [name, value] : named) sum += value;
  for (const auto& [key, value] : real) sum += value;
  return sum + stack.top() + values.sum() + static_cast<long>(bits.count() + ordered.size() + ordered_twice.size());
}

long algorithms() {
  std::mt19937_64 random(1);
  std::vector<long> numbers(1000);
  for (long& n : numbers) n = static_cast<long>(random() % 1000);
  std::stable_sort(numbers.begin(), numbers.end());
  std::shuffle(numbers.begin(), numbers.end(), random);
  std::nth_element(numbers.begin(), numbers.begin() + 500, numbers.end());
  std::inplace_merge(numbers.begin(), numbers.begin() + 500, numbers.end());
  std::partial_sort(numbers.begin(), numbers.begin() + 10, numbers.end());
  std::stable_partition(numbers.begin(), numbers.end(), [](long n) { return n % 2 == 0; });
  std::ranges::sort(numbers, std::greater<>());
  std::normal_distribution<double> normal;
  std::poisson_distribution<int> poisson(100);
  std::binomial_distribution<int> binomial(100, 0.5);
  std::gamma_distribution<double> gamma(2);
  const double drawn = normal(random) + poisson(random) + binomial(random) + gamma(random);
  long even = 0;
  for (const long n : numbers | std::views::filter([](long one) { return one % 2 == 0; }) | std::views::take(5))
    even += n;
  return numbers.front() * 1000 + static_cast<long>(drawn > 0) + (even > 0) + std::lcm(4, 6) + std::midpoint(2, 4);
}

std::string texts() {
  std::ostringstream out;
  const std::complex<double> number = std::pow(std::complex<double>(1, 1), 2);
  std::array<char, 40> digits{};
  const auto [end, error] = std::to_chars(digits.begin(), digits.end(), 1.5);
  double back = 0;
  std::from_chars(digits.data(), end, back);
  std::any any = std::string("any");
  std::variant<int, std::string> either = "either";
  std::optional<int> maybe = 3;
  out << std::setprecision(3) << number.imag() << ' ' << back << ' ' << std::any_cast<std::string>(any) << ' '
      << std::get<std::string>(either) << ' ' << *maybe << ' ' << std::regex_replace("a1b2", std::regex("[0-9]+"), "#")
      << ' ' << std::quoted("it") << ' ' << std::filesystem::path("/a/b.txt").extension().string() << ' '
      << std::chrono::duration_cast<std::chrono::minutes>(std::chrono::hours(2)).count();
  return out.str();
}

long threads() {
  std::atomic<long> sum = 0;
  std::mutex mutex;
  std::shared_mutex shared;
  std::condition_variable filled;
  std::latch started(2);
  std::counting_semaphore<> free(1);
  bool is_ready = false;
  std::thread thread([&] {
    started.arrive_and_wait();
    const std::lock_guard lock(mutex);
    is_ready = true;
    filled.notify_one();
  });
  started.arrive_and_wait();
  std::unique_lock lock(mutex);
  filled.wait(lock, [&] { return is_ready; });
  lock.unlock();
  thread.join();
  free.acquire();
  const std::shared_lock reads(shared);
  auto future = std::async(std::launch::async, [&] { return sum.fetch_add(40) + 2; });
  return future.get() + sum;
}

int main() {
  std::cout << containers() << ' ' << algorithms() << ' ' << texts() << ' ' << threads() << '\n';
  return 0;
}
