/* test-insn.c: what machine code is decoded to: registers, kind of work,
   branch, flags and operand of instructions of each kind; logs whose code
   cannot be decoded, or is not known.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "dg_insn.h"

#include "core_test.h"
#include "unit_main.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

/* ---- As text ------------------------------------------------------------ */

static void
put_register (GString *text, unsigned reg, bool is_arm64)
{
  static const char *const names[] = {
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10",
    "r11", "r12", "r13", "r14", "r15", "flags", "ip", "es", "cs", "ss", "ds",
    "fs", "gs"};

  g_assert_cmpuint (reg, <, DG_REGS);
  if (is_arm64 && reg == DG_REG_STACK_POINTER)
    g_string_append (text, "sp");
  else if (is_arm64 && reg < DG_REG_FLAGS)
    g_string_append_printf (text, "x%u", reg);
  else if (reg >= DG_REG_MORE)
    g_string_append_printf (text, "x%u", reg == DG_REG_MORE + 15
                                           ? 4 : reg - DG_REG_MORE + 16);
  else if (reg < G_N_ELEMENTS (names))
    g_string_append (text, names[reg]);
  else if (reg < DG_REG_MASK)
    g_string_append_printf (text, "st%u", reg - DG_REG_FLOAT);
  else if (reg == DG_REG_FLOAT_STATE)
    g_string_append (text, "fpsw");
  else if (reg < DG_REG_FLOAT_STATE)
    g_string_append_printf (text, "k%u", reg - DG_REG_MASK);
  else
    g_string_append_printf (text, "v%u", reg - DG_REG_VECTOR);
}

static void
put_registers (GString *text, const uint8_t *regs, unsigned n, bool is_arm64)
{
  for (unsigned i = 0; i < n; i++) {
    if (i > 0) {
      g_assert_cmpuint (regs[i], >, regs[i - 1]);
      g_string_append_c (text, ' ');
    }
    put_register (text, regs[i], is_arm64);
  }
}

static void
put_flags (GString *text, unsigned flags)
{
  static const char *const names[] = {"locked", "repeated", "stack",
                                      "updates", "merges", "constant",
                                      "bit of register"};

  g_assert_cmpuint (flags >> G_N_ELEMENTS (names), ==, 0);
  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++)
    if ((flags >> i & 1) != 0)
      g_string_append_printf (text, "; %s", names[i]);
}

/* "rbx rcx > rax; integer; [rbx rcx]": what is read, written, the work, the
   branch, flags, and the operand in memory.  */
static char *
text_of (const struct dg_insn *insn, bool is_arm64)
{
  static const char *const works[] = {
    "integer", "move", "cross", "multiply", "divide", "vector",
    "vector multiply", "compare", "float add", "float multiply",
    "float fused", "float divide", "float root", "convert", "x87", "slow"};
  static const char *const branches[] = {
    "", "; jump", "; indirect jump", "; conditional", "; call",
    "; indirect call", "; return"};
  GString *text = g_string_new (NULL);

  G_STATIC_ASSERT (G_N_ELEMENTS (works) == DG_INSN_WORKS);
  put_registers (text, insn->reads, insn->n_reads, is_arm64);
  g_string_append (text, " > ");
  put_registers (text, insn->writes, insn->n_writes, is_arm64);
  g_string_append_printf (text, "; %s%s", works[insn->work],
                          branches[insn->branch]);
  put_flags (text, insn->flags);
  if (insn->base != DG_REGS) {
    g_assert_cmpuint (insn->n_addresses, ==, 1);
    g_assert_cmpuint (insn->addresses[0], ==, insn->base);
    g_string_append (text, "; [");
    put_register (text, insn->base, is_arm64);
    g_string_append_printf (text, "%+" PRId32 "]", insn->displacement);
  } else if (insn->n_addresses > 0) {
    g_string_append (text, "; [");
    for (unsigned i = 0; i < insn->n_addresses; i++) {
      g_string_append (text, i > 0 ? " " : "");
      put_register (text, insn->addresses[i], is_arm64);
    }
    g_string_append_c (text, ']');
  }
  return g_string_free (text, FALSE);
}

/* ---- Logs --------------------------------------------------------------- */

