// epilogue/unrounded.cu: ${text}; what is stored rounds it, two elements at a time.
//   needs: type Accum, Compute
//   gives: Compute unrounded(${parameters})
//   fills: text = acc; parameters = Accum acc; value = acc
__device__ __forceinline__ Compute unrounded(${parameters}) {
  $[sums]
  return ${value};
}

// epilogue/unrounded.cu (named): ${text}; of blocks of D.
//   needs: type Accum, Compute
//   gives: Compute ${name}(${parameters})
//   fills: name = block_value; text = acc; parameters = Accum acc; value = acc
__device__ __forceinline__ Compute ${name}(${parameters}) {
  $[sums]
  return ${value};
}
