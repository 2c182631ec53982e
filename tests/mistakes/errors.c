/* Calls that return an error. */
#include "tests/mistakes/mistakes.h"

CASE send_without_type(int wrong) {
  int v = 1;
  MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
  if (wrong) MPI_Send(&v, 1, MPI_DATATYPE_NULL, left, 1, W);
  MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
}
CASE handle_of_another_kind(int wrong) {
  int size;
  MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
  MPI_Type_size(wrong ? (MPI_Datatype)W : MPI_INT, &size);
  MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
}
CASE root_of_none(int wrong) {
  int v = 1, sum;
  MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
  MPI_Reduce(&v, &sum, 1, MPI_INT, MPI_SUM, wrong ? 77 : 0, W);
  MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
}
CASE broadcast_again(int wrong) { /* with right arguments, by the rank that was refused */
  int v = 1;
  MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
  if (wrong && rank == 1) MPI_Bcast(wrong ? NULL : &v, 1, MPI_INT, 0, W);
  MPI_Bcast(&v, 1, MPI_INT, 0, W);
  MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
}
CASE reduction_refused_by_all(int wrong) { /* before a right one of other data */
  double v = 1, sum;
  int counts[2] = {1, 2}, sums[2];
  MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
  if (wrong) MPI_Allreduce(&v, &sum, 1, MPI_DOUBLE, MPI_BAND, W);
  MPI_Allreduce(counts, sums, 2, MPI_INT, MPI_MAX, W);
  MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
}

const struct mistake calls_with_errors[] = {
    GOES_ON(send_without_type), GOES_ON(handle_of_another_kind),   GOES_ON(root_of_none),
    GOES_ON(broadcast_again),   GOES_ON(reduction_refused_by_all), {NULL, NULL, 0},
};
