// C++20 as users write it: threads, futures, exceptions that cross them, ranges, coroutines, files of a folder.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <coroutine>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <numeric>
#include <ranges>
#include <shared_mutex>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Numbers {
  struct promise_type {
    int value = 0;
    Numbers get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int next) {
      value = next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};

Numbers squares(int count) {
  for (int i = 1; i <= count; ++i) co_yield i* i;
}

long sum_in_threads(std::span<const long> numbers, int threads) {
  std::atomic<long> sum = 0;
  std::barrier meet(threads);
  std::vector<std::jthread> workers;
  for (int i = 0; i < threads; ++i)
    workers.emplace_back([&, i] {
      meet.arrive_and_wait();
      const auto share = numbers.size() / static_cast<std::size_t>(threads);
      const auto mine = numbers.subspan(share * static_cast<std::size_t>(i), share);
      sum += std::accumulate(mine.begin(), mine.end(), 0L);
    });
  workers.clear();
  return sum;
}

int fails_deeply(int depth) {
  const std::string kept(static_cast<std::size_t>(depth) + 20, 'x');
  if (depth == 0) throw std::out_of_range("at the bottom");
  return fails_deeply(depth - 1) + static_cast<int>(kept.size());
}

std::size_t files() {
  const fs::path folder = "cpp20.folder";
  fs::create_directories(folder / "inner");
  for (const char* name : {"one", "two", "inner/three"}) std::ofstream(folder / name) << name << '\n';
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), folder).string());
  std::ranges::sort(names);
  for (const auto& name : names) std::cout << name << ' ' << fs::file_size(folder / name) << '\n';
  fs::rename(folder / "one", folder / "renamed");
  fs::copy_file(folder / "two", folder / "copied");
  fs::resize_file(folder / "copied", 2);
  std::cout << fs::exists(folder / "one") << fs::exists(folder / "renamed") << fs::file_size(folder / "copied") << '\n';
  return fs::remove_all(folder);
}

}  // namespace

int main() {
  std::vector<long> numbers(40000);
  std::iota(numbers.begin(), numbers.end(), 1);
  std::cout << sum_in_threads(numbers, 4) << '\n';

  auto failing = std::async(std::launch::async, fails_deeply, 50);
  std::promise<int> promise;
  auto future = promise.get_future();
  std::jthread setter([&](std::stop_token) { promise.set_exception(std::make_exception_ptr(std::string("a text"))); });
  try {
    std::cout << failing.get();
  } catch (const std::exception& error) {
    std::cout << error.what() << '\n';
  }
  try {
    std::cout << future.get();
  } catch (const std::string& text) {
    std::cout << text << '\n';
  }

  for (const int odd : std::views::iota(1, 20) | std::views::filter([](int i) { return i % 2 == 1; }) |
                           std::views::transform([](int i) { return i * i; }) | std::views::take(5))
    std::cout << odd << ' ';
  const Numbers sequence = squares(5);
  for (sequence.handle.resume(); !sequence.handle.done(); sequence.handle.resume())
    std::cout << sequence.handle.promise().value << ' ';
  sequence.handle.destroy();
  std::cout << '\n' << files() << " removed\n";
  std::shared_mutex mutex;
  const std::shared_lock lock(mutex);
  std::cout << mutex.try_lock() << mutex.try_lock_shared() << std::thread::hardware_concurrency() * 0 << '\n';
  return 0;
}
