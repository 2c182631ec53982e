! Sections of arrays as buffers of mpi_f08: of messages, persistent and not, of collective operations, windows and files.
! Calls that go on behind their return write to the sections themselves, and to nothing else.
program sections
  use mpi_f08
  implicit none
  type :: cell
    real :: weight
    double precision :: mass
    character(len=3) :: name
  end type
  integer :: rank, ranks, next, previous, wrong = 0, all_wrong, i, j, k, count
  integer, allocatable :: wide(:, :), got(:, :)
  integer, asynchronous :: from(12, 9), to(12, 9), box(4, 5, 6), back(4, 5, 6)
  double precision, asynchronous :: values(20), sums(20)
  type(cell), asynchronous :: cells(6), others(6)
  character(len=4), asynchronous :: words(5), others_words(5)
  type(MPI_Request) :: requests(6)
  type(MPI_Status) :: status
  type(MPI_Datatype) :: gaps, pair
  type(MPI_Win) :: window
  type(MPI_File) :: file
  integer(MPI_ADDRESS_KIND) :: first, second
  integer, asynchronous, target :: memory(30)
  integer :: position, packed(8), error, error_class

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  next = mod(rank + 1, ranks)
  previous = mod(rank + ranks - 1, ranks)
  call expect(MPI_SUBARRAYS_SUPPORTED, 'MPI_SUBARRAYS_SUPPORTED')
  call messages()
  call types()
  call persistent()
  call collectives()
  call windows()
  call files()
  call addresses()
  call MPI_Reduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0) write (*, '(a,i0)') 'wrong with sections: ', all_wrong
  call MPI_Finalize()
