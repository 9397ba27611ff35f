// epilogue/expression.cu: D = ${text}, rounded; every way out of a block calls it.
//   needs: the types of acc, c and D   gives: epilogue
__device__ __forceinline__ ElemD epilogue(${parameters}) {
  $[sums]
  ElemD result;
  from_compute(${value}, &result);
  return result;
}
