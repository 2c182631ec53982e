! CG of the NAS Parallel Benchmarks, class S: the smallest eigenvalue of a random sparse matrix, by the power method on
! its inverse. Rows are spread in blocks; each rank has the whole vector that the matrix multiplies.
module sparse
  use random_numbers
  implicit none
  integer, parameter :: n = 1400, nonzeros = 7
  real(real64), parameter :: shift = 10, condition = 0.1d0
  type row
    integer :: count = 0
    integer :: columns(600)
    real(real64) :: values(600)
  end type
contains
  subroutine add(to, column, value)
    type(row), intent(inout) :: to
    integer, intent(in) :: column
    real(real64), intent(in) :: value
    integer :: i
    do i = 1, to%count
      if (to%columns(i) == column) exit
    end do
    if (i > to%count) then
      if (i > size(to%columns)) error stop 'a row has too many elements'
      to%count = i
      to%columns(i) = column
      to%values(i) = 0
    end if
    to%values(i) = to%values(i) + value
  end subroutine

  ! Rows first ... last of the sum of outer products x x^T of sparse random vectors, with weights from 1 to `condition`.
  subroutine make(rows, first, last)
    integer, intent(in) :: first, last
    type(row), intent(inout) :: rows(first:last)
    integer(int64) :: seed
    integer :: places(nonzeros + 1), count, i, j, k, power
    real(real64) :: values(nonzeros + 1), weight, value, ignored
    seed = 314159265_int64
    ignored = next(seed)
    power = 1
    do while (power < n)
      power = 2 * power
    end do
    weight = 1
    do i = 1, n
      count = 0
      do while (count < nonzeros)
        value = next(seed)
        j = int(power * next(seed)) + 1
        if (j > n .or. any(places(:count) == j)) cycle
        count = count + 1
        places(count) = j
        values(count) = value
      end do
      do j = 1, count
        if (places(j) == i) exit
      end do
      places(j) = i
      values(j) = 0.5d0
      count = max(count, j)
      do j = 1, count
        if (places(j) < first .or. places(j) > last) cycle
        do k = 1, count
          call add(rows(places(j)), places(k), weight * values(j) * values(k))
        end do
      end do
      weight = weight * condition**(1d0 / n)
    end do
    do i = first, last
      call add(rows(i), i, condition - shift)
    end do
  end subroutine
end module

program cg
  use mpi
  use sparse
  implicit none
  integer, parameter :: outer = 15, inner = 25
  real(real64), parameter :: right = 8.5971775078648d0
  type(row), allocatable :: rows(:)
  real(real64), allocatable :: x(:), z(:), p(:), q(:), r(:)
  real(real64) :: whole(n), zeta, norm, rho, before, alpha
  integer, allocatable :: counts(:), offsets(:)
  integer :: rank, ranks, ierr, first, last, i, step, iteration

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  offsets = [(n * i / ranks, i=0, ranks - 1)]
  counts = [(n * (i + 1) / ranks - n * i / ranks, i=0, ranks - 1)]
  first = offsets(rank + 1) + 1
  last = offsets(rank + 1) + counts(rank + 1)
  allocate (rows(first:last), x(first:last), z(first:last), p(first:last), q(first:last), r(first:last))
  call make(rows, first, last)

  x = 1
  do iteration = 1, outer
    z = 0
    r = x
    p = r
    rho = dot(r, r)
    do step = 1, inner
      call multiply(p, q)
      alpha = rho / dot(p, q)
      z = z + alpha * p
      r = r - alpha * q
      before = rho
      rho = dot(r, r)
      p = r + rho / before * p
    end do
    zeta = shift + 1 / dot(x, z)
    norm = sqrt(dot(z, z))
    x = z / norm
  end do
  if (rank == 0) then
    write (*, '(a,f17.13)') 'zeta', zeta
    if (abs(zeta - right) <= 1d-10) write (*, '(a)') 'CG is right'
  end if
  call MPI_Finalize(ierr)
contains
  real(real64) function dot(a, b)
    real(real64), intent(in) :: a(:), b(:)
    dot = sum(a * b)
    call MPI_Allreduce(MPI_IN_PLACE, dot, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  end function

  subroutine multiply(a, product)
    real(real64), intent(in) :: a(:)
    real(real64), intent(out) :: product(first:)
    integer :: j
    call MPI_Allgatherv(a, size(a), MPI_DOUBLE_PRECISION, whole, counts, offsets, MPI_DOUBLE_PRECISION, &
                        MPI_COMM_WORLD, ierr)
    do j = first, last
      product(j) = sum(rows(j)%values(:rows(j)%count) * whole(rows(j)%columns(:rows(j)%count)))
    end do
  end subroutine
end program
