// move/sums.cu: one operand, and what a thread has of its sums over K when they are formed: the whole of one, or nothing.
//   gives: type LineSum<>, OperandSum<>
template <class Elem>
struct OperandSum {
  const Elem* source;
  int lines, length;  // of a matrix
  unsigned matrices;
  long long ld, batch_stride;
};
template <class Number>
struct LineSum {
  bool is_here;
  unsigned matrix;
  int line;
  Number sum;
};

// move/sums.cu (along): ${X}'s lines are contiguous: a warp adds one, in the same order in every run.
//   needs: type Elem${X}, LineSum<>, OperandSum<>, Sum, Sum${X}, Vector<>; int kThreads; Vec load_vector<>(const Elem*, int)
//   needs: Number over_lanes<>(Number, Combine)
//   gives: LineSum<Sum${X}> sum_${x}(const OperandSum<Elem${X}>&, unsigned)
//   fills: elems = 4; number = SumA
__device__ __forceinline__ LineSum<Sum${X}> sum_${x}(const OperandSum<Elem${X}>& it, unsigned block) {
  constexpr int kElems = ${elems};
  const unsigned lane = threadIdx.x % 32, warp = block * (kThreads / 32) + threadIdx.x / 32;
  const unsigned matrix = warp / it.lines, line = warp % it.lines;
  if (matrix >= it.matrices) return {};
  const Elem${X}* const from = it.source + matrix * it.batch_stride + line * it.ld;
  Sum${X} whole = 0;
  #pragma unroll 8
  for (int i = lane * kElems; i < it.length; i += 32 * kElems) {
    const auto part = load_vector<Vector<Elem${X}, kElems>>(from + i, it.length - i);
    #pragma unroll
    for (int e = 0; e < kElems; ++e) whole = Sum()(whole, Sum${X}(${number}(part.elem[e])));
  }
  whole = over_lanes<31>(whole, Sum());
  return {lane == 0, matrix, static_cast<int>(line), whole};
}

// move/sums.cu (across): ${X}'s lines lie side by side: four threads read neighbours, the others of a block the same of
// every 32nd k; what they have is added in the same order in every run.
//   needs: type Elem${X}, LineSum<>, OperandSum<>, Sum, Sum${X}, Vector<>; int kThreads; Vec load_vector<>(const Elem*, int)
//   needs: Number over_lanes<>(Number, Combine)
//   gives: LineSum<Sum${X}> sum_${x}(const OperandSum<Elem${X}>&, unsigned)
//   fills: elems = 4; number = SumA
__device__ __forceinline__ LineSum<Sum${X}> sum_${x}(const OperandSum<Elem${X}>& it, unsigned block) {
  constexpr int kElems = ${elems}, kAcross = 4, kLines = kAcross * kElems, kWarps = (kThreads + 31) / 32;
  __shared__ Sum${X} parts[kWarps][kLines];
  const unsigned strips = (it.lines + kLines - 1) / kLines, matrix = block / strips;
  const int first = block % strips * kLines, thread = threadIdx.x, in_strip = thread % kAcross * kElems;
  const Elem${X}* const from = it.source + matrix * it.batch_stride + first + in_strip;
  Sum${X} whole[kElems] = {};
  #pragma unroll 4
  for (int k = thread / kAcross; k < it.length; k += kThreads / kAcross) {
    const auto read = load_vector<Vector<Elem${X}, kElems>>(from + k * it.ld, it.lines - first - in_strip);
    #pragma unroll
    for (int e = 0; e < kElems; ++e) whole[e] = Sum()(whole[e], Sum${X}(${number}(read.elem[e])));
  }
  #pragma unroll
  for (int e = 0; e < kElems; ++e) {
    whole[e] = over_lanes<28>(whole[e], Sum());
    if (thread % 32 < kAcross) parts[thread / 32][in_strip + e] = whole[e];
  }
  __syncthreads();
  if (thread >= kLines || first + thread >= it.lines) return {};
  Sum${X} line = parts[0][thread];
  #pragma unroll
  for (int warp = 1; warp < kWarps; ++warp) line = Sum()(line, parts[warp][thread]);
  return {true, matrix, first + thread, line};
}

// move/sums.cu (turn): ${X}'s blocks.
//   needs: type Elem${X}, LineSum<>, OperandSum<>, Sum${X}; const Elem${X}* ${x}_source; int ${x}_length, ${x}_lines
//   needs: long long ${x}_batch_stride, ${x}_ld; unsigned ${x}_blocks, ${x}_matrices, block
//   needs: LineSum<Sum${X}> sum_${x}(const OperandSum<Elem${X}>&, unsigned)
//   gives: LineSum<Sum${X}> done
if (block < ${x}_blocks) {
  const LineSum<Sum${X}> done = sum_${x}({${x}_source, ${x}_lines, ${x}_length, ${x}_matrices, ${x}_ld, ${x}_batch_stride}, block);
  if (done.is_here) {
    $[keep]
  }
  $[end]
  return;
}

// move/sums.cu (workspace): where the product reads them.
//   needs: type LineSum<>, Sum${X}; LineSum<Sum${X}> done; Sum${X}* ${x}_sums; long long ${x}_batch_stride_sums
${x}_sums[done.matrix * ${x}_batch_stride_sums + done.line] = done.sum;

// move/sums.cu (output): ${name}, made of the line's sum.
//   needs: type Compute, ElemOut${place}, LineSum<>, Sum${X}; LineSum<Sum${X}> done
//   needs: ElemOut${place}* out${place}; long long batch_stride_out${place}; void from_compute(Compute, ElemOut${place}*)
//   fills: name = dbias; place = 2; value = done.sum
{
  $[lines]
  from_compute(${value}, out${place} + done.matrix * batch_stride_out${place} + done.line);
}

// move/sums.cu (end): whoever runs next takes the end of this kernel for that of the product too.
//   needs: void wait_for_previous_kernel()
wait_for_previous_kernel();
