// instruction/function.cu: ${atom}; ${meaning}.
__device__ __forceinline__ void ${name}(${parameters}) {
  $[instruction]
}
