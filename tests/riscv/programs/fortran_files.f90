! Formatted and unformatted files.
program fortran_files
  implicit none
  integer :: i, n
  real :: x
  character(len=40) :: line
  open(10, file='fortran.txt', status='replace')
  do i = 1, 10
    write(10, '(i4, f8.3)') i, sqrt(real(i))
  end do
  rewind(10)
  do i = 1, 3
    read(10, '(i4, f8.3)') n, x
    print '(i4, f8.3)', n, x
  end do
  close(10, status='delete')
  open(11, file='fortran.bin', form='unformatted', access='direct', recl=8)
  do i = 1, 5
    write(11, rec=i) i, real(i) / 3
  end do
  read(11, rec=4) n, x
  print '(i4, f8.5)', n, x
  close(11, status='delete')
  open(12, file='missing.txt', status='old', iostat=n)
  print *, n /= 0
  read(*, '(a)', iostat=n) line
  print *, n < 0
end program
