! The generator of the NAS Parallel Benchmarks: x becomes a x mod 2^46.
module random_numbers
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  integer(int64), parameter :: half = 2_int64**23, whole = 2_int64**46
  integer(int64), parameter :: multiplier = 1220703125_int64 ! 5^13
  private :: half, whole
contains
  pure integer(int64) function product_of(a, x)
    integer(int64), intent(in) :: a, x
    integer(int64) :: middle
    middle = mod((a / half) * mod(x, half) + mod(a, half) * (x / half), half)
    product_of = mod(middle * half + mod(a, half) * mod(x, half), whole)
  end function

  real(real64) function next(x)
    integer(int64), intent(inout) :: x
    x = product_of(multiplier, x)
    next = real(x, real64) / real(whole, real64)
  end function

  ! The seed, `steps` numbers further on.
  pure integer(int64) function ahead(seed, steps)
    integer(int64), intent(in) :: seed, steps
    integer(int64) :: power, left
    ahead = seed
    power = multiplier
    left = steps
    do while (left > 0)
      if (mod(left, 2_int64) == 1) ahead = product_of(power, ahead)
      power = product_of(power, power)
      left = left / 2
    end do
  end function
end module
