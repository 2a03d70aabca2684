// go.go: the Go program.  Lines with "=" say what is to be told of it.
//
// Copyright (C) 2026 the Datagrind developers.
// SPDX-License-Identifier: GPL-2.0-or-later
//
// = functions: main.main; main.(*Square).Area; main.push; main.main.func1
// = inlined: main.step (hits); main.grab (new)
// = lines: side; key; hits; closure
// = globals: <global>.main.sold; <global>.main.Totals.hits; <global>.main.keys
// = locals: main.main().local.tag
// = heap types: main.node
// = fields: <global>.main.Totals.last.weight

package main

type inner struct {
	tag    uint32
	weight float64
}

type node struct {
	key  int64
	in   inner
	next *node
}

type total struct {
	hits int64
	last inner
}

type Shape interface {
	Area() float64
}

type Square struct {
	side float64
}

var (
	sold   int64
	Totals total
	keys   [256]int64
)

//go:noinline
func (s *Square) Area() float64 {
	return s.side * s.side // LINE side
}

func grab() *node {
	return &node{} // LINE new
}

//go:noinline
func push(list *node, key int64) *node {
	one := grab() // LINE grab
	one.key = key // LINE key
	one.in.weight = float64(key)
	one.next = list
	return one
}

func step(i int64) int64 {
	Totals.hits++ // LINE hits
	return i*3 + 1
}

//go:noinline
func apply(f func(i int64)) {
	for i := int64(0); i < 200; i++ {
		f(i)
	}
}

func main() {
	var list *node
	var local [8]inner
	var sum float64
	apply(func(i int64) {
		local[i&7].tag++ // LINE closure
		sold += step(i) // LINE step
		keys[i&255] = i
		Totals.last.weight += float64(i)
		list = push(list, i) // LINE push
		var shape Shape = &Square{float64(i)}
		sum += shape.Area()
	})
	for ; list != nil; list = list.next {
		sum += list.in.weight + float64(list.in.tag)
	}
	println(sum, sold, local[3].tag)
}
