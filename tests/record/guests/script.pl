# script.pl: lines that read or write one byte of $data each time they run.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

use strict;

our $data = "\0" x 4096;
vec ($data, 0, 8) = 1;
printf "%x\n", unpack ('J', pack ('p', $data));

sub fill {
  my ($n) = @_;
  for my $i (0 .. $n - 1) {
    vec ($data, $i, 8) = 2;             # fill
  }
}

sub total {
  my ($n) = @_;
  my $s = 0;
  for my $i (0 .. $n - 1) {
    $s += vec ($data, $i, 8);           # total
  }
  return $s;
}

sub recurse {
  my ($n) = @_;
  recurse ($n - 1) if $n > 0;
  return vec ($data, $n, 8);            # recurse
}

package Reader;

sub new { return bless { at => $_[1] }, $_[0] }

sub read {
  my ($self) = @_;
  return vec ($main::data, $self->{at}, 8);     # read
}

package main;

sub in_eval {
  eval {
    die 'x' if vec ($data, 1, 8);       # dies
  };
  return vec ($data, 2, 8);             # after
}

my $anonymous = sub {
  return vec ($data, $_[0], 8);         # anonymous
};

fill (1000);
total (700);
recurse (200);
my $reader = Reader->new (5);
$reader->read for 1 .. 60;
in_eval () for 1 .. 30;
$anonymous->($_) for 1 .. 110;
my @sorted = sort { vec ($data, $a, 8) <=> 1 || 1 } 1 .. 2;     # sort
my $made = eval 'sub { return vec ($data, 7, 8) }';
$made->() for 1 .. 20;
print "done\n";
