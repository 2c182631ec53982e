! The module mpi: calls whose arguments differ between C and Fortran in one way or another.
module of_program
  use mpi
  implicit none
  integer :: queried = 0, freed = 0, cancelled = 0, copied = 0, deleted = 0
contains
  subroutine query(extra_state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: status(MPI_STATUS_SIZE), ierror
    queried = queried + int(extra_state)
    call MPI_Status_set_elements(status, MPI_INTEGER, 3, ierror)
    call MPI_Status_set_cancelled(status, .false., ierror)
    status(MPI_SOURCE) = 11
    status(MPI_TAG) = 12
  end subroutine

  subroutine release(extra_state, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    freed = freed + int(extra_state)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(extra_state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    if (.not. complete) cancelled = cancelled + int(extra_state)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine copy_old(comm, keyval, extra_state, value, made, flag, ierror)
    integer :: comm, keyval, extra_state, value, made, ierror
    logical :: flag
    copied = copied + extra_state
    made = value + 1
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete_old(comm, keyval, value, extra_state, ierror)
    integer :: comm, keyval, value, extra_state, ierror
    deleted = deleted + extra_state
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete_type(datatype, keyval, value, extra_state, ierror)
    integer :: datatype, keyval, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra_state
    deleted = deleted + int(extra_state)
    ierror = MPI_SUCCESS
  end subroutine
end module

program bindings
  use, intrinsic :: iso_c_binding
  use of_program
  implicit none
  integer :: rank, ranks, ierr, wrong, all_wrong, ranks_of_tools
  wrong = 0
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call texts
  call infos
  call types
  call requests
  call attributes
  call graphs
  call everyone
  call memory
  call groups
  call handles_as_types
  call PMPI_Comm_size(MPI_COMM_WORLD, ranks_of_tools, ierr)
  call expect(ranks_of_tools == ranks .and. PMPI_Wtime() <= MPI_Wtime(), 'names for tools')
  call MPI_Reduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) write (*, '(a,i0)') 'wrong bindings: ', all_wrong
  call MPI_Finalize(ierr)
contains
  subroutine handles_as_types
    type(MPI_Comm) :: world, self, copy
    type(MPI_Status) :: as_type
    integer :: status(MPI_STATUS_SIZE), again(MPI_STATUS_SIZE), received, count
    world%MPI_VAL = MPI_COMM_WORLD
    self%MPI_VAL = MPI_COMM_SELF
    copy = world
    call expect(world /= self .and. world == copy, 'handles as types')
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, rank, 5, received, 1, MPI_INTEGER, rank, 5, MPI_COMM_WORLD, status, ierr)
    call MPI_Status_f2f08(status, as_type, ierr)
    call expect(as_type%MPI_SOURCE == rank .and. as_type%MPI_TAG == 5, 'a status as a type')
    call MPI_Status_f082f(as_type, again, ierr)
    call MPI_Get_count(again, MPI_INTEGER, count, ierr)
    call expect(count == 1 .and. again(MPI_TAG) == 5, 'a status as integers again')
  end subroutine

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    wrong = wrong + 1
    write (*, '(a,i0,2a)') 'rank ', rank, ': wrong: ', what
  end subroutine

  subroutine texts
    character(len=20) :: short
    character(len=MPI_MAX_ERROR_STRING) :: long
    integer :: class, code, length, new, packed, position
    integer(MPI_ADDRESS_KIND) :: bytes, place
    character(len=16) :: buffer
    real :: pi(2)
    call MPI_Add_error_class(class, ierr)
    call MPI_Add_error_code(class, code, ierr)
    call MPI_Add_error_string(code, 'it is too late  ', ierr)
    long = repeat('x', len(long))
    call MPI_Error_string(code, long, length, ierr)
    call expect(length == 14 .and. long == 'it is too late', 'the text of an error')
    call MPI_Error_class(code, new, ierr)
    call expect(new == class, 'its class')
    call MPI_Type_dup(MPI_REAL, new, ierr)
    call MPI_Type_set_name(new, 'mine', ierr)
    call MPI_Type_get_name(new, short, length, ierr)
    call expect(short == 'mine' .and. length == 4, 'the name of a type')
    call MPI_Type_get_name(MPI_DOUBLE_PRECISION, long, length, ierr)
    call expect(long == 'MPI_DOUBLE_PRECISION', 'the name of a predefined type')
    call MPI_Type_free(new, ierr)
    call MPI_Get_version(class, code, ierr)
    call expect(class == MPI_VERSION .and. code == MPI_SUBVERSION, 'the version')
    call MPI_Pack_external_size('external32', 2, MPI_REAL, bytes, ierr)
    place = 0
    call MPI_Pack_external('external32', [1.0, 2.0], 2, MPI_REAL, buffer, 16_MPI_ADDRESS_KIND, place, ierr)
    call expect(bytes == 8 .and. place == 8 .and. iachar(buffer(1:1)) == 63 .and. iachar(buffer(2:2)) == 128, &
                'numbers in external32')
    place = 0
    call MPI_Unpack_external('external32', buffer, 8_MPI_ADDRESS_KIND, place, pi, 2, MPI_REAL, ierr)
    call expect(all(pi == [1.0, 2.0]), 'and back')
    call MPI_Pack_size(2, MPI_REAL, MPI_COMM_WORLD, packed, ierr)
    position = 0
    call MPI_Pack(pi, 2, MPI_REAL, buffer, 16, position, MPI_COMM_WORLD, ierr)
    call expect(position > 0 .and. position <= packed, 'a position')
  end subroutine

  subroutine infos
    integer :: info, copy, length, count
    logical :: flag
    character(len=12) :: value
    character(len=MPI_MAX_INFO_KEY) :: key
    call MPI_Info_create(info, ierr)
    call MPI_Info_set(info, ' colour  ', '  light green ', ierr)
    value = 'untouched'
    call MPI_Info_get(info, 'missing', 5, value, flag, ierr)
    call expect(.not. flag .and. value == 'untouched', 'a key that is missing')
    call MPI_Info_get(info, 'colour', 5, value, flag, ierr)
    call expect(flag .and. value == 'light', 'a part of a value')
    call MPI_Info_get_valuelen(info, 'colour', length, flag, ierr)
    call MPI_Info_get_nkeys(info, count, ierr)
    call MPI_Info_get_nthkey(info, 0, key, ierr)
    call expect(flag .and. length == 11 .and. count == 1 .and. key == 'colour', 'a key')
    call MPI_Info_dup(info, copy, ierr)
    call MPI_Info_delete(info, 'colour', ierr)
    call MPI_Info_get(copy, 'colour', 12, value, flag, ierr)
    call expect(flag .and. value == 'light green', 'a copy')
    call MPI_Info_free(info, ierr)
    call MPI_Info_free(copy, ierr)
    call expect(info == MPI_INFO_NULL, 'a freed info')
  end subroutine

  subroutine types
    integer :: old, struct, counts(3), combiner, integers(5), parts(2), upper, size, keyval
    integer :: types_of(2) = [MPI_INTEGER, MPI_DOUBLE_PRECISION], lengths(2) = [1, 2], displs(2) = [0, 8]
    integer(MPI_ADDRESS_KIND) :: addresses(2), lower, extent, places(2) = [0, 16]
    logical :: flag
    call MPI_Type_struct(2, lengths, displs, types_of, old, ierr)
    call MPI_Type_extent(old, upper, ierr)
    call MPI_Type_size(old, size, ierr)
    call expect(upper == 24 .and. size == 20, 'a struct of MPI-1')
    call MPI_Type_free(old, ierr)
    call MPI_Type_create_struct(2, lengths, places, types_of, struct, ierr)
    call MPI_Type_get_extent(struct, lower, extent, ierr)
    call expect(lower == 0 .and. extent == 32, 'a struct')
    call MPI_Type_get_envelope(struct, counts(1), counts(2), counts(3), combiner, ierr)
    call expect(all(counts == [3, 2, 2]) .and. combiner == MPI_COMBINER_STRUCT, 'how it was made')
    call MPI_Type_get_contents(struct, 3, 2, 2, integers, addresses, parts, ierr)
    call expect(all(integers(:3) == [2, 1, 2]) .and. all(addresses == places) .and. all(parts == types_of), 'of what')
    call MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, delete_type, keyval, 100_MPI_ADDRESS_KIND, ierr)
    call MPI_Type_set_attr(struct, keyval, -5_MPI_ADDRESS_KIND, ierr)
    call MPI_Type_get_attr(struct, keyval, extent, flag, ierr)
    call expect(flag .and. extent == -5, 'an attribute of a type')
    call MPI_Type_free(struct, ierr)
    call expect(deleted == 100, 'an attribute whose type is freed')
    call MPI_Type_free_keyval(keyval, ierr)
    call MPI_Type_create_subarray(2, [4, 6], [2, 3], [1, 2], MPI_ORDER_FORTRAN, MPI_INTEGER, struct, ierr)
    call MPI_Type_get_true_extent(struct, lower, extent, ierr)
    call expect(lower == (2 * 4 + 1) * 4 .and. extent == (2 * 4 + 2) * 4, 'a part of an array')
    call MPI_Type_free(struct, ierr)
  end subroutine

  subroutine requests
    integer :: request, done(2), count, indices(2), statuses(MPI_STATUS_SIZE, 2), status(MPI_STATUS_SIZE), both(2)
    integer :: message, number, index
    logical :: flag
    call MPI_Grequest_start(query, release, cancel, 7_MPI_ADDRESS_KIND, request, ierr)
    call MPI_Test(request, flag, status, ierr)
    call expect(.not. flag, 'an operation that has not ended')
    call MPI_Cancel(request, ierr)
    call MPI_Grequest_complete(request, ierr)
    call MPI_Wait(request, status, ierr)
    call MPI_Get_elements(status, MPI_INTEGER, count, ierr)
    call expect(status(MPI_SOURCE) == 11 .and. status(MPI_TAG) == 12 .and. count == 3, 'its status')
    call expect(queried == 7 .and. freed == 7 .and. cancelled == 7, 'its functions')
    call MPI_Send_init(rank, 1, MPI_INTEGER, rank, 9, MPI_COMM_WORLD, both(1), ierr)
    call MPI_Recv_init(number, 1, MPI_INTEGER, rank, 9, MPI_COMM_WORLD, both(2), ierr)
    call MPI_Testany(2, both, index, flag, status, ierr)
    call expect(flag .and. index == MPI_UNDEFINED, 'requests that are not active')
    number = -1
    call MPI_Startall(2, both, ierr)
    count = 0
    do while (count < 2)
      call MPI_Testsome(2, both, done(1), indices, statuses, ierr)
      do index = 1, done(1)
        call expect(indices(index) == 1 .or. statuses(MPI_TAG, index) == 9, 'the status of one of several')
      end do
      count = count + done(1)
    end do
    call expect(number == rank .and. all(both /= MPI_REQUEST_NULL), 'persistent requests')
    call MPI_Request_free(both(1), ierr)
    call MPI_Request_free(both(2), ierr)
    call expect(all(both == MPI_REQUEST_NULL), 'freed requests')
    call MPI_Isend(rank, 1, MPI_INTEGER, rank, 10, MPI_COMM_WORLD, request, ierr)
    call MPI_Mprobe(MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, message, status, ierr)
    call expect(message /= MPI_MESSAGE_NULL .and. status(MPI_SOURCE) == rank, 'a message')
    call MPI_Mrecv(number, 1, MPI_INTEGER, message, MPI_STATUS_IGNORE, ierr)
    call expect(message == MPI_MESSAGE_NULL, 'a message that is received')
    call MPI_Waitall(1, [request], MPI_STATUSES_IGNORE, ierr)
  end subroutine

  subroutine attributes
    integer :: keyval, copy, value
    logical :: flag
    deleted = 0
    call MPI_Keyval_create(copy_old, delete_old, keyval, 3, ierr)
    call MPI_Attr_put(MPI_COMM_WORLD, keyval, -20, ierr)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
    call MPI_Attr_get(copy, keyval, value, flag, ierr)
    call expect(flag .and. value == -19 .and. copied == 3, 'a copied attribute of MPI-1')
    call MPI_Comm_free(copy, ierr)
    call MPI_Attr_delete(MPI_COMM_WORLD, keyval, ierr)
    call expect(deleted == 6, 'deleted ones')
    call MPI_Keyval_free(keyval, ierr)
    call expect(keyval == MPI_KEYVAL_INVALID, 'a freed key')
    call MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, keyval, 0, ierr)
    call MPI_Attr_put(MPI_COMM_WORLD, keyval, 8, ierr)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
    call MPI_Attr_get(copy, keyval, value, flag, ierr)
    call expect(flag .and. value == 8, 'an attribute that MPI copies')
    call MPI_Comm_free(copy, ierr)
  end subroutine

  ! Each sends to the next rank, in a graph that says so.
  subroutine graphs
    integer :: next, previous, ring, in, out, from(1), to(1), weight(1), other(1), types_of(1), got
    logical :: weighted
    next = mod(rank + 1, ranks)
    previous = mod(rank + ranks - 1, ranks)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [previous], MPI_UNWEIGHTED, 1, [next], MPI_UNWEIGHTED, &
                                        MPI_INFO_NULL, .false., ring, ierr)
    call MPI_Dist_graph_neighbors_count(ring, in, out, weighted, ierr)
    call expect(in == 1 .and. out == 1 .and. .not. weighted, 'a graph without weights')
    got = -1
    types_of = MPI_INTEGER
    call MPI_Neighbor_alltoallw(rank, [1], [0_MPI_ADDRESS_KIND], types_of, got, [1], [0_MPI_ADDRESS_KIND], types_of, &
                                ring, ierr)
    call expect(got == previous, 'from a neighbour')
    call MPI_Comm_free(ring, ierr)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [previous], [5], 1, [next], [rank], MPI_INFO_NULL, .true., &
                                        ring, ierr)
    call MPI_Dist_graph_neighbors(ring, 1, from, weight, 1, to, other, ierr)
    call expect(from(1) == previous .and. to(1) == next .and. weight(1) == 5 .and. other(1) == rank, 'weights')
    call MPI_Comm_free(ring, ierr)
  end subroutine

  subroutine everyone
    integer :: sent(ranks), got(ranks), ones(ranks), places(ranks), types_of(ranks), i
    ones = 1
    places = [(4 * (i - 1), i=1, ranks)]
    types_of = MPI_INTEGER
    sent = [(100 * rank + i, i=1, ranks)]
    call MPI_Alltoallw(sent, ones, places, types_of, got, ones, places, types_of, MPI_COMM_WORLD, ierr)
    call expect(all(got == [(100 * (i - 1) + rank + 1, i=1, ranks)]), 'types by rank')
    call MPI_Alltoallw(MPI_IN_PLACE, ones, places, types_of, sent, ones, places, types_of, MPI_COMM_WORLD, ierr)
    call expect(all(sent == got), 'the same in place')
    got = rank
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call expect(got(rank + 1) == rank .and. got(ranks) == ranks - 1, 'a gather in place')
    call MPI_Scan(1, i, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call expect(i == rank + 1, 'a scan')
  end subroutine

  subroutine memory
    type(c_ptr) :: base
    double precision, pointer :: numbers(:)
    integer :: bytes
    integer, save :: room(1000)
    integer(MPI_ADDRESS_KIND) :: one, other
    call MPI_Alloc_mem(80_MPI_ADDRESS_KIND, MPI_INFO_NULL, base, ierr)
    call c_f_pointer(base, numbers, [10])
    numbers = 1
    call MPI_Allreduce(MPI_IN_PLACE, numbers, 10, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    call expect(all(numbers == ranks), 'allocated memory')
    call MPI_Get_address(numbers(2), one, ierr)
    call MPI_Get_address(numbers(5), other, ierr)
    call expect(MPI_Aint_diff(other, one) == 24 .and. MPI_Aint_add(one, 24_MPI_ADDRESS_KIND) == other, 'addresses')
    call MPI_Free_mem(numbers, ierr)
    call MPI_Buffer_attach(room, 4000, ierr)
    call MPI_Bsend(rank, 1, MPI_INTEGER, rank, 4, MPI_COMM_WORLD, ierr)
    call MPI_Recv(bytes, 1, MPI_INTEGER, rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call expect(bytes == rank, 'a buffered message')
    call MPI_Buffer_detach(room, bytes, ierr)
    call expect(bytes == 4000, 'a detached buffer')
  end subroutine

  subroutine groups
    integer :: world, odd, comm, ranges(3, 1), translated(1), size
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
    ranges(:, 1) = [0, ranks - 1, 2]
    call MPI_Group_range_incl(world, 1, ranges, odd, ierr)
    call MPI_Group_size(odd, size, ierr)
    call expect(size == (ranks + 1) / 2, 'a range')
    call MPI_Group_translate_ranks(odd, 1, [size - 1], world, translated, ierr)
    call expect(translated(1) == 2 * (size - 1), 'a rank in another group')
    call MPI_Comm_create(MPI_COMM_WORLD, odd, comm, ierr)
    call expect((comm == MPI_COMM_NULL) .eqv. (mod(rank, 2) == 1), 'who is in it')
    if (comm /= MPI_COMM_NULL) call MPI_Comm_free(comm, ierr)
    call MPI_Group_free(odd, ierr)
    call MPI_Group_free(world, ierr)
    call expect(odd == MPI_GROUP_NULL, 'a freed group')
  end subroutine
end program
