// std::thread, async, condition variables, call_once.
#include <atomic>
#include <condition_variable>
#include <future>
#include <iostream>
#include <mutex>
#include <thread>
#include <vector>
int main() {
  std::vector<std::future<long>> results;
  for (int i = 0; i < 6; ++i)
    results.push_back(std::async(std::launch::async, [i] {
      long sum = 0;
      for (int k = 0; k < 20000; ++k) sum += k % (i + 1);
      return sum;
    }));
  for (auto& result : results) std::cout << result.get() << " ";
  std::once_flag once;
  std::atomic<int> runs{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { std::call_once(once, [&] { ++runs; }); });
  for (auto& thread : threads) thread.join();
  std::promise<int> promise;
  auto failed = promise.get_future();
  std::thread([&] { promise.set_exception(std::make_exception_ptr(std::runtime_error("from a thread"))); }).join();
  try {
    failed.get();
  } catch (const std::exception& error) {
    std::cout << runs << " " << error.what() << std::endl;
  }
  return 0;
}
