// move/chunk_shifted.cu: 16 bytes of ${X} that begin anywhere: those of the two chunks around them.
//   needs: type Elem${X}; uint4 chunk_behind(uint4, uint4, unsigned); unsigned past_chunk(const void*)
//   gives: uint4 chunk_${x}(const Elem${X}*)
__device__ __forceinline__ uint4 chunk_${x}(const Elem${X}* from) {
  const unsigned past = past_chunk(from);
  const uint4* const chunks = reinterpret_cast<const uint4*>(from - past / sizeof(Elem${X}));
  return chunk_behind(chunks[0], chunks[1], past);
}
