// healthy-workers.go: workers that take parts of a slice from a channel
//
// Copyright (C) 2026 the Datagrind developers.
// SPDX-License-Identifier: GPL-2.0-or-later

package main

import (
	"fmt"
	"sync"
)

func sum(part []int) int {
	total := 0
	for _, value := range part {
		total += value * value % 17
	}
	return total
}

func main() {
	values := make([]int, 200000)
	for i := range values {
		values[i] = i % 1009
	}
	parts := make(chan []int, 4)
	sums := make(chan int, 64)
	var workers sync.WaitGroup
	for w := 0; w < 3; w++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for part := range parts {
				sums <- sum(part)
			}
		}()
	}
	for at := 0; at < len(values); at += 8000 {
		parts <- values[at : at+8000]
	}
	close(parts)
	workers.Wait()
	close(sums)
	total := 0
	for part := range sums {
		total += part
	}
	fmt.Println(total)
}
