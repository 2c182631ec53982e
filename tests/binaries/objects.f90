! Windows and files of Fortran: memory, attributes, error handlers, representations of data; MPI_Sizeof. Once with
! `use mpi`, once with `use mpi_f08`.
module results
  implicit none
  integer :: wrong = 0, copied = 0, deleted = 0, handled = 0
contains
  subroutine expect(is_so, what)
    logical, intent(in) :: is_so
    character(*), intent(in) :: what
    if (is_so) return
    wrong = wrong + 1
    print *, 'not so: ', what
  end subroutine
end module

module with_mpi
  use mpi
  use results
  use, intrinsic :: iso_c_binding
  implicit none
contains
  subroutine delete_fn(win, keyval, attribute_val, extra_state, ierror)
    integer :: win, keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    deleted = deleted + int(attribute_val + extra_state)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine handler(object, code)
    integer :: object, code
    if (object /= MPI_WIN_NULL .and. code /= MPI_SUCCESS) handled = handled + 1
  end subroutine

  subroutine negate(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    integer :: userbuf(*), filebuf(*), datatype, count, ierror
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra_state
    userbuf(position + 1:position + count) = -filebuf(:count)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine negate_back(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    integer :: userbuf(*), filebuf(*), datatype, count, ierror
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra_state
    filebuf(:count) = -userbuf(position + 1:position + count)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine extent_fn(datatype, extent, extra_state, ierror)
    integer :: datatype, ierror
    integer(MPI_ADDRESS_KIND) :: extent, extra_state
    extent = extra_state
    ierror = MPI_SUCCESS
  end subroutine

  subroutine windows
    integer :: win, keyval, rank, unit, errhandler, ierr
    integer(MPI_ADDRESS_KIND) :: value, bytes
    integer, pointer :: numbers(:)
    type(c_ptr) :: base
    logical :: flag
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Win_allocate(80_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr)
    call c_f_pointer(base, numbers, [20])
    numbers = rank
    call MPI_Win_fence(0, win, ierr)
    call MPI_Put(rank + 100, 1, MPI_INTEGER, 0, int(rank, MPI_ADDRESS_KIND), 1, MPI_INTEGER, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    if (rank == 0) call expect(numbers(2) == 101 .and. numbers(20) == 0, 'memory of a window')
    call MPI_Win_get_attr(win, MPI_WIN_BASE, value, flag, ierr)
    call expect(flag .and. value == transfer(base, value), 'MPI_WIN_BASE')
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag, ierr)
    call expect(flag .and. value == 80, 'MPI_WIN_SIZE')
    call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, flag, ierr)
    call expect(flag .and. value == 4, 'MPI_WIN_DISP_UNIT')
    call MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, value, flag, ierr)
    call expect(flag .and. value == MPI_WIN_FLAVOR_ALLOCATE, 'MPI_WIN_CREATE_FLAVOR')
    call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_fn, keyval, 7_MPI_ADDRESS_KIND, ierr)
    call MPI_Win_get_attr(win, keyval, value, flag, ierr)
    call expect(.not. flag, 'an attribute that is not there')
    call MPI_Win_set_attr(win, keyval, 5000000000_MPI_ADDRESS_KIND, ierr)
    call MPI_Win_get_attr(win, keyval, value, flag, ierr)
    call expect(flag .and. value == 5000000000_MPI_ADDRESS_KIND, 'an attribute of a window')
    call MPI_Win_set_attr(win, keyval, 30_MPI_ADDRESS_KIND, ierr)
    deleted = 0
    call MPI_Win_create_errhandler(handler, errhandler, ierr)
    call MPI_Win_set_errhandler(win, errhandler, ierr)
    call MPI_Win_call_errhandler(win, MPI_ERR_OTHER, ierr)
    call expect(handled == 1, 'an error handler of a window')
    call MPI_Win_free(win, ierr)
    call MPI_Win_free_keyval(keyval, ierr)
    call expect(deleted == 37, 'an attribute is deleted with its window')
    call MPI_Win_allocate_shared(8_MPI_ADDRESS_KIND, 8, MPI_INFO_NULL, MPI_COMM_SELF, base, win, ierr)
    call MPI_Win_shared_query(win, 0, bytes, unit, base, ierr)
    call expect(bytes == 8 .and. unit == 8 .and. c_associated(base), 'shared memory')
    call MPI_Win_free(win, ierr)
  end subroutine

  subroutine files
    integer :: file, errhandler, ierr, numbers(4), status(MPI_STATUS_SIZE)
    call MPI_Register_datarep('negative', negate, negate_back, extent_fn, 4_MPI_ADDRESS_KIND, ierr)
    call MPI_File_open(MPI_COMM_SELF, 'negative.data', ior(MPI_MODE_CREATE, MPI_MODE_RDWR) + MPI_MODE_DELETE_ON_CLOSE, &
      MPI_INFO_NULL, file, ierr)
    call expect(ierr == MPI_SUCCESS, 'a file')
    call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'negative', MPI_INFO_NULL, ierr)
    call expect(ierr == MPI_SUCCESS, 'a view with a representation of the program')
    call MPI_File_write_at(file, 0_MPI_OFFSET_KIND, [1, 2, 3, 4], 4, MPI_INTEGER, status, ierr)
    numbers = 0
    call MPI_File_read_at(file, 0_MPI_OFFSET_KIND, numbers, 4, MPI_INTEGER, status, ierr)
    call expect(all(numbers == [1, 2, 3, 4]), 'a representation of the program')
    call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
    call MPI_File_read_at(file, 0_MPI_OFFSET_KIND, numbers, 4, MPI_INTEGER, status, ierr)
    call expect(all(numbers == [-1, -2, -3, -4]), 'what is in the file')
    call MPI_File_create_errhandler(handler, errhandler, ierr)
    call MPI_File_set_errhandler(file, errhandler, ierr)
    call MPI_File_call_errhandler(file, MPI_ERR_IO, ierr)
    call expect(handled == 2, 'an error handler of a file')
    call MPI_File_close(file, ierr)
    call MPI_File_open(MPI_COMM_SELF, 'sequential.data', MPI_MODE_CREATE + MPI_MODE_WRONLY + MPI_MODE_SEQUENTIAL + &
      MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierr)
    call MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
    call expect(ierr == MPI_SUCCESS, 'a view from the current place of a sequential file')
    call MPI_File_write_shared(file, numbers, 4, MPI_INTEGER, status, ierr)
    call MPI_F_sync_reg(numbers)
    call expect(ierr == MPI_SUCCESS, 'a sequential file')
    call MPI_File_close(file, ierr)
  end subroutine

  subroutine sizes
    integer :: bytes, ierr
    real(8) :: numbers(3, 2)
    call MPI_Sizeof(numbers, bytes, ierr)
    call expect(bytes == 8, 'MPI_Sizeof of an array')
    call MPI_Sizeof((1.0, 2.0), bytes, ierr)
    call expect(bytes == 8, 'MPI_Sizeof of a complex number')
    call MPI_Sizeof(1_2, bytes, ierr)
    call expect(bytes == 2, 'MPI_Sizeof of a short integer')
    call MPI_Sizeof('text', bytes, ierr)
    call expect(bytes == 4, 'MPI_Sizeof of a text')
  end subroutine
