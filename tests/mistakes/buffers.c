/* Buffers that are changed, aliased or in use. */
#include "tests/mistakes/mistakes.h"

#include <string.h>

CASE send_changed(int wrong) {
  static int v[1000];
  MPI_Request r = MPI_REQUEST_NULL;
  if (rank == 0) MPI_Isend(v, 1000, MPI_INT, 1, 1, W, &r);
  if (wrong) v[500] = 1;
  if (rank == 1) MPI_Irecv(v, 1000, MPI_INT, 0, 1, W, &r);
  MPI_Wait(&r, NO);
  v[500] = 0;
}
CASE started_send_changed(int wrong) {
  int v = 1;
  MPI_Request r;
  if (rank > 1) return;
  if (rank == 0) MPI_Ssend_init(&v, 1, MPI_INT, 1, 1, W, &r);
  if (rank == 1) MPI_Recv_init(&v, 1, MPI_INT, 0, 1, W, &r);
  MPI_Start(&r);
  if (wrong && rank == 0) v = 2;
  MPI_Wait(&r, NO);
  MPI_Request_free(&r);
}
CASE receive_written(int wrong) {
  static int v[16];
  MPI_Request r = MPI_REQUEST_NULL;
  int there = 0;
  if (rank == 0) MPI_Isend(v, 16, MPI_INT, 1, 1, W, &r);
  if (rank == 1) MPI_Irecv(v, 16, MPI_INT, 0, 1, W, &r);
  if (rank == 1)
    while (!there) MPI_Request_get_status(r, &there, NO);
  if (rank == 1 && wrong) v[3] = 77;
  MPI_Wait(&r, NO);
  v[3] = 0;
}
CASE two_receives(int wrong) {
  int v[2];
  MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (rank == 1) MPI_Irecv(&v[0], 1, MPI_INT, 0, 1, W, &r[0]);
  if (rank == 1) MPI_Irecv(wrong ? &v[0] : &v[1], 1, MPI_INT, 0, 2, W, &r[1]);
  for (int tag = 1; tag <= 2 && rank == 0; ++tag) v[0] = tag, MPI_Send(v, 1, MPI_INT, 1, tag, W);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
CASE receives_at_one_line(int wrong) { /* equal ones are a warning, others an error */
  int v[6] = {0};
  MPI_Request r[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  for (int i = 0; i < 3 && rank == 1; ++i) MPI_Irecv(&v[wrong ? i / 2 : 2 * i], 2, MPI_INT, 0, 1, W, &r[i]);
  for (int i = 0; i < 3 && rank == 0; ++i) MPI_Send(v, 2, MPI_INT, 1, 1, W);
  MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
}
CASE parts_of_receives(int wrong) {
  int v[20];
  MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (rank == 1) MPI_Irecv(&v[0], 10, MPI_INT, 0, 1, W, &r[0]);
  if (rank == 1) MPI_Irecv(&v[wrong ? 9 : 10], 10, MPI_INT, 0, 2, W, &r[1]);
  memset(v, 0, rank == 0 ? sizeof v : 0);
  for (int tag = 1; tag <= 2 && rank == 0; ++tag) MPI_Send(v, 10, MPI_INT, 1, tag, W);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
CASE columns(int wrong) { /* interleaved ones do not overlap */
  int v[16] = {0};
  MPI_Datatype column;
  MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Type_vector(4, 1, 4, MPI_INT, &column);
  MPI_Type_commit(&column);
  if (rank == 1) MPI_Irecv(&v[0], 1, column, 0, 1, W, &r[0]);
  if (rank == 1) MPI_Irecv(&v[wrong ? 4 : 1], wrong ? 1 : 1, wrong ? MPI_INT : column, 0, 2, W, &r[1]);
  if (rank == 0) MPI_Send(v, 4, MPI_INT, 1, 1, W);
  if (rank == 0) MPI_Send(v, wrong ? 1 : 4, MPI_INT, 1, 2, W);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Type_free(&column);
}
CASE receive_over_send(int wrong) {
  int v[2] = {1, 2};
  MPI_Request r;
  if (!in_pair()) return;
  MPI_Isend(&v[0], 1, MPI_INT, other, 1, W, &r);
  MPI_Recv(wrong ? &v[0] : &v[1], 1, MPI_INT, other, 1, W, NO);
  v[0] = 1;
  MPI_Wait(&r, NO);
}
CASE send_of_receive(int wrong) {
  int v[2] = {1, 2};
  MPI_Request r;
  if (!in_pair()) return;
  MPI_Irecv(&v[0], 1, MPI_INT, other, 1, W, &r);
  MPI_Send(wrong ? &v[0] : &v[1], 1, MPI_INT, other, 1, W);
  MPI_Wait(&r, NO);
}
CASE exchange_in_place(int wrong) {
  int v[4] = {0};
  if (in_pair()) MPI_Sendrecv(&v[0], 2, MPI_INT, other, 1, &v[wrong ? 1 : 2], 2, MPI_INT, other, 1, W, NO);
}
CASE overlapping_type(int wrong) {
  int v[4] = {0};
  const int blocks[2] = {2, 2}, at[2] = {0, wrong ? 1 : 2};
  MPI_Datatype pieces;
  MPI_Type_indexed(2, blocks, at, MPI_INT, &pieces);
  MPI_Type_commit(&pieces);
  if (rank == 0) MPI_Send(v, 4, MPI_INT, 1, 1, W);
  if (rank == 1) MPI_Recv(v, 1, pieces, 0, 1, W, NO);
  MPI_Type_free(&pieces);
}
CASE aliased_reduction(int wrong) {
  int v[2] = {1, 2};
  MPI_Allreduce(&v[0], wrong ? &v[0] : &v[1], 1, MPI_INT, MPI_SUM, W);
}
CASE aliased_gathering(int wrong) {
  int v[64] = {0}, own = rank;
  MPI_Allgather(wrong ? &v[rank] : &own, 1, MPI_INT, v, 1, MPI_INT, W);
}
CASE gathered_over_each_other(int wrong) {
  int v[64] = {0}, own = rank, counts[16], at[16];
  for (int i = 0; i < ranks; ++i) counts[i] = 1, at[i] = wrong ? 0 : i;
  MPI_Gatherv(&own, 1, MPI_INT, v, counts, at, MPI_INT, 0, W);
}
CASE broadcast_in_use(int wrong) {
  int v = 1, w = 2;
  MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Ibcast(&v, 1, MPI_INT, 0, W, &r[0]);
  if (rank == 1) MPI_Irecv(wrong ? &v : &w, 1, MPI_INT, 0, 1, W, &r[1]);
  if (rank == 0) MPI_Send(&w, 1, MPI_INT, 1, 1, W);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
CASE contribution_changed(int wrong) {
  int v = 1, sum;
  MPI_Request r;
  MPI_Iallreduce(&v, &sum, 1, MPI_INT, MPI_SUM, W, &r);
  if (wrong) v = 2;
  MPI_Wait(&r, NO);
}
static MPI_File open_file(void) {
  MPI_File file;
  MPI_File_open(W, "mistakes.data", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  return file;
}
CASE write_changed(int wrong) {
  int v[4] = {0};
  MPI_Request r;
  MPI_File file = open_file();
  MPI_File_iwrite_at(file, 16 * rank, v, 4, MPI_INT, &r);
  if (wrong) v[3] = 1;
  MPI_Wait(&r, NO);
  MPI_File_close(&file);
}
CASE two_reads(int wrong) {
  int v[4] = {0}, w[4];
  MPI_Request r[2];
  MPI_File file = open_file();
  MPI_File_write_at(file, 16 * rank, v, 4, MPI_INT, NO);
  MPI_File_iread_at(file, 16 * rank, v, 4, MPI_INT, &r[0]);
  MPI_File_iread_at(file, 16 * rank, wrong ? v : w, 2, MPI_INT, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_File_close(&file);
}
CASE reduced_by_itself(int wrong) {
  int v[2] = {1, 2};
  MPI_Reduce_local(&v[0], wrong ? &v[0] : &v[1], 1, MPI_INT, MPI_SUM);
}
/* ---- collective accesses in two calls ---- */
CASE split_write_changed(int wrong) {
  int v[4] = {0};
  MPI_File file = open_file();
  MPI_File_write_at_all_begin(file, 16 * rank, v, 4, MPI_INT);
  if (wrong) v[3] = 1;
  MPI_File_write_at_all_end(file, v, NO);
  MPI_File_close(&file);
}
CASE split_read_in_use(int wrong) {
  int v[4] = {0}, w[4];
  MPI_File file = open_file();
  MPI_File_write_at_all(file, 16 * rank, v, 4, MPI_INT, NO);
  MPI_File_read_at_all_begin(file, 16 * rank, v, 4, MPI_INT);
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, wrong ? v : w, 1, MPI_INT, left, 1, W, NO);
  MPI_File_read_at_all_end(file, v, NO);
  MPI_File_close(&file);
}
CASE split_ends_elsewhere(int wrong) {
  int v[4] = {0}, w[4] = {0};
  MPI_File file = open_file();
  MPI_File_write_all_begin(file, v, 4, MPI_INT);
  MPI_File_write_all_end(file, wrong ? w : v, NO);
  MPI_File_close(&file);
}
CASE collective_in_split(int wrong) {
  int v[4] = {0}, w[4] = {0};
  MPI_File file = open_file();
  MPI_File_write_at_all_begin(file, 16 * rank, v, 4, MPI_INT);
  if (wrong) MPI_File_write_at_all(file, 128 + 16 * rank, w, 4, MPI_INT, NO);
  MPI_File_write_at_all_end(file, v, NO);
  if (!wrong) MPI_File_write_at_all(file, 128 + 16 * rank, w, 4, MPI_INT, NO);
  MPI_File_close(&file);
}
CASE split_never_begun(int wrong) {
  int v[4] = {0};
  MPI_File file = open_file();
  if (!wrong) MPI_File_write_ordered_begin(file, v, 4, MPI_INT);
  MPI_File_write_ordered_end(file, v, NO);
  MPI_File_close(&file);
}

const struct mistake buffers[] = {
    GOES_ON(send_changed),
    GOES_ON(started_send_changed),
    GOES_ON(receive_written),
    GOES_ON(two_receives),
    GOES_ON(receives_at_one_line),
    GOES_ON(parts_of_receives),
    GOES_ON(columns),
    GOES_ON(receive_over_send),
    GOES_ON(send_of_receive),
    GOES_ON(exchange_in_place),
    GOES_ON(overlapping_type),
    GOES_ON(aliased_reduction),
    GOES_ON(aliased_gathering),
    GOES_ON(gathered_over_each_other),
    GOES_ON(broadcast_in_use),
    GOES_ON(contribution_changed),
    GOES_ON(write_changed),
    GOES_ON(two_reads),
    GOES_ON(reduced_by_itself),
    GOES_ON(split_write_changed),
    GOES_ON(split_read_in_use),
    GOES_ON(split_ends_elsewhere),
    GOES_ON(collective_in_split),
    GOES_ON(split_never_begun),
    {NULL, NULL, 0},
};
