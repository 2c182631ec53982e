! The module mpi_f08: handles as types, no ierror, sections of arrays, functions of the program.
module functions
  use mpi_f08
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
  integer :: handled = 0, released = 0, barriers = 0
contains
  subroutine keep_larger(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    double precision, pointer :: a(:), b(:)
    if (datatype /= MPI_DOUBLE_PRECISION) return
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    b = max(a, b)
  end subroutine

  subroutine handle(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code, error_class
    call MPI_Error_class(error_code, error_class)
    if (comm == MPI_COMM_WORLD .and. error_class == MPI_ERR_RANK) handled = handled + 1
  end subroutine

  subroutine copy_twice(oldcomm, keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    attribute_val_out = 2 * attribute_val_in + extra_state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine release(comm, keyval, attribute_val, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    released = released + 1
    ierror = MPI_SUCCESS
  end subroutine
end module

program modern
  use functions
  implicit none
  integer :: rank, ranks, i, index, wrong = 0, all_wrong, ierr, count, keyval, length, next, previous
  integer, allocatable :: numbers(:)
  double precision :: grid(6, 5), best(2), mine(2)
  type(MPI_Status) :: status, again
  integer :: as_integers(MPI_STATUS_SIZE)
  type(MPI_Request), allocatable :: requests(:)
  type(MPI_Comm) :: half, torus, copy
  type(MPI_Datatype) :: column
  type(MPI_Op) :: op
  type(MPI_Errhandler) :: handler
  integer(MPI_ADDRESS_KIND) :: lower, extent, value
  integer :: coordinates(1), sizes(1)
  logical :: flag, periods(1)
  character(len=MPI_MAX_OBJECT_NAME) :: name

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  next = mod(rank + 1, ranks)
  previous = mod(rank + ranks - 1, ranks)
  allocate (numbers(ranks), requests(2 * ranks))

  ! A section that is not contiguous: a row; and the same by a type.
  grid = rank
  grid(2, :) = [(rank + 0.1d0 * i, i=1, 5)]
  call MPI_Sendrecv(grid(2, :), 5, MPI_DOUBLE_PRECISION, next, 1, grid(3, :), 5, MPI_DOUBLE_PRECISION, previous, 1, &
                    MPI_COMM_WORLD, status)
  call expect(all(grid(3, :) == [(previous + 0.1d0 * i, i=1, 5)]), 'a row')
  call expect(status%MPI_SOURCE == previous .and. status%MPI_TAG == 1, 'its status')
  call MPI_Get_count(status, MPI_DOUBLE_PRECISION, count)
  call expect(count == 5, 'its count')
  call MPI_Status_f082f(status, as_integers)
  call expect(as_integers(MPI_SOURCE) == previous .and. as_integers(MPI_TAG) == 1, 'its integers')
  call MPI_Status_f2f08(as_integers, again)
  call MPI_Get_count(again, MPI_DOUBLE_PRECISION, count)
  call expect(again%MPI_TAG == 1 .and. count == 5, 'its copy by way of integers')
  call MPI_Type_vector(5, 1, 6, MPI_DOUBLE_PRECISION, column)
  call MPI_Type_commit(column)
  call MPI_Type_get_extent(column, lower, extent)
  call expect(lower == 0 .and. extent == (4 * 6 + 1) * 8, 'the extent of a type')
  call MPI_Sendrecv(grid(2, 1), 1, column, next, 2, grid(4, 1), 1, column, previous, 2, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE, ierr)
  call expect(ierr == MPI_SUCCESS .and. all(grid(4, :) == grid(3, :)), 'a row by a type')
  call expect(all(grid(5:, :) == rank), 'what lies around it')
  call MPI_Type_free(column)
  call expect(column == MPI_DATATYPE_NULL, 'a freed type')

  ! Requests.
  do i = 1, ranks
    call MPI_Irecv(numbers(i), 1, MPI_INTEGER, i - 1, 3, MPI_COMM_WORLD, requests(i))
    call MPI_Isend(rank, 1, MPI_INTEGER, i - 1, 3, MPI_COMM_WORLD, requests(ranks + i))
  end do
  count = 0
  do i = 1, ranks
    call MPI_Waitany(ranks, requests, index, status)
    call expect(index == status%MPI_SOURCE + 1, 'an index')
    count = count + index
  end do
  call MPI_Waitany(ranks, requests, index, MPI_STATUS_IGNORE)
  call expect(index == MPI_UNDEFINED .and. count == ranks * (ranks + 1) / 2, 'all indices')
  call MPI_Waitall(ranks, requests(ranks + 1:), MPI_STATUSES_IGNORE)
  call expect(all(requests == MPI_REQUEST_NULL), 'requests at their end')
  call MPI_F_sync_reg(numbers)
  call expect(all(numbers == [(i - 1, i=1, ranks)]), 'what was received')
  call PMPI_F_sync_reg(grid(2, :))
  call expect(kind(MPI_DISPLACEMENT_CURRENT) == MPI_OFFSET_KIND, 'the kind of a displacement')
  call MPI_Iallreduce(MPI_IN_PLACE, numbers, ranks, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1))
  call MPI_Wait(requests(1), status)
  call expect(all(numbers == [(ranks * (i - 1), i=1, ranks)]), 'a sum in place')

  ! Functions of the program.
  call MPI_Op_create(keep_larger, .true., op)
  mine = [dble(rank), -dble(rank)]
  call MPI_Allreduce(mine, best, 2, MPI_DOUBLE_PRECISION, op, MPI_COMM_WORLD)
  call expect(best(1) == ranks - 1 .and. best(2) == 0, 'an operation')
  call MPI_Op_free(op)
  call MPI_Comm_create_errhandler(handle, handler)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler)
  call MPI_Send(rank, 1, MPI_INTEGER, ranks + 3, 1, MPI_COMM_WORLD, ierr)
  call expect(ierr /= MPI_SUCCESS .and. handled == 1, 'an error')
  call MPI_Comm_create_keyval(copy_twice, release, keyval, 5_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, 10_MPI_ADDRESS_KIND + rank)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy)
  call MPI_Comm_get_attr(copy, keyval, value, flag)
  call expect(flag .and. value == 25 + 2 * rank, 'an attribute of a copy')
  call MPI_Comm_free(copy)
  call expect(copy == MPI_COMM_NULL .and. released == 1, 'an attribute at its end')
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag)
  call expect(flag .and. value >= 32767, 'the largest tag')

  ! The names for tools, by one in this program, which counts barriers.
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call expect(barriers == 2 .and. ierr == MPI_SUCCESS, 'a tool')
  call PMPI_Comm_size(MPI_COMM_WORLD, count)
  call expect(count == ranks .and. PMPI_Wtime() <= MPI_Wtime(), 'names for tools')
  call expect(PMPI_Aint_add(5_MPI_ADDRESS_KIND, 3_MPI_ADDRESS_KIND) == 8, 'a function for tools')

  ! Communicators.
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half)
  call MPI_Comm_size(half, count)
  call expect(count == (ranks + 1 - mod(rank, 2)) / 2, 'half of the ranks')
  call MPI_Comm_set_name(half, 'a half  ')
  call MPI_Comm_get_name(half, name, length)
  call expect(name == 'a half' .and. length == 6, 'a name')
  call MPI_Comm_free(half)
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., torus)
  call MPI_Cart_get(torus, 1, sizes, periods, coordinates)
  call expect(sizes(1) == ranks .and. periods(1) .and. coordinates(1) == rank, 'a ring')
  call MPI_Cart_shift(torus, 0, 1, i, index)
  call expect(i == previous .and. index == next, 'neighbours in it')

  call MPI_Reduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0) write (*, '(a,i0)') 'wrong in mpi_f08: ', all_wrong
  call MPI_Finalize()
contains
  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    wrong = wrong + 1
    write (*, '(a,i0,2a)') 'rank ', rank, ': wrong: ', what
  end subroutine
end program

subroutine MPI_Barrier(comm, ierror)
  use functions, only: barriers
  use mpi_f08, only: MPI_Comm, PMPI_Barrier
  implicit none
  type(MPI_Comm), intent(in) :: comm
  integer, optional, intent(out) :: ierror
  barriers = barriers + 1
  call PMPI_Barrier(comm, ierror)
end subroutine
