// probe/shuffle.cu: lanes at a distance of ${distance} transpose two registers each.
const bool upper = threadIdx.x & ${distance};
const unsigned passed = __shfl_xor_sync(0xFFFFFFFFu, upper ? src_reg[0] : src_reg[1], ${distance});
dst_reg[0] = upper ? passed : src_reg[0];
dst_reg[1] = upper ? src_reg[1] : passed;
