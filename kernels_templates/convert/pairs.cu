// convert/pairs.cu: a step on two neighbours of 16 bits that rounds each once: x * factor + addend.
//   gives: unsigned pair_fma(unsigned, unsigned, unsigned)
//   fills: part = f16
__device__ __forceinline__ unsigned pair_fma(unsigned x, unsigned factor, unsigned addend) {
  unsigned result;
  asm("fma.rn.${part}x2 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(factor), "r"(addend));
  return result;
}

// convert/pairs.cu (vector): more neighbours of 16 bits than one access brings, and two by two.
//   gives: type Pairs<>
template <class Elem, int kElems>
union Pairs {
  Elem elem[kElems];
  unsigned part[kElems / 2];
};

// convert/pairs.cu (rounded): two neighbours rounded together; the first in the lower half (sm_80).
//   gives: unsigned rounded_pair(float, float)
//   fills: part = f16
__device__ __forceinline__ unsigned rounded_pair(float first, float second) {
  unsigned pair;
  asm("cvt.rn.${part}x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
}

// convert/pairs.cu (masked): what is of an element in each place of a word, turned into another's bits: word & mask ^ bits.
//   gives: unsigned masked(unsigned, unsigned, unsigned)
__device__ __forceinline__ unsigned masked(unsigned word, unsigned mask, unsigned bits) {
  unsigned result;
  asm("lop3.b32 %0, %1, %2, %3, 0x6a;" : "=r"(result) : "r"(word), "r"(mask), "r"(bits));
  return result;
}

// convert/pairs.cu (half): the 8 elements of 4 bits in a word as the last bits of larger numbers, two neighbours in each of `pairs`:
// ${derivation}. A byte permutation brings bytes i of the word and of the word 4 bits on, elements 2i and 2i + 1, to the two halves.
//   needs: unsigned masked(unsigned, unsigned, unsigned)
//   gives: void pairs_of_${type}(unsigned, unsigned*)
//   fills: type = s4; number = 0x43084308; derivation = 0x4308 ^ q is 136 + q in bf16
__device__ __forceinline__ void pairs_of_${type}(unsigned word, unsigned* pairs) {
  const unsigned odd = word >> 4;
  #pragma unroll
  for (unsigned i = 0; i < 4; ++i) pairs[i] = masked(__byte_perm(word, odd, 0x4400 + 0x1111 * i), 0x000f000f, ${number});
}

// convert/pairs.cu (byte): likewise the 4 whole numbers of 8 bits in a word, as the last bits of f16 from 1024 on: 0x6400 | byte
// is 1024 + byte; of s8 the flipped sign adds 128 to q.
//   gives: void pairs_of_${type}(unsigned, unsigned*)
//   fills: type = s8; flip = word ^ 0x80808080
__device__ __forceinline__ void pairs_of_${type}(unsigned word, unsigned* pairs) {
  const unsigned bytes = ${flip};
  #pragma unroll
  for (unsigned i = 0; i < 2; ++i) pairs[i] = __byte_perm(bytes, 0x64646464, 0x4140 + 0x0202 * i);
}

// convert/pairs.cu (e5m2): the upper bytes of f16, which has the same exponent; below come zeros.
//   gives: void pairs_of_e5m2(unsigned, unsigned*)
__device__ __forceinline__ void pairs_of_e5m2(unsigned word, unsigned* pairs) {
  #pragma unroll
  for (unsigned i = 0; i < 2; ++i) pairs[i] = __byte_perm(word, 0, 0x1404 + 0x2020 * i);
}

// convert/pairs.cu (e4m3): by an instruction, two at a time (sm_89).
//   gives: void pairs_of_e4m3(unsigned, unsigned*)
__device__ __forceinline__ void pairs_of_e4m3(unsigned word, unsigned* pairs) {
  asm("{ .reg .b16 low, high; mov.b32 {low, high}, %2;\n"
      "cvt.rn.f16x2.e4m3x2 %0, low; cvt.rn.f16x2.e4m3x2 %1, high; }"
      : "=r"(pairs[0]), "=r"(pairs[1])
      : "r"(word));
}

// convert/pairs.cu (e2m1 in f16): the upper bytes of f16 by a table of sizes, four at a time, and their signs: 0x38 to 0x46 are
// 0.5, 1, 1.5, 2, 3, 4 and 6 in the upper byte of f16, whose lower is 0.
//   gives: void ${pairs_of}_e2m1(unsigned, unsigned*)
//   fills: pairs_of = pairs_of
__device__ __forceinline__ void ${pairs_of}_e2m1(unsigned word, unsigned* pairs) {
  const unsigned even = word << 4;  // signs of elements 0, 2, 4, 6 as those of bytes
  #pragma unroll
  for (unsigned i = 0; i < 2; ++i) {
    const unsigned size = __byte_perm(0x3e3c3800, 0x46444240, word >> 16 * i & 0x7777u),
                   upper = size | (__byte_perm(word, even, 0x1504 + 0x2222 * i) & 0x80808080u);
    pairs[2 * i] = __byte_perm(upper, 0, 0x1404);
    pairs[2 * i + 1] = __byte_perm(upper, 0, 0x3424);
  }
}

// convert/pairs.cu (e2m1 in bf16): both bytes of bf16 by tables of sizes, four at a time, and their signs: 0x3f00
// to 0x40c0 are 0.5, 1, 1.5, 2, 3, 4 and 6.
//   gives: void pairs_of_e2m1(unsigned, unsigned*)
__device__ __forceinline__ void pairs_of_e2m1(unsigned word, unsigned* pairs) {
  const unsigned even = word << 4;  // signs of elements 0, 2, 4, 6 as those of bytes
  #pragma unroll
  for (unsigned i = 0; i < 2; ++i) {
    const unsigned place = word >> 16 * i & 0x7777u, lower = __byte_perm(0xc0800000, 0xc0804000, place),
                   upper = __byte_perm(0x3f3f3f00, 0x40404040, place) | (__byte_perm(word, even, 0x1504 + 0x2222 * i) & 0x80808080u);
    pairs[2 * i] = __byte_perm(lower, upper, 0x5140);
    pairs[2 * i + 1] = __byte_perm(lower, upper, 0x7362);
  }
}

// convert/pairs.cu (f32 of half): the 8 elements of 4 bits in a word as the last bits of f32 from 2^23 on: 0x4b000000 | q is
// 8388608 + q; of s4 the flipped sign adds 8 to q.
//   needs: unsigned masked(unsigned, unsigned, unsigned)
//   gives: void floats_of_${type}(unsigned, float*)
//   fills: type = s4; flip = 0x08080808
__device__ __forceinline__ void floats_of_${type}(unsigned word, float* values) {
  const unsigned even = masked(word, 0x0f0f0f0f, ${flip}), odd = masked(word >> 4, 0x0f0f0f0f, ${flip});
  #pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    values[2 * i] = __uint_as_float(__byte_perm(even, 0x4b000000, 0x7440 + i));
    values[2 * i + 1] = __uint_as_float(__byte_perm(odd, 0x4b000000, 0x7440 + i));
  }
}

// convert/pairs.cu (f32 of byte): likewise the 4 whole numbers of 8 bits in a word; of s8 the flipped sign adds 128 to q.
//   gives: void floats_of_${type}(unsigned, float*)
//   fills: type = s8; flip = word ^ 0x80808080
__device__ __forceinline__ void floats_of_${type}(unsigned word, float* values) {
  const unsigned bytes = ${flip};
  #pragma unroll
  for (unsigned i = 0; i < 4; ++i) values[i] = __uint_as_float(__byte_perm(bytes, 0x4b000000, 0x7440 + i));
}

// convert/pairs.cu (f32 of f16): by way of f16, which holds them exactly.
//   needs: void ${pairs_of}_${type}(unsigned, unsigned*)
//   gives: void floats_of_${type}(unsigned, float*)
//   fills: type = e5m2; pairs = 2; pairs_of = pairs_of
__device__ __forceinline__ void floats_of_${type}(unsigned word, float* values) {
  unsigned pairs[${pairs}];
  ${pairs_of}_${type}(word, pairs);
  #pragma unroll
  for (int i = 0; i < ${pairs}; ++i)
    asm("{ .reg .b16 low, high; mov.b32 {low, high}, %2; cvt.f32.f16 %0, low; cvt.f32.f16 %1, high; }"
        : "=f"(values[2 * i]), "=f"(values[2 * i + 1])
        : "r"(pairs[i]));
}

// convert/pairs.cu (zero point): what a block's elements are less, with what ${type}'s bits stand for beside them: ${base}.
//   gives: float above
//   fills: type = u4; base = -1024; zero = 8.0f
const float above = ${base}.0f - ${zero};

// convert/pairs.cu (constants): 1, and what two neighbours are less, in the type that is multiplied.
//   gives: unsigned less, one
//   fills: one = 0x3c003c00; less = 0xe408e408
const unsigned one = ${one}, less = ${less};

// convert/pairs.cu (less): q - zero as pair * 1 - less: whole numbers that the type holds, and so is what is left. Nothing is rounded.
//   needs: unsigned less, one, pair; unsigned pair_fma(unsigned, unsigned, unsigned)
pair = pair_fma(pair, one, less);

// convert/pairs.cu (factor): the block's scale, for two neighbours.
//   needs: unsigned rounded_pair(float, float)
//   gives: float factor; unsigned scale
//   fills: scale = 2.0f
const float factor = ${scale};
const unsigned scale = rounded_pair(factor, factor);

// convert/pairs.cu (times): (q - zero) * scale, rounded once; -0 is added, which leaves the sign of a zero.
//   needs: unsigned pair, scale; unsigned pair_fma(unsigned, unsigned, unsigned)
pair = pair_fma(pair, scale, 0x80008000);

// convert/pairs.cu (value less): an element in f32 less ${what}.
//   needs: float value
//   fills: what = a zero point; less = 8.0f
value = __fsub_rn(value, ${less});

// convert/pairs.cu (value times): (q - zero) * scale, which is rounded to the type that is multiplied.
//   needs: float value
//   fills: factor = 2.0f
value = __fmul_rn(value, ${factor});
