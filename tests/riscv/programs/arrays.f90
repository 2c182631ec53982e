! Arrays, modules, allocatable data, formatted output, internal procedures as arguments.
module numbers
  implicit none
  integer, parameter :: dp = kind(1d0)
contains
  function integral(f, a, b, n) result(sum)
    interface
      function f(x)
        import dp
        real(dp), intent(in) :: x
        real(dp) :: f
      end function
    end interface
    real(dp), intent(in) :: a, b
    integer, intent(in) :: n
    real(dp) :: sum
    integer :: i
    sum = 0
    do i = 1, n
      sum = sum + f(a + (b - a) * (i - 0.5_dp) / n) * (b - a) / n
    end do
  end function
end module

program arrays
  use numbers
  implicit none
  real(dp), allocatable :: a(:, :), b(:, :)
  complex(dp) :: z
  character(len=20) :: text
  integer :: i, scale
  allocate(a(20, 20), b(20, 20))
  do i = 1, 20
    a(:, i) = [(real(i * scale, dp) / (i + scale), scale = 1, 20)]
  end do
  b = matmul(a, transpose(a))
  write(*, '(3f12.5)') sum(b), maxval(b), b(3, 7)
  scale = 3
  write(*, '(a, es20.12)') 'integral', integral(scaled, 0d0, 1d0, 1000)
  z = exp((0d0, 1d0))
  write(*, *) real(z) > 0.54, count(b > 10)
  write(text, '(i5.3)') 42
  write(*, *) trim(adjustl(text)), ' ', index('fortran', 'tra')
  if (sum(b) < 0) stop 3
  stop 5
contains
  function scaled(x)
    real(dp), intent(in) :: x
    real(dp) :: scaled
    scaled = scale * x * x
  end function
end program
