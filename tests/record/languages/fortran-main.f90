! fortran-main.f90: the Fortran program.  Lines with "=" say what is to be told of
! it.
!
! Copyright (C) 2026 the Datagrind developers.
! SPDX-License-Identifier: GPL-2.0-or-later
!
!= functions: shop::sell; shop::fill; fortran
!= inlined: shop::grab (allocate) < shop::fill (grab) < fortran (fill)
!= lines: sold; key; weight; matrix; common
!= globals: <global>.shop::sold; <global>.shop::totals.hits; <global>.shop::matrix
!= statics: <global>.shop::sell::calls; <global>.fortran::local.weight; <global>.counts::n_common
!= thread-local: <thread 1>.shop::mine
!= locals: shop::sell().kept
!= heap types: shop::node
!= fields: shop::node.key; shop::node.in.weight; <global>.fortran::local.tag; <global>.shop::totals.last.weight

program fortran
  use shop
  implicit none
  type (inner), save :: local(4)
  type (node), pointer :: list
  integer :: i
  nullify (list)
  do i = 1, 200
    call sell (i)
    call fill (list, i) ! LINE fill
    local(mod (i, 4) + 1)%tag = i
    local(mod (i, 4) + 1)%weight = local(mod (i, 4) + 1)%weight + i
  end do
  print *, sold, list%key, local(2)%weight, sum (matrix)
end program fortran