end module

module with_f08
  use mpi_f08
  use results
  use, intrinsic :: iso_c_binding
  implicit none
contains
  subroutine copy_fn(old, keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Win) :: old
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    flag = .false.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine win_handler(win, error_code)
    type(MPI_Win) :: win
    integer :: error_code
    if (win /= MPI_WIN_NULL .and. error_code == MPI_ERR_OTHER) handled = handled + 10
  end subroutine

  subroutine file_handler(file, error_code)
    type(MPI_File) :: file
    integer :: error_code
    if (file == MPI_FILE_NULL .and. error_code == MPI_ERR_IO) handled = handled + 10
  end subroutine

  subroutine objects
    type(MPI_Win) :: win
    type(MPI_Errhandler) :: errhandler
    type(c_ptr) :: base
    integer :: keyval, bytes, sections(10), got(5), i
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag
    handled = 0
    call MPI_Win_allocate(16_MPI_ADDRESS_KIND, 8, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag)
    call expect(flag .and. value == 16, 'MPI_WIN_SIZE in mpi_f08')
    call MPI_Win_create_keyval(copy_fn, MPI_WIN_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND)
    call MPI_Win_set_attr(win, keyval, 3_MPI_ADDRESS_KIND)
    call MPI_Win_get_attr(win, keyval, value, flag)
    call expect(flag .and. value == 3, 'an attribute of a window in mpi_f08')
    call MPI_Win_delete_attr(win, keyval)
    call MPI_Win_create_errhandler(win_handler, errhandler)
    call MPI_Win_set_errhandler(win, errhandler)
    call MPI_Win_call_errhandler(win, MPI_ERR_OTHER)
    call MPI_Win_free(win)
    call MPI_File_create_errhandler(file_handler, errhandler)
    call MPI_File_set_errhandler(MPI_FILE_NULL, errhandler)
    call MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO)
    call expect(handled == 20, 'error handlers in mpi_f08')
    call MPI_Sizeof(got, bytes)
    call expect(bytes == 4, 'MPI_Sizeof in mpi_f08')
    sections = [(i, i=1, 10)]
    call MPI_Sendrecv(sections(1:10:2), 5, MPI_INTEGER, 0, 1, got, 5, MPI_INTEGER, 0, 1, MPI_COMM_SELF, &
      MPI_STATUS_IGNORE)
    call expect(all(got == [1, 3, 5, 7, 9]) .and. MPI_SUBARRAYS_SUPPORTED, 'a section in a blocking call')
    call MPI_Bcast(sections(2:10:2), 5, MPI_INTEGER, 0, MPI_COMM_WORLD)
  end subroutine
end module

program windows_and_files
  use with_mpi
  use with_f08, only: objects
  implicit none
  integer :: ierr, total, rank
  call MPI_Init(ierr)
  call windows
  call files
  call sizes
  call objects
  call MPI_Allreduce(wrong, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a, i0)', 'wrong with windows and files: ', total
end program
