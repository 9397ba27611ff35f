// move/chunk_aligned.cu: 16 bytes of ${X}, whose rows have nothing but whole chunks.
//   needs: type Elem${X}
//   gives: uint4 chunk_${x}(const Elem${X}*)
__device__ __forceinline__ uint4 chunk_${x}(const Elem${X}* from) { return __ldcs(reinterpret_cast<const uint4*>(from)); }
