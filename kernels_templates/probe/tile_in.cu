// probe/tile_in.cu: ${layout}
__shared__ __align__(1024) unsigned ${name}_tile[${count}];
for (int i = threadIdx.x; i < ${count}; i += kThreads) ${name}_tile[i] = ${name}[block * ${count} + i];
const unsigned long long ${name}_reg[1] = {
    ${descriptor}ull + ((__cvta_generic_to_shared(${name}_tile) & 0x3FFFF) >> 4)};
