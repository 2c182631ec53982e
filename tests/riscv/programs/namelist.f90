! Fortran as users write it: a namelist, formatted and direct-access files, allocatable arrays, derived types.
program reads_a_namelist
  implicit none
  type point
    real(8) :: x = 0, y = 0
    character(len=:), allocatable :: name
  end type
  integer :: n = 1, unit, i, status
  real(8) :: step = 0.5d0, table(3) = 0, got
  logical :: verbose = .false.
  character(len=20) :: title = 'none', line
  real(8), allocatable :: matrix(:, :), copy(:, :)
  type(point), allocatable :: points(:)
  namelist /input/ n, step, table, verbose, title

  open (newunit=unit, file='namelist.in', status='replace')
  write (unit, '(a)') '&input', "  n = 7, step = 2.5d-1, title = 'a case',", '  table(2:3) = 2*1.5, verbose = .true. /'
  close (unit)
  open (newunit=unit, file='namelist.in', status='old', action='read')
  read (unit, nml=input)
  close (unit, status='delete')
  print '(i0, 1x, f6.3, 1x, 3f5.1, 1x, l1, 1x, a)', n, step, table, verbose, trim(title)
  write (*, nml=input)

  allocate (matrix(n, 2*n))
  matrix = reshape([(sqrt(dble(i)), i=1, size(matrix))], shape(matrix))
  copy = matrix(::2, :)
  copy = matmul(copy, transpose(matrix))
  print '(2i4, es14.6)', shape(copy), sum(copy)
  points = [point(1, 2, 'first'), point(3, 4, 'the second')]
  points = [points, point(5, 6, 'third')]
  print '(3(a, f5.1, 1x))', (points(i)%name, points(i)%x + points(i)%y, i=1, size(points))

  open (newunit=unit, file='direct.data', access='direct', recl=8, form='unformatted', status='replace')
  do i = 10, 1, -1
    write (unit, rec=i) 1.5d0*i
  end do
  read (unit, rec=4) got
  print '(f8.3)', got
  read (unit, rec=40, iostat=status) got
  print *, status /= 0
  close (unit, status='delete')

  open (newunit=unit, status='scratch', form='formatted')
  write (unit, '(3(f8.3, ";"))') 1.0, -2.5, 1e3
  write (unit, '(b8.8, 1x, o4, 1x, z4.4, 1x, g12.4, 1x, en12.3, 1x, l2)') 5, 8, 255, 0.1, 12345.678d0, .true.
  rewind (unit)
  do
    read (unit, '(a)', iostat=status) line
    if (status /= 0) exit
    print '(a)', trim(line)
  end do
  close (unit)
  write (line, '(i5.3)') 42
  read (line, *) i
  print '(i0, 1x, a)', i, adjustl(line)
end program
