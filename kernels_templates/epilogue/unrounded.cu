// epilogue/unrounded.cu: ${text}; what is stored rounds it, two elements at a time.
//   needs: type Accum, Compute
//   gives: Compute unrounded(${parameters})
//   fills: text = acc; parameters = Accum acc; value = acc
__device__ __forceinline__ Compute unrounded(${parameters}) {
  $[sums]
  return ${value};
}
