// Threads and exceptions of C++ in each rank, MPI in its main thread: a queue with a condition variable, exceptions
// that cross from a thread to its caller, and a sum over the ranks.
#include <mpi.h>

#include <condition_variable>
#include <future>
#include <iostream>
#include <mutex>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

class Queue {
 public:
  void put(int value) {
    const std::lock_guard<std::mutex> lock(mutex_);
    values_.push(value);
    filled_.notify_one();
  }
  int take() {
    std::unique_lock<std::mutex> lock(mutex_);
    filled_.wait(lock, [this] { return !values_.empty(); });
    const int value = values_.front();
    values_.pop();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::queue<int> values_;
};

int deep(int depth) {
  const std::vector<int> held(10, depth);  // to be destroyed on the way out
  if (depth == 0) throw std::runtime_error("thrown at the bottom");
  return deep(depth - 1) + held[0];
}

int caught_from_threads() {
  int caught = 0;
  std::vector<std::future<int>> answers;
  for (int i = 0; i < 3; ++i) answers.push_back(std::async(std::launch::async, deep, 10 * i));
  for (auto& answer : answers) {
    try {
      answer.get();
    } catch (const std::runtime_error& error) {
      caught += std::string(error.what()) == "thrown at the bottom";
    }
  }
  return caught;
}

int squares_by_threads() {
  constexpr int kThreads = 4, kEach = 25;
  Queue work, done;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&] {
      for (int value = work.take(); value >= 0; value = work.take()) done.put(value * value);
    });
  for (int i = 0; i < kThreads * kEach; ++i) work.put(i);
  for (int t = 0; t < kThreads; ++t) work.put(-1);
  for (auto& thread : threads) thread.join();
  int sum = 0;
  for (int i = 0; i < kThreads * kEach; ++i) sum += done.take();
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int here[2] = {caught_from_threads(), squares_by_threads()};
  int all[2] = {0, 0};
  MPI_Allreduce(here, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  constexpr int kSumOfSquares = 99 * 100 * 199 / 6;
  if (rank == 0 && all[0] == 3 * ranks && all[1] == kSumOfSquares * ranks)
    std::cout << "threads and exceptions are right\n";
  MPI_Finalize();
}
