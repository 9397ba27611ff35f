// epilogue/unrounded.cu: ${text}; what is stored rounds it, two elements at a time.
//   needs: the types of acc and c   gives: unrounded
__device__ __forceinline__ Compute unrounded(${parameters}) {
  $[sums]
  return ${value};
}
