// probe/complex_four.cu: (a + bi)(c + di) in four real products. A complex value is two doubles.
double re[kValuesC], im[kValuesC], a_re[kValuesA], a_im[kValuesA], minus_a_im[kValuesA], b_re[kValuesB], b_im[kValuesB];
#pragma unroll
for (int i = 0; i < kValuesC; ++i) re[i] = c_reg[2 * i], im[i] = c_reg[2 * i + 1];
#pragma unroll
for (int i = 0; i < kValuesA; ++i) a_re[i] = a_reg[2 * i], a_im[i] = a_reg[2 * i + 1], minus_a_im[i] = -a_im[i];
#pragma unroll
for (int i = 0; i < kValuesB; ++i) b_re[i] = b_reg[2 * i], b_im[i] = b_reg[2 * i + 1];
mma(re, a_re, b_re);
mma(re, minus_a_im, b_im);
mma(im, a_re, b_im);
mma(im, a_im, b_re);
double d_reg[2 * kValuesC];
#pragma unroll
for (int i = 0; i < kValuesC; ++i) d_reg[2 * i] = re[i], d_reg[2 * i + 1] = im[i];
