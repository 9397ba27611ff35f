// Two kernels that overlap: `produce` lets the next launch begin early; `consume` sets itself up
// while the first still runs, and waits before it touches what that one wrote.
constexpr int kThreads = 64;

extern "C" __global__ void __launch_bounds__(kThreads) produce(const u32* in, u32* squares) {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  const u32 i = blockIdx.x * kThreads + threadIdx.x;
  squares[i] = in[i] * in[i];
}

extern "C" __global__ void __launch_bounds__(kThreads) consume(const u32* squares, const u32* weights, u32* out) {
  const u32 i = blockIdx.x * kThreads + threadIdx.x;
  const u32 weight = weights[i];  // of no launch: may be read at once
  asm volatile("griddepcontrol.wait;" ::: "memory");
  // A neighbour's square: another block of the first grid has written it.
  out[i] = squares[gridDim.x * kThreads - 1 - i] * weight;
}
