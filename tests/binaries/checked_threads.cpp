// What --check-mpi says of threads (MPI_THREAD_MULTIPLE): nothing where each does what is right, however their calls
// come in between; and mistakes of one of them.
#include <mpi.h>

#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int threads = 4, rounds = 8;
int rank, ranks, before, next_rank;
MPI_Comm own[threads];

int text(int thread, int round) { return rank * 100 + thread * 10 + round; }

void exchange(int thread) {
  for (int round = 0; round < rounds; ++round) {
    int out = text(thread, round), in;
    MPI_Sendrecv(&out, 1, MPI_INT, next_rank, thread, &in, 1, MPI_INT, before, thread, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
}

void reduce(int thread) {
  for (int round = 0; round < rounds; ++round) {
    int out = text(thread, round), in;
    MPI_Request request;
    MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, own[thread]);
    MPI_Iallreduce(&out, &in, 1, MPI_INT, MPI_SUM, own[thread], &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

/// The library gives the memory of requests that are over to other threads' next ones.
void poll(int thread) {
  for (int round = 0; round < rounds; ++round) {
    int out = text(thread, round), in, done = 0;
    MPI_Request requests[2];
    MPI_Irecv(&in, 1, MPI_INT, before, thread, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, next_rank, thread, MPI_COMM_WORLD, &requests[1]);
    while (!done) MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
  }
}

/// Which thread gets which message depends on time.
void share(int thread) {
  for (int round = 0; round < rounds; ++round) {
    int out = text(thread, round), in;
    MPI_Request request;
    if (thread % 2) {
      MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
      MPI_Send(&out, 1, MPI_INT, next_rank, 0, MPI_COMM_WORLD);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      MPI_Isend(&out, 1, MPI_INT, next_rank, 0, MPI_COMM_WORLD, &request);
      MPI_Recv(&in, 1, MPI_INT, before, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }
}

void make(int thread) {
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm copy;
    MPI_Datatype pair;
    int out[2] = {rank, round}, in[2];
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Comm_dup(own[thread], &copy);
    MPI_Sendrecv(out, 1, pair, next_rank, 0, in, 1, pair, before, 0, copy, MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
    MPI_Type_free(&pair);
  }
}

/// Where sends wait for their receives, the ring of one thread stands while the others go on.
void send_first(int thread) {
  int out = thread, in;
  if (thread != 2) return exchange(thread);
  MPI_Send(&out, 1, MPI_INT, next_rank, thread, MPI_COMM_WORLD);
  MPI_Recv(&in, 1, MPI_INT, before, thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void receive_floats(int thread) {
  int out = thread;
  float in;
  if (thread != 2) return exchange(thread);
  MPI_Sendrecv(&out, 1, MPI_INT, next_rank, thread, &in, 1, MPI_FLOAT, before, thread, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)(int)> cases{{"exchange", exchange},
                                                   {"reduce", reduce},
                                                   {"poll", poll},
                                                   {"share", share},
                                                   {"make", make},
                                                   {"send_first", send_first},
                                                   {"receive_floats", receive_floats}};
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  before = (rank + ranks - 1) % ranks;
  next_rank = (rank + 1) % ranks;
  for (MPI_Comm& comm : own) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back(cases.at(argv[1]), i);
  for (std::thread& one : all) one.join();
  for (MPI_Comm& comm : own) MPI_Comm_free(&comm);
  MPI_Finalize();
}
