// move/operand.cu: one operand and its copy; `inner` and `outer` are the copy's.
//   gives: type Move<>; uint4 chunk_behind(uint4, uint4, unsigned), chunk_of_lane(uint4, int); unsigned past_chunk(const void*)
template <class Elem>
struct Move {
  const Elem* source;
  Elem* target;
  int inner, outer;         // elements of a row, rows of a matrix
  unsigned rows, segments;  // of all matrices; of a row
  long long ld_source, ld_target, batch_stride_source, batch_stride_target;
};

// Bytes from the start of its chunk of 16 to where the pointer points.
__device__ __forceinline__ unsigned past_chunk(const void* pointer) {
  return static_cast<unsigned>(reinterpret_cast<unsigned long long>(pointer)) % 16;
}

// The 16 bytes that begin so many bytes behind where `low` does; `high` lies behind it.
__device__ __forceinline__ uint4 chunk_behind(uint4 low, uint4 high, unsigned bytes) {
  const unsigned both[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
  unsigned pair[6], word[5];
  #pragma unroll
  for (int i = 0; i < 6; ++i) pair[i] = bytes & 8 ? both[i + 2] : both[i];
  #pragma unroll
  for (int i = 0; i < 5; ++i) word[i] = bytes & 4 ? pair[i + 1] : pair[i];
  const unsigned bits = bytes % 4 * 8;
  return make_uint4(__funnelshift_r(word[0], word[1], bits), __funnelshift_r(word[1], word[2], bits),
                    __funnelshift_r(word[2], word[3], bits), __funnelshift_r(word[3], word[4], bits));
}

// What the lane has.
__device__ __forceinline__ uint4 chunk_of_lane(uint4 chunk, int lane) {
  return make_uint4(__shfl_sync(0xffffffff, chunk.x, lane), __shfl_sync(0xffffffff, chunk.y, lane),
                    __shfl_sync(0xffffffff, chunk.z, lane), __shfl_sync(0xffffffff, chunk.w, lane));
}

// move/operand.cu (begin): the product may begin as soon as every block of this kernel has; for what it reads it waits itself.
//   needs: void release_next_kernel(), wait_for_previous_kernel()
release_next_kernel();
wait_for_previous_kernel();

// move/operand.cu (turn): ${X}'s blocks.
//   needs: type Elem${X}, Move<>; const Elem${X}* ${x}_source; Elem${X}* ${x}_target; int ${x}_inner, ${x}_outer
//   needs: long long ${x}_batch_stride_source, ${x}_batch_stride_target, ${x}_ld_source, ${x}_ld_target
//   needs: unsigned ${x}_blocks, ${x}_rows, ${x}_segments, block; void move_${x}(const Move<Elem${X}>&, unsigned)
if (block < ${x}_blocks) {
  move_${x}({${x}_source, ${x}_target, ${x}_inner, ${x}_outer, ${x}_rows, ${x}_segments,
          ${x}_ld_source, ${x}_ld_target, ${x}_batch_stride_source, ${x}_batch_stride_target}, block);
  return;
}
block -= ${x}_blocks;
