! EP of the NAS Parallel Benchmarks, class S: pairs of normal numbers by the polar method, and their sums.
program ep
  use mpi
  use random_numbers
  implicit none
  integer(int64), parameter :: pairs = 2_int64**24, seed = 271828183_int64
  real(real64), parameter :: right(2) = [-3.247834652034740d+03, -6.958407078382297d+03]
  integer(int64) :: first, last, i, x
  real(real64) :: sums(2), u, v, t, found(2)
  integer :: rank, ranks, ierr, l
  integer(int64) :: counts(0:9)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  first = pairs * rank / ranks
  last = pairs * (rank + 1) / ranks
  x = ahead(seed, 2 * first)
  sums = 0
  counts = 0
  do i = first, last - 1
    u = 2 * next(x) - 1
    v = 2 * next(x) - 1
    t = u * u + v * v
    if (t > 1) cycle
    t = sqrt(-2 * log(t) / t)
    sums = sums + [u * t, v * t]
    l = int(max(abs(u * t), abs(v * t)))
    counts(l) = counts(l) + 1
  end do
  call MPI_Reduce(sums, found, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    call MPI_Reduce(MPI_IN_PLACE, counts, 10, MPI_INTEGER8, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
    write (*, '(a,2es24.15)') 'sums', found
    write (*, '(a,i0)') 'pairs in the circle ', sum(counts)
    if (all(abs((found - right) / right) <= 1d-8)) write (*, '(a)') 'EP is right'
  else
    call MPI_Reduce(counts, counts, 10, MPI_INTEGER8, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Finalize(ierr)
end program
