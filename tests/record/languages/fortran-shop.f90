! fortran-shop.f90: the module of the Fortran program.
!
! Copyright (C) 2026 the Datagrind developers.
! SPDX-License-Identifier: GPL-2.0-or-later

module shop
  implicit none
  type inner
    integer :: tag
    real (8) :: weight
  end type inner
  type total
    integer (8) :: hits
    type (inner) :: last
  end type total
  type node
    integer (8) :: key
    type (inner) :: in
    type (node), pointer :: next
  end type node
  integer (8) :: sold
  type (total) :: totals
  real (8) :: matrix(10, 20)
  integer (8) :: mine
  !$omp threadprivate (mine)
contains
  subroutine grab (one)
    type (node), pointer, intent (out) :: one
    allocate (one) ! LINE allocate
  end subroutine grab

  subroutine fill (list, key)
    type (node), pointer, intent (inout) :: list
    integer, intent (in) :: key
    type (node), pointer :: one
    call grab (one) ! LINE grab
    one%key = key ! LINE key
    one%in%weight = key * 2.0d0
    one%next => list
    list => one
    mine = mine + 1
  end subroutine fill

  subroutine sell (i)
    integer, intent (in) :: i
    integer, volatile :: kept(8)
    integer, save :: calls = 0
    integer :: n_common
    common /counts/ n_common
    calls = calls + 1
    kept(mod (i, 8) + 1) = i
    sold = sold + kept(mod (i, 8) + 1) ! LINE sold
    totals%hits = totals%hits + 1
    totals%last%weight = totals%last%weight + i ! LINE weight
    matrix(mod (i, 10) + 1, mod (i, 20) + 1) = i ! LINE matrix
    n_common = n_common + 1 ! LINE common
  end subroutine sell
end module shop