contains
  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    wrong = wrong + 1
    write (*, '(a,i0,2a)') 'rank ', rank, ': wrong: ', what
  end subroutine

  pure integer function value(of, i, j)
    integer, intent(in) :: of, i, j
    value = 1000 * of + 20 * i + j
  end function

  ! Nonblocking receives come first, so that what a compiler copied back at their return would be wrong.
  subroutine messages()
    do j = 1, 9
      do i = 1, 12
        from(i, j) = value(rank, i, j)
      end do
    end do
    to = -1
    call MPI_Irecv(to(3, :), 9, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, requests(1))
    call MPI_Irecv(to(12:4:-4, 2:8:3), 9, MPI_INTEGER, previous, 2, MPI_COMM_WORLD, requests(2))
    call MPI_Irecv(to(5:7, 1:9:2), 8, MPI_INTEGER, previous, 3, MPI_COMM_WORLD, requests(3))
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Isend(from(2, :), 9, MPI_INTEGER, next, 1, MPI_COMM_WORLD, requests(4))
    call MPI_Issend(from(1:12:5, 9:1:-4), 9, MPI_INTEGER, next, 2, MPI_COMM_WORLD, requests(5))
    call MPI_Isend(from(:, 4), 8, MPI_INTEGER, next, 3, MPI_COMM_WORLD, requests(6))
    call MPI_Waitall(6, requests, MPI_STATUSES_IGNORE)
    do j = 1, 9
      call expect(to(3, j) == value(previous, 2, j), 'a row')
    end do
    k = 0
    do j = 0, 2
      do i = 0, 2
        call expect(to(12 - 4 * i, 2 + 3 * j) == value(previous, 1 + 5 * i, 9 - 4 * j), 'a section with steps')
      end do
    end do
    do i = 0, 7 ! the other 7 of the section's elements stay as they are
      call expect(to(5 + mod(i, 3), 1 + 2 * (i / 3)) == value(previous, i + 1, 4), 'a part of a section')
    end do
    call expect(to(7, 5) == -1 .and. to(7, 7) == -1, 'what follows the part')
    call expect(all(to(1:2, :) == -1) .and. all(to(9:11, :) == -1), 'what is around the sections')

    forall (i = 1:4, j = 1:5, k = 1:6) box(i, j, k) = value(rank, i + 5 * j, k)
    back = -1
    call MPI_Sendrecv(box(2, :, 1:6:2), 15, MPI_INTEGER, next, 4, back(1:3, 5:1:-1, 6), 15, MPI_INTEGER, previous, 4, &
                      MPI_COMM_WORLD, status)
    call MPI_Get_count(status, MPI_INTEGER, count)
    call expect(count == 15, 'a count')
    k = 0
    do j = 5, 1, -1
      do i = 1, 3
        call expect(back(i, j, 6) == value(previous, 2 + 5 * (mod(k, 5) + 1), 1 + 2 * (k / 5)), 'a plane')
        k = k + 1
      end do
    end do
    call expect(all(back(4, :, :) == -1) .and. all(back(:, :, 1:5) == -1), 'what is around the plane')

    cells = [(cell(i, 10d0 * rank + i, 'abc'), i=1, 6)]
    others = cell(0, 0, '---')
    words = [('w'//achar(iachar('a') + i)//achar(iachar('a') + rank)//'.', i=1, 5)]
    others_words = '####'
    call MPI_Irecv(others%mass, 6, MPI_DOUBLE_PRECISION, previous, 5, MPI_COMM_WORLD, requests(1))
    call MPI_Irecv(others(2:6:2)%name, 9, MPI_CHARACTER, previous, 6, MPI_COMM_WORLD, requests(2))
    call MPI_Irecv(others_words(1:5:2)(2:3), 6, MPI_CHARACTER, previous, 7, MPI_COMM_WORLD, requests(3))
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Send(cells%mass, 6, MPI_DOUBLE_PRECISION, next, 5, MPI_COMM_WORLD)
    call MPI_Ssend(cells(1:3)%name, 9, MPI_CHARACTER, next, 6, MPI_COMM_WORLD)
    call MPI_Send(words(5:1:-2)(2:3), 6, MPI_CHARACTER, next, 7, MPI_COMM_WORLD)
    call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE)
    call expect(all(others%mass == [(10d0 * previous + i, i=1, 6)]) .and. all(others%weight == 0), 'components')
    call expect(all(others(2:6:2)%name == 'abc') .and. all(others(1:5:2)%name == '---'), 'components of text')
    do i = 0, 2
      call expect(others_words(1 + 2 * i) == '#'//achar(iachar('a') + 5 - 2 * i)//achar(iachar('a') + previous)//'#', &
                  'substrings')
    end do
    call expect(all(others_words(2:4:2) == '####'), 'the words between')
  end subroutine

  ! A datatype sees a section's elements as if they followed each other.
  subroutine types()
    call MPI_Type_vector(3, 1, 2, MPI_INTEGER, gaps)
    call MPI_Type_commit(gaps)
    call MPI_Type_contiguous(2, MPI_INTEGER, pair)
    call MPI_Type_commit(pair)
    memory = [(100 * rank + i, i=1, 30)]
    to = -1
    call MPI_Irecv(to(1, 1:9), 4, pair, previous, 1, MPI_COMM_WORLD, requests(1))
    call MPI_Irecv(to(2:12:2, 9), 1, gaps, previous, 2, MPI_COMM_WORLD, requests(2))
    call MPI_Isend(memory(1:30:3), 4, pair, next, 1, MPI_COMM_WORLD, requests(3))
    call MPI_Isend(memory(30:1:-3), 1, gaps, next, 2, MPI_COMM_WORLD, requests(4))
    call MPI_Type_free(gaps)
    call MPI_Type_free(pair)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
    call expect(all(to(1, 1:8) == [(100 * previous + 1 + 3 * i, i=0, 7)]) .and. to(1, 9) == -1, 'pairs')
    call expect(to(2, 9) == 100 * previous + 30 .and. to(6, 9) == 100 * previous + 24 .and. &
                to(10, 9) == 100 * previous + 18, 'a vector of a section')
    call expect(to(4, 9) == -1 .and. to(8, 9) == -1 .and. to(12, 9) == -1, 'the gaps of the vector')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    call MPI_Send(memory(1:30:3), 11, MPI_INTEGER, next, 1, MPI_COMM_WORLD, error)
    call MPI_Error_class(error, error_class)
    call expect(error_class == MPI_ERR_BUFFER, 'a section that is too short')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
  end subroutine

  subroutine persistent()
    to = -1
    call MPI_Recv_init(to(4, 2:8:2), 4, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, requests(1))
    call MPI_Send_init(from(7:4:-1, 3), 4, MPI_INTEGER, next, 1, MPI_COMM_WORLD, requests(2))
    call MPI_Allreduce_init(values(1:20:5), sums(4:1:-1), 4, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, &
                            MPI_INFO_NULL, requests(3))
    do k = 1, 3
      from(:, 3) = [(k * 100 + 10 * rank + i, i=1, 12)]
      values = [(dble(k * i), i=1, 20)]
      sums = -1
      call MPI_Startall(3, requests)
      call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE)
      call expect(all(to(4, 2:8:2) == [(k * 100 + 10 * previous + i, i=7, 4, -1)]), 'a persistent message')
      call expect(all(sums(4:1:-1) == [(dble(ranks * k * i), i=1, 16, 5)]) .and. all(sums(5:) == -1), &
                  'a persistent reduction')
    end do
    do i = 1, 3
      call MPI_Request_free(requests(i))
    end do
  end subroutine

  subroutine collectives()
    allocate (wide(2 * ranks, 4), got(3, 2 * ranks))
    values = [(dble(rank + i), i=1, 20)]
    sums = -1
    call MPI_Iallreduce(values(2:20:6), sums(20:1:-5), 4, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, requests(1))
    do i = 1, 2 * ranks
      wide(i, :) = [(value(rank, i, j), j=1, 4)]
    end do
    got = -1
    call MPI_Ialltoall(wide(:, 3:3), 2, MPI_INTEGER, got(2, :), 2, MPI_INTEGER, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call expect(all(sums(20:1:-5) == [(dble(ranks - 1 + i), i=2, 20, 6)]) .and. all(sums(16:19) == -1), 'a maximum')
    do k = 0, ranks - 1
      call expect(all(got(2, 2 * k + 1:2 * k + 2) == [value(k, 2 * rank + 1, 3), value(k, 2 * rank + 2, 3)]), 'alltoall')
    end do
    call expect(all(got(1:3:2, :) == -1), 'what is around it')
    got = -1
    call MPI_Allgather(wide(1, 2:4:2), 2, MPI_INTEGER, got(3, :), 2, MPI_INTEGER, MPI_COMM_WORLD)
    do k = 0, ranks - 1
      call expect(all(got(3, 2 * k + 1:2 * k + 2) == [value(k, 1, 2), value(k, 1, 4)]), 'allgather')
    end do
    memory = rank
    call MPI_Ibcast(memory(2:30:4), 8, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, requests(1))
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
    call expect(all(memory(2:30:4) == ranks - 1) .and. all(memory(1:30:2) == rank), 'a broadcast')
    memory = rank + 1
    call MPI_Allreduce(MPI_IN_PLACE, memory(1:30:7), 5, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call expect(all(memory(1:30:7) == ranks * (ranks + 1) / 2) .and. all(memory(2:7) == rank + 1), 'a sum in place')
  end subroutine

  subroutine windows()
    memory = -1
    from(1, :) = [(value(rank, 1, j), j=1, 9)]
    call MPI_Win_create(memory, 120_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window)
    call MPI_Win_fence(0, window)
    call MPI_Put(from(1, 1:9:2), 5, MPI_INTEGER, next, 3_MPI_ADDRESS_KIND, 5, MPI_INTEGER, window)
    call MPI_Win_fence(0, window)
    from(2, :) = 1
    to = -1
    call MPI_Accumulate(from(2, 1:9:2), 5, MPI_INTEGER, next, 3_MPI_ADDRESS_KIND, 5, MPI_INTEGER, MPI_SUM, window)
    call MPI_Win_fence(0, window)
    call expect(all(memory(4:8) == [(value(previous, 1, j) + 1, j=1, 9, 2)]), 'a put and a sum')
    call MPI_Win_lock(MPI_LOCK_SHARED, next, 0, window)
    call MPI_Get(to(8, 9:1:-2), 5, MPI_INTEGER, next, 3_MPI_ADDRESS_KIND, 5, MPI_INTEGER, window)
    call MPI_Rget(to(9, 2:6), 5, MPI_INTEGER, next, 3_MPI_ADDRESS_KIND, 5, MPI_INTEGER, window, requests(1))
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
    call MPI_Win_unlock(next, window)
    call expect(all(to(8, 9:1:-2) == [(value(rank, 1, j) + 1, j=1, 9, 2)]) .and. all(to(8, 2:8:2) == -1), 'a get')
    call expect(all(to(9, 2:6) == to(8, 9:1:-2)) .and. to(9, 7) == -1, 'a get with a request')
    call MPI_Win_free(window)
  end subroutine

  subroutine files()
    call MPI_File_open(MPI_COMM_WORLD, 'sections.data', ior(MPI_MODE_CREATE, MPI_MODE_RDWR) + MPI_MODE_DELETE_ON_CLOSE, &
                       MPI_INFO_NULL, file)
    call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL)
    from(5, :) = [(value(rank, 5, j), j=1, 9)]
    call MPI_File_iwrite_at(file, int(9 * rank, MPI_OFFSET_KIND), from(5, :), 9, MPI_INTEGER, requests(1))
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
    call MPI_File_sync(file)
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_File_sync(file)
    to = -1
    call MPI_File_iread_at(file, int(9 * next, MPI_OFFSET_KIND), to(6, :), 9, MPI_INTEGER, requests(1))
    call MPI_Wait(requests(1), status)
    call MPI_Get_count(status, MPI_INTEGER, count)
    call expect(count == 9 .and. all(to(6, :) == [(value(next, 5, j), j=1, 9)]), 'a nonblocking read')
    call MPI_File_read_at_all_begin(file, int(9 * previous, MPI_OFFSET_KIND), to(12:1:-4, 4:2:-1), 9, MPI_INTEGER)
    call MPI_File_read_at_all_end(file, to(12:1:-4, 4:2:-1), status)
    k = 1
    do j = 4, 2, -1
      do i = 12, 1, -4
        call expect(to(i, j) == value(previous, 5, k), 'a split read')
        k = k + 1
      end do
    end do
    call MPI_File_close(file)
  end subroutine

  subroutine addresses()
    call MPI_Get_address(memory(1), first)
    call MPI_Get_address(memory(4:30:5), second)
    call expect(second - first == 12, 'the address of a section')
    memory = [(i, i=1, 30)]
    packed = 0
    position = 0
    call MPI_Pack(memory(30:1:-10), 3, MPI_INTEGER, packed(1:8:2), 16, position, MPI_COMM_WORLD)
    call expect(position == 12 .and. all(packed == [30, 0, 20, 0, 10, 0, 0, 0]), 'packing')
    position = 0
    memory = 0
    call MPI_Unpack(packed(1:8:2), 16, position, memory(2:30:9), 3, MPI_INTEGER, MPI_COMM_WORLD)
    call expect(all(memory(2:20:9) == [30, 20, 10]) .and. sum(memory) == 60, 'unpacking')
    call MPI_F_sync_reg(memory(1:30:2))
    memory(:) = rank
    call MPI_Get_address(memory(5), first)
    call MPI_Type_create_hindexed(1, [2], [first], MPI_INTEGER, pair)
    call MPI_Type_commit(pair)
    call MPI_Sendrecv(MPI_BOTTOM, 1, pair, next, 8, memory(11:30:9), 2, MPI_INTEGER, previous, 8, MPI_COMM_WORLD, status)
    call expect(all(memory(11:20:9) == previous) .and. memory(12) == rank, 'MPI_BOTTOM')
    call MPI_Type_free(pair)
  end subroutine
end program
