// epilogue/expression.cu: D = ${text}, rounded; every way out of a block calls it.
//   needs: type Accum, ElemD; void from_compute(Compute, ElemD*)
//   gives: ElemD epilogue(${parameters})
//   fills: text = acc; parameters = Accum acc; value = acc
__device__ __forceinline__ ElemD epilogue(${parameters}) {
  $[sums]
  ElemD result;
  from_compute(${value}, &result);
  return result;
}
