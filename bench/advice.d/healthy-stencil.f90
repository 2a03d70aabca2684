! healthy-stencil.f90: a stencil whose inner loop goes along the columns
!
! Copyright (C) 2026 the Datagrind developers.
! SPDX-License-Identifier: GPL-2.0-or-later

program stencil
  real(8), allocatable :: a(:,:), b(:,:)
  integer :: i, j, k

  allocate (a(300,300), b(300,300))
  a = 1d0
  b = a
  do k = 1, 6
    do j = 2, 299
      do i = 2, 299
        b(i,j) = 0.25d0 * (a(i-1,j) + a(i+1,j) + a(i,j-1) + a(i,j+1))
      end do
    end do
    a = b
  end do
  print *, sum (a)
end program
