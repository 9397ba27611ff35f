$[words]

// kernel/move.cu: operands on their way into the workspace, where every row begins at a whole line of 128 bytes.
//   needs: int kThreads
//   gives: unsigned block
//   fills: signature = move()
extern "C" __global__ void __launch_bounds__(kThreads)
${signature} {
  $[begin]
  unsigned block = blockIdx.x;
  $[moves]
}

// kernel/move.cu (next): behind the blocks of one turn come those of the next.
//   needs: unsigned ${x}_blocks, block
block -= ${x}_blocks;
