// rust.rs: the Rust program.  Lines with "=" say what is to be told of it.
//
// Copyright (C) 2026 the Datagrind developers.
// SPDX-License-Identifier: GPL-2.0-or-later
//
// = functions: rust::main; rust::push; rust::area*
// = inlined: rust::grab (new) < rust::push (grab) < rust::main (push)
// = lines: side; key; hits; choice
// = globals: <global>.rust::shop::SOLD.v.value; <global>.rust::KEYS
// = statics: <global>.rust::push::CALLS.v.value; <global>.rust::TOTALS.hits
// = thread-local: <thread 1>.rust::OF_THREAD.value.value | <thread 1>.rust::OF_THREAD::*.value.value
// = locals: rust::main().local.tag
// = heap types: rust::Node
// = fields: rust::Node.key; rust::Node.inner.weight; <global>.rust::TOTALS.last.weight

use std::cell::Cell;
use std::ptr::{addr_of_mut, read_volatile, write_volatile};
use std::sync::atomic::{AtomicI64, Ordering};

#[derive(Clone, Copy)]
struct Inner {
    tag: u32,
    weight: f64,
}

struct Node {
    key: i64,
    inner: Inner,
    next: Option<Box<Node>>,
}

struct Total {
    hits: i64,
    last: Inner,
}

enum Choice {
    Number(i64),
    Pair { left: f64, right: f64 },
}

trait Shape {
    fn size(&self) -> f64;
}

struct Square {
    side: f64,
}

impl Shape for Square {
    #[inline(never)]
    fn size(&self) -> f64 {
        self.side * self.side // LINE side
    }
}

mod shop {
    use super::*;
    pub static SOLD: AtomicI64 = AtomicI64::new(0);
}

static mut TOTALS: Total = Total { hits: 0, last: Inner { tag: 0, weight: 0.0 } };
static mut KEYS: [i64; 256] = [0; 256];

thread_local! {
    static OF_THREAD: Cell<i64> = const { Cell::new(0) };
}

#[inline(always)]
fn grab(key: i64, next: Option<Box<Node>>) -> Box<Node> {
    Box::new(Node { key, inner: Inner { tag: 1, weight: key as f64 }, next }) // LINE new
}

#[inline(never)]
fn push(list: Option<Box<Node>>, key: i64) -> Option<Box<Node>> {
    static CALLS: AtomicI64 = AtomicI64::new(0);
    let mut node = grab(key, list); // LINE grab
    node.key += CALLS.fetch_add(1, Ordering::Relaxed); // LINE key
    OF_THREAD.with(|mine| mine.set(mine.get() + key));
    Some(node)
}

#[inline(never)]
fn area<T: Shape>(shape: &T) -> f64 {
    shape.size() + 1.0
}

#[inline(never)]
fn choose(choice: &Choice) -> f64 {
    match choice { // LINE choice
        Choice::Number(n) => *n as f64,
        Choice::Pair { left, right } => left + right,
    }
}

fn main() {
    let mut local = [Inner { tag: 0, weight: 0.0 }; 8];
    let mut list = None;
    let mut sum = 0.0;
    for i in 0..200i64 {
        list = push(list, i); // LINE push
        unsafe {
            let totals = &mut *addr_of_mut!(TOTALS);
            totals.hits += 1; // LINE hits
            totals.last.weight += i as f64;
            let keys = &mut *addr_of_mut!(KEYS);
            write_volatile(&mut keys[(i & 255) as usize], i);
        }
        shop::SOLD.fetch_add(i, Ordering::Relaxed);
        let tag = &mut local[(i & 7) as usize].tag;
        unsafe { write_volatile(tag, read_volatile(tag) + 1) };
        sum += area(&Square { side: i as f64 });
        sum += choose(&Choice::Pair { left: 1.0, right: i as f64 });
        sum += choose(&Choice::Number(i));
    }
    while let Some(node) = list {
        sum += node.inner.weight + node.key as f64 + node.inner.tag as f64;
        list = node.next;
    }
    println!("{} {}", sum, local[3].tag + unsafe { (*addr_of_mut!(TOTALS)).last.tag });
}
