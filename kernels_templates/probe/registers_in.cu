// probe/registers_in.cu: ${name} -> ${name}_reg
${type} ${name}_reg[${count}];
#pragma unroll
for (int i = 0; i < ${count}; ++i) ${name}_reg[i] = ${name}[thread * ${count} + i];
