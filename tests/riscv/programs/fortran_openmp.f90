! OpenMP from Fortran.
program fortran_openmp
  use omp_lib
  implicit none
  integer :: i
  real(8) :: x(10000), total
  call omp_set_num_threads(3)
  !$omp parallel do
  do i = 1, 10000
    x(i) = sin(i * 0.001d0)
  end do
  !$omp end parallel do
  total = 0
  !$omp parallel do reduction(max: total)
  do i = 1, 10000
    total = max(total, x(i))
  end do
  !$omp end parallel do
  print '(f14.10)', total
end program
