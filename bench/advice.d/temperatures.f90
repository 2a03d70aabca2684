! temperatures.f90: the inner loop goes along the rows, which are apart
!
! Copyright (C) 2026 the Datagrind developers.
! SPDX-License-Identifier: GPL-2.0-or-later

! flags: -cpp
! rules: column-walk

program temperatures
  real(8), allocatable :: warm(:,:), mean(:)
  integer :: step, i, j

  allocate (warm(600,600), mean(600))
  do j = 1, 600
    do i = 1, 600
      warm(i,j) = i * 0.5d0 + j
    end do
  end do
  do step = 1, 4
    mean = 0
#ifdef REPAIRED
    do j = 1, 600
      do i = 1, 600
        mean(i) = mean(i) + warm(i,j)
      end do
    end do
#else
    do i = 1, 600
      do j = 1, 600
        mean(i) = mean(i) + warm(i,j) ! FLAW
      end do
    end do
#endif
    warm(:,1) = mean / 600
  end do
  print *, sum (mean)
end program
