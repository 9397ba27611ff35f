// probe/block.cu: every block executes ${atom} once, on operands that the host has laid out.
//   ${layouts}
constexpr int kThreads = ${threads};

$[functions]

extern "C" __global__ void __launch_bounds__(kThreads)
${symbol}(
    $[parameters]
) {
  const long long block = blockIdx.x;
  const long long thread = block * kThreads + threadIdx.x;
  $[inputs]
  $[execute]
  $[outputs]
}
