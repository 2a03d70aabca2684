/* probe_confine.c: takes from the program dg-probe what it does not need.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "probe_confine.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined __s390x__
#define ARCHITECTURE AUDIT_ARCH_S390X
#elif defined __powerpc64__ && defined __LITTLE_ENDIAN__
#define ARCHITECTURE AUDIT_ARCH_PPC64LE
#elif defined __powerpc64__
#define ARCHITECTURE AUDIT_ARCH_PPC64
#elif defined __riscv && __riscv_xlen == 64 && defined AUDIT_ARCH_RISCV64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

/* Sanitizers need more.  */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#undef ARCHITECTURE
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) \
  || __has_feature(memory_sanitizer)
#undef ARCHITECTURE
#endif
#endif

#ifdef ARCHITECTURE

#define LOAD(field) \
  BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, field))
#define DO(what) BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_##what)
#define ALLOW(name) \
  BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), DO (ALLOW)

/* Any other call fails, and the files are read without its result.  */
static void
filter_calls (void)
{
  struct sock_filter code[] = {
    LOAD (arch),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    DO (KILL_PROCESS),
    LOAD (nr),
    ALLOW (read),
    ALLOW (pread64),
    ALLOW (write),
    ALLOW (lseek),
    ALLOW (fstat),
    ALLOW (newfstatat),
    ALLOW (fcntl),
    ALLOW (close),
    ALLOW (brk),
    ALLOW (mmap),
    ALLOW (munmap),
    ALLOW (mremap),
    ALLOW (mprotect),
    ALLOW (madvise),
    ALLOW (futex),
    ALLOW (getrandom),
    ALLOW (rt_sigprocmask),
    ALLOW (rt_sigreturn),
    ALLOW (gettid),
    ALLOW (getpid),
    ALLOW (tgkill),
    ALLOW (exit),
    ALLOW (exit_group),
    DO (ERRNO | EPERM)
  };
  const struct sock_fprog program = {sizeof code / sizeof code[0], code};

  prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

#else

static void
filter_calls (void)
{
}

#endif

void
dg_probe_confine (int end)
{
#ifdef SYS_close_range
  syscall (SYS_close_range, (unsigned) end, ~0U, 0U);
#endif
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  filter_calls ();
}
