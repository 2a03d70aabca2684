// healthy-words.rs: words of a text, counted in a map
//
// Copyright (C) 2026 the Datagrind developers.
// SPDX-License-Identifier: GPL-2.0-or-later

use std::collections::HashMap;

fn main() {
    let mut text = String::with_capacity(400_000);
    let mut seed = 7u32;
    for _ in 0..60_000 {
        seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        for k in 0..(2 + seed % 3) {
            text.push((b'a' + (seed >> (8 + 4 * k) & 7) as u8) as char);
        }
        text.push(' ');
    }
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for word in text.split(' ') {
        *counts.entry(word).or_insert(0) += 1;
    }
    let mut most: Vec<_> = counts.into_iter().collect();
    most.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    println!("{:?}", &most[..3]);
}
