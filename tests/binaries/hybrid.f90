! OpenMP in each rank, MPI between them: second differences of squares are 2 everywhere, also across ranks.
program hybrid
  use mpi
  use omp_lib
  implicit none
  integer, parameter :: each = 20000
  double precision :: a(0:each + 1), wrong, most
  integer :: rank, ranks, ierr, provided, i, lower, upper, threads, status(MPI_STATUS_SIZE)

  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  lower = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  upper = merge(rank + 1, MPI_PROC_NULL, rank < ranks - 1)
  threads = 0
!$omp parallel do num_threads(3)
  do i = 1, each
    a(i) = dble(rank * each + i)**2
    if (i == 1) threads = omp_get_num_threads()
  end do
  a(0) = dble(rank * each)**2
  a(each + 1) = dble((rank + 1) * each + 1)**2
  if (rank > 0) a(0) = -1 ! to be received
  if (rank < ranks - 1) a(each + 1) = -1
  call MPI_Sendrecv(a(each), 1, MPI_DOUBLE_PRECISION, upper, 1, a(0), 1, MPI_DOUBLE_PRECISION, lower, 1, &
                    MPI_COMM_WORLD, status, ierr)
  call MPI_Sendrecv(a(1), 1, MPI_DOUBLE_PRECISION, lower, 2, a(each + 1), 1, MPI_DOUBLE_PRECISION, upper, 2, &
                    MPI_COMM_WORLD, status, ierr)
  wrong = 0
!$omp parallel do num_threads(3) reduction(max: wrong)
  do i = 1, each
    wrong = max(wrong, abs(a(i - 1) - 2 * a(i) + a(i + 1) - 2))
  end do
  call MPI_Reduce(wrong, most, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    write (*, '(i0,a,i0,a,f0.1)') ranks, ' ranks of ', threads, ' threads, wrong by ', most
    if (most == 0) write (*, '(a)') 'the hybrid is right'
  end if
  call MPI_Finalize(ierr)
end program
