// Blocks that are wanted at known places through Rust's library.
//
// Copyright (C) 2026 the Datagrind developers.
// SPDX-License-Identifier: GPL-2.0-or-later

use std::collections::HashMap;

#[inline(never)]
fn numbers(n: u64) -> Vec<u64> {
    let mut all = Vec::new();
    for i in 0..n {
        all.push(i); // HERE numbers
    }
    all
}

#[inline(never)]
fn table(n: u64) -> HashMap<u64, String> {
    let mut all = HashMap::new();
    for i in 0..n {
        all.insert(i, "text".to_string()); // HERE table
    }
    all
}

#[inline(never)]
fn boxed(n: u64) -> Box<[u64; 100]> {
    Box::new([n; 100]) // HERE boxed
}

fn main() {
    let n = std::env::args().count() as u64 * 100;
    let all = numbers(n);
    let map = table(n);
    let one = boxed(n);
    println!("{} {} {}", all.len(), map.len(), one[7]);
}
