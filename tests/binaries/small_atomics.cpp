// Atomic operations on one and two bytes, and on sixteen, for which GCC calls a library; std::barrier has some, too.
#include <mpi.h>

#include <atomic>
#include <barrier>
#include <cstdint>
#include <iostream>
#include <thread>
#include <vector>

namespace {

struct Pair {
  std::int64_t first, second;
};

constexpr int threads = 4, rounds = 50;

std::atomic<bool> held{false};
std::atomic<std::int16_t> sum{0};
std::atomic<Pair> pair{Pair{0, 0}};
int guarded = 0, phases = 0;

void add_pair() {
  Pair seen = pair.load();
  while (!pair.compare_exchange_weak(seen, {seen.first + 1, seen.second - 1})) {
  }
}

bool is_right() {
  std::barrier round(threads, []() noexcept { ++phases; });
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i)
    all.emplace_back([&] {
      for (int k = 0; k < rounds; ++k) {
        while (held.exchange(true)) std::this_thread::yield();
        ++guarded;
        held = false;
        sum.fetch_add(3);
        add_pair();
        round.arrive_and_wait();
      }
    });
  for (std::thread& thread : all) thread.join();
  const Pair last = pair;
  const int operations = threads * rounds;
  return guarded == operations && sum == 3 * operations && last.first == operations && last.second == -operations &&
         phases == rounds;
}

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int rank = 0, ranks = 0, right = is_right(), all = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Reduce(&right, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) std::cout << "small atomics: " << (all == ranks ? "right" : "wrong") << '\n';
  MPI_Finalize();
}