struct row {
  const char *name, *code; /* bytes in hexadecimal digits */
  const char *expected;
};

#define PLACE(i) (0x400000 + 256 * (uint64_t) (i))

/* A log that has the code of each row as a block of its own.  */
static struct dg_log *
log_of (const struct row *rows, size_t n, const char *arch,
        GByteArray **bytes)
{
  GString *text = g_string_new (NULL);
  struct dg_log *log;

  g_string_append_printf (text,
                          "process 42 1 7 1000000 4096 64 0 8 \"1.0\""
                          " \"3.19.0\" \"%s\" \"/no/prog\" \"/\" [\"p\"]\n"
                          "thread_start 1 0 42\n", arch);
  for (size_t i = 0; i < n; i++) {
    size_t size = strlen (rows[i].code) / 2;

    g_string_append_printf (text,
                            "bbdef [%#" PRIx64 "+%zu] []\n"
                            "bbcode %#" PRIx64 " 1 0 [", PLACE (i), size,
                            PLACE (i));
    for (size_t k = 0; k < size; k++)
      g_string_append_printf (text, " 0x%.2s", rows[i].code + 2 * k);
    g_string_append_printf (text, " ]\ncontext %zu [%#" PRIx64 "]\n", i,
                            PLACE (i));
  }
  g_string_append (text, "end\n");
  log = core_test_log (text->str, bytes);
  g_string_free (text, TRUE);
  return log;
}

