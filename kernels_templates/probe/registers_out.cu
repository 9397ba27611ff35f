// probe/registers_out.cu: ${name}_reg -> ${name}
#pragma unroll
for (int i = 0; i < ${count}; ++i) ${name}[thread * ${count} + i] = ${name}_reg[i];
