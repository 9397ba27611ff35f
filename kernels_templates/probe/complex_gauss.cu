// probe/complex_gauss.cu: (a + bi)(c + di) in three real products (Gauss). An accumulator is three
// doubles: t0 = sum of (a + b)c, t1 = sum of b(c + d), t2 = sum of a(d - c); the product is
// t0 - t1 + (t0 + t2)i.
double t0[kValuesC], t1[kValuesC], t2[kValuesC], a_sum[kValuesA], a_re[kValuesA], a_im[kValuesA];
double b_re[kValuesB], b_sum[kValuesB], b_difference[kValuesB];
#pragma unroll
for (int i = 0; i < kValuesC; ++i) t0[i] = c_reg[3 * i], t1[i] = c_reg[3 * i + 1], t2[i] = c_reg[3 * i + 2];
#pragma unroll
for (int i = 0; i < kValuesA; ++i) a_re[i] = a_reg[2 * i], a_im[i] = a_reg[2 * i + 1], a_sum[i] = a_re[i] + a_im[i];
#pragma unroll
for (int i = 0; i < kValuesB; ++i) {
  b_re[i] = b_reg[2 * i];
  b_sum[i] = b_re[i] + b_reg[2 * i + 1];
  b_difference[i] = b_reg[2 * i + 1] - b_re[i];
}
mma(t0, a_sum, b_re);
mma(t1, a_im, b_sum);
mma(t2, a_re, b_difference);
double d_reg[3 * kValuesC];
#pragma unroll
for (int i = 0; i < kValuesC; ++i) d_reg[3 * i] = t0[i], d_reg[3 * i + 1] = t1[i], d_reg[3 * i + 2] = t2[i];