static void
check_rows (const struct row *rows, size_t n, const char *arch)
{
  struct dg_error err = {0};
  GByteArray *bytes;
  struct dg_log *log = log_of (rows, n, arch, &bytes);
  struct dg_symbols *symbols = dg_symbols_new (log, NULL, &err);
  struct dg_insn_decoder *decoder = dg_insn_decoder_new (log, symbols);
  uint8_t *code = g_malloc (DG_INSN_CODE_MAX);
  unsigned n_wrong = 0;

  g_assert_cmpstr (dg_insn_arch_name (log), ==, arch);
  g_assert_null (dg_insn_decoder_lacks (log));
  g_assert_nonnull (decoder);
  for (size_t i = 0; i < n; i++) {
    struct dg_insn insn;
    size_t size = dg_insn_decoder_block (
      decoder, dg_log_bbdef (log, (uint32_t) i), 0, &insn, code);
    char *text = text_of (&insn, strcmp (arch, "arm64") == 0);

    g_assert_cmpuint (size, ==, strlen (rows[i].code) / 2);
    if (strcmp (text, rows[i].expected) != 0) {
      g_test_message ("%s: %s, not %s", rows[i].name, text,
                      rows[i].expected);
      n_wrong++;
    }
    g_free (text);
  }
  g_assert_cmpuint (n_wrong, ==, 0);
  g_free (code);
  dg_insn_decoder_free (decoder);
  dg_symbols_free (symbols);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* ---- Instructions ------------------------------------------------------- */

static const struct row amd64[] = {
  {"vaddsd xmm0,xmm1,xmm2", "c5f358c2", "v1 v2 > v0; float add"},
  {"vaddsd xmm0,xmm1,[rax+0x8]", "c5f3584008",
   "rax v1 > v0; float add; [rax+8]"},
  {"vmovapd xmm0,xmm1", "c5f928c1", "v1 > v0; move"},
  {"vmovupd ymm0,[rdi+rax*8]", "c5fd1004c7", "rax rdi > v0; move; [rdi rax]"},
  {"vmovapd [rdi],ymm1", "c5fd290f", "rdi v1 > ; move; [rdi+0]"},
  {"vmovsd xmm0,[rax]", "c5fb1000", "rax > v0; move; [rax+0]"},
  {"vmovsd xmm0,xmm1,xmm2", "c5f310c2", "v1 v2 > v0; vector"},
  {"vmovq rax,xmm0", "c4e1f97ec0", "v0 > rax; cross"},
  {"vdivsd xmm3,xmm4,xmm5", "c5db5edd", "v4 v5 > v3; float divide"},
  {"vsqrtpd ymm0,ymm1", "c5fd51c1", "v1 > v0; float root"},
  {"vfmadd231sd xmm0,xmm1,xmm2", "c4e2f1b9c2", "v0 v1 v2 > v0; float fused"},
  {"vxorpd xmm0,xmm1,xmm1", "c5f157c1", " > v0; move"},
  {"vpaddd ymm0,ymm1,ymm2", "c5f5fec2", "v1 v2 > v0; vector"},
  {"vcvtsi2sd xmm0,xmm1,rax", "c4e1f32ac0", "rax v1 > v0; convert"},
  {"vucomisd xmm0,xmm1", "c5f92ec1", "v0 v1 > flags; compare"},
  {"vpcmpeqd ymm0,ymm0,ymm0", "c5fd76c0", "v0 > v0; vector; constant"},
  {"vpmulld ymm0,ymm1,ymm2", "c4e27540c2", "v1 v2 > v0; vector multiply"},
  {"vbroadcastsd ymm0,xmm1", "c4e27d19c1", "v1 > v0; vector"},
  {"vbroadcastsd ymm0,[rax]", "c4e27d1900", "rax > v0; move; [rax+0]"},
  {"vgatherdpd ymm0,[rax+xmm1*8],ymm2", "c4e2ed9204c8",
   "rax v1 v2 > v0; vector; [rax v1]"},
  {"vpinsrq xmm0,xmm1,rax,0x1", "c4e3f122c001", "rax v1 > v0; cross"},
  {"vzeroupper", "c5f877", " > ; integer"},
  {"addsd xmm0,xmm1", "f20f58c1", "v0 v1 > v0; float add"},
  {"mulsd xmm0,xmm1", "f20f59c1", "v0 v1 > v0; float multiply"},
  {"sqrtsd xmm0,xmm1", "f20f51c1", "v0 v1 > v0; float root"},
  {"movapd xmm0,xmm1", "660f28c1", "v1 > v0; move"},
  {"movsd xmm0,xmm1", "f20f10c1", "v0 v1 > v0; vector"},
  {"movq xmm0,rax", "66480f6ec0", "rax > v0; cross"},
  {"pxor xmm0,xmm0", "660fefc0", " > v0; move"},
  {"pcmpeqd xmm0,xmm0", "660f76c0", "v0 > v0; vector; constant"},
  {"cvtsi2sd xmm0,eax", "f20f2ac0", "rax v0 > v0; convert"},
  {"cvtsd2ss xmm0,xmm1", "f20f5ac1", "v0 v1 > v0; convert"},
  {"comisd xmm0,xmm1", "660f2fc1", "v0 v1 > flags; compare"},
  {"movhpd xmm0,[rax]", "660f1600", "rax v0 > v0; vector; [rax+0]"},
  {"mov eax,ebx", "89d8", "rbx > rax; move"},
  {"mov rax,[rbx+0x8]", "488b4308", "rbx > rax; move; [rbx+8]"},
  {"mov [rbx-0x4],eax", "8943fc", "rax rbx > ; move; [rbx-4]"},
  {"mov al,bl", "88d8", "rbx > rax; move; merges"},
  {"mov eax,[rip+0x20]", "8b0520000000", "ip > rax; move"},
  {"mov rax,fs:0x28", "64488b042528000000", "fs > rax; move"},
  {"movzx eax,[rdi]", "0fb607", "rdi > rax; move; [rdi+0]"},
  {"movzx eax,bl", "0fb6c3", "rbx > rax; integer"},
  {"lea rax,[rbx+rcx*4+0x8]", "488d448b08",
   "rcx rbx > rax; integer; [rbx rcx]"},
  {"add [rdi],rax", "480107", "rax rdi > flags; integer; [rdi+0]"},
  {"xor eax,eax", "31c0", " > rax flags; move"},
  {"sub rax,rax", "4829c0", " > rax flags; move"},
  {"cmp [rdi],ebx", "391f", "rbx rdi > flags; integer; [rdi+0]"},
  {"test rax,rax", "4885c0", "rax > flags; integer"},
  {"imul rax,rbx,0xa", "486bc30a", "rbx > rax flags; multiply"},
  {"div rbx", "48f7f3", "rax rdx rbx > rax rdx flags; divide"},
  {"cqo", "4899", "rax > rdx; integer"},
  {"shl eax,cl", "d3e0", "rax rcx > rax flags; integer"},
  {"bsf eax,ebx", "0fbcc3", "rax rbx > rax flags; integer"},
  {"popcnt rax,rbx", "f3480fb8c3", "rbx > rax flags; integer"},
  {"rcl rax,1", "48d1d0", "rax flags > rax flags; integer"},
  {"bt eax,ebx", "0fa3d8", "rax rbx > flags; integer; bit of register"},
  {"bts rax,rbx", "480fabd8",
   "rax rbx > rax flags; integer; bit of register"},
  {"bt eax,3", "0fbae003", "rax > flags; integer"},
  {"bt [rdi],ebx", "0fa31f", "rbx rdi > flags; integer; [rdi+0]"},
  {"mov ah,bl", "88dc", "rbx > rax; move; merges"},
  {"cmove eax,ebx", "0f44c3", "rax rbx flags > rax; integer"},
  {"sete al", "0f94c0", "flags > rax; integer; merges"},
  {"adc rax,rbx", "4811d8", "rax rbx flags > rax flags; integer"},
  {"adox rax,rbx", "f3480f38f6c3", "rax rbx flags > rax flags; integer"},
  {"mulx rax,rbx,rcx", "c4e2e3f6c1", "rcx rdx > rax rbx; multiply"},
  {"xchg [rdi],eax", "8707", "rax rdi > rax; integer; locked; [rdi+0]"},
  {"lock xadd [rdi],eax", "f00fc107",
   "rax rdi > rax flags; integer; locked; [rdi+0]"},
  {"lock cmpxchg [rdi],ebx", "f00fb11f",
   "rax rbx rdi > rax flags; integer; locked; [rdi+0]"},
  {"mfence", "0faef0", " > ; integer; locked"},
  {"push rax", "50", "rax rsp > rsp; move; stack"},
  {"pop rbx", "5b", "rsp > rbx rsp; move; stack"},
  {"leave", "c9", "rbp > rsp rbp; move; stack"},
  {"ret", "c3", "rsp > rsp ip; move; return; stack"},
  {"call 0xfa", "e800000000", "rsp ip > rsp ip; move; call; stack"},
  {"call [rax+0x8]", "ff5008",
   "rax rsp > rsp ip; move; indirect call; stack; [rax+8]"},
  {"jmp 0x104", "e900000000", " > ip; integer; jump"},
  {"jmp rax", "ffe0", "rax > ip; integer; indirect jump"},
  {"jne 0x113", "0f8500000000", "flags > ip; integer; conditional"},
  {"jrcxz 0x11b", "e300", "rcx > ip; integer; conditional"},
  {"loop 0x11d", "e200", "rcx > rcx ip; integer; conditional"},
  {"rep movs [rdi],[rsi]", "f3a4",
   "rcx rsi rdi flags > rcx rsi rdi; integer; repeated; [rdi rsi]"},
  {"rep stos [rdi],rax", "f348ab",
   "rax rcx rdi flags > rcx rdi; integer; repeated; [rdi+0]"},
  {"stos [rdi],rax", "48ab", "rax rdi flags > rdi; integer; [rdi+0]"},
  {"nop [rax+rax*1]", "0f1f0400", " > ; move"},
  {"endbr64", "f30f1efa", " > ; move"},
  {"cpuid", "0fa2", "rax rcx > rax rcx rdx rbx; slow"},
  {"syscall", "0f05", "flags > rcx r11 flags; integer"},
  {"fld [rax]", "dd00", "rax > fpsw; x87; [rax+0]"},
};

static const struct row arm64[] = {
  {"mov x0, x1", "e00301aa", "x1 > x0; move"},
  {"mov x0, sp", "e0030091", "sp > x0; move"},
  {"movk x0, #1, lsl #16", "2000a0f2", "x0 > x0; integer"},
  {"add x0, x1, x2, lsl #3", "200c028b", "x1 x2 > x0; integer"},
  {"subs x0, x0, #1", "000400f1", "x0 > x0 flags; integer"},
  {"cmp x0, x1", "1f0001eb", "x0 x1 > flags; integer"},
  {"csel x0, x1, x2, eq", "2000829a", "x1 x2 flags > x0; integer"},
  {"cset w0, ne", "e0079f1a", "flags > x0; integer"},
  {"ccmp x0, x1, #0, eq", "000041fa", "x0 x1 flags > flags; integer"},
  {"madd x16, x17, x4, x30", "307a049b", "x17 x30 x4 > x16; multiply"},
  {"umulh x0, x1, x2", "207cc29b", "x1 x2 > x0; multiply"},
  {"sdiv x0, x1, x2", "200cc29a", "x1 x2 > x0; divide"},
  {"ldr x0, [x1, #16]", "200840f9", "x1 > x0; move; [x1+16]"},
  {"ldr x0, [x1, x2, lsl #3]", "207862f8", "x1 x2 > x0; move; [x1 x2]"},
  {"ldr x0, [x1], #8", "208440f8", "x1 > x0 x1; move; updates; [x1+0]"},
  {"ldur x0, [x1, #-8]", "20805ff8", "x1 > x0; move; [x1-8]"},
  {"ldp x29, x30, [sp], #32", "fd7bc2a8",
   "sp > sp x29 x30; move; updates; [sp+0]"},
  {"stp x29, x30, [sp, #-32]!", "fd7bbea9",
   "sp x29 x30 > sp; move; updates; [sp-32]"},
  {"str xzr, [x1]", "3f0000f9", "x1 > ; move; [x1+0]"},
  {"ldr q0, [x1, #16]", "2004c03d", "x1 > v0; move; [x1+16]"},
  {"str q0, [x1]", "2000803d", "x1 v0 > ; move; [x1+0]"},
  {"ld1 { v0.16b }, [x1]", "2070404c", "x1 > v0; vector; [x1+0]"},
  {"ld1 { v0.4s, v1.4s }, [x1], #32", "20a8df4c",
   "x1 > x1 v0 v1; vector; updates; [x1+0]"},
  {"ld1 { v0.s }[1], [x1]", "2090400d", "x1 v0 > v0; vector; [x1+0]"},
  {"ld1r { v0.4s }, [x1]", "20c8404d", "x1 > v0; vector; [x1+0]"},
  {"ldxr x0, [x1]", "207c5fc8", "x1 > x0; integer; locked; [x1+0]"},
  {"stxr w2, x0, [x1]", "207c02c8", "x0 x1 > x2; integer; locked; [x1+0]"},
  {"ldar x0, [x1]", "20fcdfc8", "x1 > x0; move; [x1+0]"},
  {"cas x0, x1, [x2]", "417ca0c8", "x0 x1 x2 > x0; integer; locked; [x2+0]"},
  {"casal x0, x1, [x2]", "41fce0c8", "x0 x1 x2 > x0; integer; locked; [x2+0]"},
  {"ldadd x0, x1, [x2]", "410020f8", "x0 x2 > x1; integer; locked; [x2+0]"},
  {"swp x0, x1, [x2]", "418020f8", "x0 x2 > x1; integer; locked; [x2+0]"},
  {"stadd x0, [x2]", "5f0020f8", "x0 x2 > ; integer; locked; [x2+0]"},
  {"adrp x0, 0x0", "00000090", " > x0; integer"},
  {"b 0x180", "02000014", " > ip; integer; jump"},
  {"bl 0x184", "02000094", " > ip x30; integer; call"},
  {"br x1", "20001fd6", "x1 > ip; integer; indirect jump"},
  {"blr x1", "20003fd6", "x1 > ip x30; integer; indirect call"},
  {"ret", "c0035fd6", "x30 > ip; integer; return"},
  {"b.eq 0x198", "40000054", "flags > ip; integer; conditional"},
  {"cbz x0, 0x19c", "400000b4", "x0 > ip; integer; conditional"},
  {"tbnz w0, #3, 0x1a8", "40001837", "x0 > ip; integer; conditional"},
  {"nop", "1f2003d5", " > ; move"},
  {"svc #0", "010000d4", " > ; integer"},
  {"mrs x0, TPIDR_EL0", "40d03bd5", " > x0; integer"},
  {"fadd d0, d1, d2", "2028621e", "v1 v2 > v0; float add"},
  {"fmul d0, d1, d2", "2008621e", "v1 v2 > v0; float multiply"},
  {"fmadd d0, d1, d2, d3", "200c421f", "v1 v2 v3 > v0; float fused"},
  {"fdiv d0, d1, d2", "2018621e", "v1 v2 > v0; float divide"},
  {"fsqrt d0, d1", "20c0611e", "v1 > v0; float root"},
  {"fcmp d0, d1", "0020611e", "v0 v1 > flags; compare"},
  {"fcvtzs x0, d1", "2000789e", "v1 > x0; convert"},
  {"fmov d0, d1", "2040601e", "v1 > v0; move"},
  {"fmov d0, x1", "2000679e", "x1 > v0; cross"},
  {"fmov d0, #1.0", "00106e1e", " > v0; vector"},
  {"fmla v0.2d, v1.2d, v2.2d", "20cc624e", "v0 v1 v2 > v0; float fused"},
  {"mul v0.4s, v1.4s, v2.4s", "209ca24e", "v1 v2 > v0; vector multiply"},
  {"movi v0.4s, #0", "0004004f", " > v0; vector"},
  {"add v0.4s, v1.4s, v2.4s", "2084a24e", "v1 v2 > v0; vector"},
  {"mov v0.d[1], x1", "201c184e", "x1 v0 > v0; cross"},
  {"mov v0.s[1], v1.s[2]", "20440c6e", "v0 v1 > v0; vector"},
  {"dup v0.4s, w1", "200c044e", "x1 > v0; cross"},
  {"tbl v0.16b, { v1.16b }, v2.16b", "2000024e", "v1 v2 > v0; vector"},
};

static void
test_amd64 (void)
{
  check_rows (amd64, G_N_ELEMENTS (amd64), "amd64");
}

/* A few that have other bytes, or other meanings.  */
static void
test_x86 (void)
{
  static const struct row rows[] = {
    {"mov eax,[ebx+8]", "8b4308", "rbx > rax; move; [rbx+8]"},
    {"inc eax", "40", "rax > rax flags; integer"},
    {"push eax", "50", "rax rsp > rsp; move; stack"},
    {"addsd xmm0,[esp+4]", "f20f58442404",
     "rsp v0 > v0; float add; [rsp+4]"},
  };

  check_rows (rows, G_N_ELEMENTS (rows), "x86");
}

static void
test_arm64 (void)
{
  check_rows (arm64, G_N_ELEMENTS (arm64), "arm64");
}

/* ---- Sequences ---------------------------------------------------------- */

/* sizes: "4 4 3".  */
static void
check_sequence (const char *arch, const char *code, const char *sizes)
{
  const struct row row = {"", code, ""};
  GByteArray *bytes;
  struct dg_log *log = log_of (&row, 1, arch, &bytes);
  struct dg_error err = {0};
  struct dg_symbols *symbols = dg_symbols_new (log, NULL, &err);
  struct dg_insn_decoder *decoder = dg_insn_decoder_new (log, symbols);
  uint8_t *block = g_malloc (DG_INSN_CODE_MAX), found[DG_INSN_SEQUENCE_MAX];
  GString *text = g_string_new (NULL);
  struct dg_insn insn;
  size_t size = dg_insn_decoder_block (decoder, dg_log_bbdef (log, 0), 0,
                                       &insn, block);
  unsigned n = dg_insn_decoder_sequence (decoder, block, (uint8_t) size,
                                         found);

  for (unsigned i = 0; i < n; i++)
    g_string_append_printf (text, i == 0 ? "%u" : " %u", found[i]);
  g_assert_cmpstr (text->str, ==, sizes);
  g_string_free (text, TRUE);
  g_free (block);
  dg_insn_decoder_free (decoder);
  dg_symbols_free (symbols);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_sequences (void)
{
  /* Client requests: rol or ror four times, then an exchange or orr.  */
  check_sequence ("amd64", "48c1c70348c1c70d48c1c73d48c1c7334887db",
                  "4 4 4 4 3");
  check_sequence ("x86", "c1c703c1c70dc1c71dc1c71387db", "3 3 3 3 2");
  check_sequence ("arm64", "8c0dcc938c35cc938ccdcc938cf5cc934a010aaa",
                  "4 4 4 4 4");
  /* call to the next instruction, pop.  */
  check_sequence ("x86", "e80000000058", "5 1");
  check_sequence ("amd64", "f00fc107", "4");
  check_sequence ("amd64", "90", "1");
  /* Not known, also at the end; more than there is room for.  */
  check_sequence ("amd64", "06", "1");
  check_sequence ("amd64", "900606", "3");
  check_sequence ("amd64", "90909090909090909090", "10");
}

/* ---- What is not decoded ------------------------------------------------ */

static void
test_other_architecture (void)
{
  static const struct row rows[] = {{"nop", "0700", ""}};
  GByteArray *bytes;
  struct dg_log *log = log_of (rows, 1, "s390x", &bytes);
  struct dg_error err = {0};
  struct dg_symbols *symbols = dg_symbols_new (log, NULL, &err);

  g_assert_cmpstr (dg_insn_arch_name (log), ==, "s390x");
  g_assert_cmpstr (dg_insn_decoder_lacks (log), ==, "s390x");
  g_assert_null (dg_insn_decoder_new (log, symbols));
  dg_insn_decoder_free (NULL);
  dg_symbols_free (symbols);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* Imported logs have no process; nor do they have code.  */
static void
test_no_process (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log ("bbdef [0x400000+3 0x400003+1] []\n"
                                      "context 0 [0x400000]\nend\n", &bytes);
  struct dg_error err = {0};
  struct dg_symbols *symbols = dg_symbols_new (log, NULL, &err);
  struct dg_insn_decoder *decoder = dg_insn_decoder_new (log, symbols);
  uint8_t *code = g_malloc (DG_INSN_CODE_MAX);
  struct dg_insn insns[2];

  g_assert_cmpstr (dg_insn_arch_name (log), ==, "amd64");
  g_assert_nonnull (decoder);
  g_assert_cmpuint (dg_insn_decoder_block (decoder, dg_log_bbdef (log, 0), 0,
                                           insns, code), ==, 0);
  g_free (code);
  dg_insn_decoder_free (decoder);
  dg_symbols_free (symbols);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* Bytes that are not an instruction, and random ones: whatever they are taken
   for, registers are those that there are.  */
static void
test_random (gconstpointer arch)
{
  static const struct row nothing[]
    = {{"not an instruction", "06070e0f", " > ; integer"}};
  GRand *rand = g_rand_new_with_seed (3);
  struct row rows[2000];
  struct dg_error err = {0};
  GByteArray *bytes;
  struct dg_log *log;
  struct dg_symbols *symbols;
  struct dg_insn_decoder *decoder;
  uint8_t *code = g_malloc (DG_INSN_CODE_MAX);

  if (strcmp (arch, "amd64") == 0)
    check_rows (nothing, 1, arch);
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    rows[i].code = g_strdup_printf ("%08x%08x", g_rand_int (rand),
                                    g_rand_int (rand));
  log = log_of (rows, G_N_ELEMENTS (rows), arch, &bytes);
  symbols = dg_symbols_new (log, NULL, &err);
  decoder = dg_insn_decoder_new (log, symbols);
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    struct dg_insn insn;

    g_assert_cmpuint (
      dg_insn_decoder_block (decoder, dg_log_bbdef (log, (uint32_t) i), 0,
                             &insn, code), ==, 8);
    g_free (text_of (&insn, strcmp (arch, "arm64") == 0));
    g_free ((char *) rows[i].code);
  }
  g_free (code);
  dg_insn_decoder_free (decoder);
  dg_symbols_free (symbols);
  dg_log_close (log);
  g_byte_array_unref (bytes);
  g_rand_free (rand);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/insn/amd64", test_amd64);
  g_test_add_func ("/insn/x86", test_x86);
  g_test_add_func ("/insn/arm64", test_arm64);
  g_test_add_func ("/insn/sequences", test_sequences);
  g_test_add_func ("/insn/other-architecture", test_other_architecture);
  g_test_add_func ("/insn/no-process", test_no_process);
  g_test_add_data_func ("/insn/random/amd64", "amd64", test_random);
  g_test_add_data_func ("/insn/random/x86", "x86", test_random);
  g_test_add_data_func ("/insn/random/arm64", "arm64", test_random);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
