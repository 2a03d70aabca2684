// labels.rs: a text is made for each look-up, and freed after it
//
// Copyright (C) 2026 the Datagrind developers.
// SPDX-License-Identifier: GPL-2.0-or-later

// rules: temporary
// also: store-forward

use std::collections::HashMap;

#[cfg(not(REPAIRED))]
#[inline(never)]
fn label(kind: usize) -> String {
    let mut text = String::with_capacity(40); // FLAW
    text.push_str("kind-");
    text.push((b'a' + kind as u8) as char);
    text
}

fn main() {
    let mut prices: HashMap<String, u64> = HashMap::new();
    let mut labels: Vec<String> = Vec::new();
    for kind in 0..20usize {
        let text = format!("kind-{}", (b'a' + kind as u8) as char);
        prices.insert(text.clone(), kind as u64 * 3);
        labels.push(text);
    }
    let mut sum = 0;
    for i in 0..100_000usize {
        #[cfg(REPAIRED)]
        let price = prices.get(&labels[i * 7 % 20]);
        #[cfg(not(REPAIRED))]
        let price = prices.get(&label(i * 7 % 20));
        sum += price.copied().unwrap_or(0);
    }
    println!("{} {}", sum, labels.len());
}
