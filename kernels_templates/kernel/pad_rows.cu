// kernel/pad_rows.cu: copies rows that start anywhere to rows that start at whole lines of 128 bytes; one warp a row.
//   A row of the source is read element by element, neighbours by neighbours, so that the cache
//   serves a sector's elements one after the other; a row of the target is written 16 bytes at a time.
typedef ${elem} Elem;
constexpr int kThreads = ${threads};
constexpr int kElems = ${elems};

$[vector_access]

//   needs: type Vector<>; void put_vector<>(Elem*, const Vector<Elem, kElems>&, int)
//   fills: elem = unsigned; elems = 4; threads = 128; symbol = pad_rows
extern "C" __global__ void __launch_bounds__(kThreads)
${symbol}(
    const Elem* __restrict__ source,
    Elem* __restrict__ target,
    int inner,
    int outer,
    long long rows,
    long long ld_source,
    long long ld_target,
    long long batch_stride_source,
    long long batch_stride_target
) {
  const long long row = static_cast<long long>(blockIdx.x) * (kThreads / 32) + threadIdx.x / 32;
  if (row >= rows) return;
  const Elem* const from = source + row / outer * batch_stride_source + row % outer * ld_source;
  Elem* const to = target + row / outer * batch_stride_target + row % outer * ld_target;
  #pragma unroll 2
  for (int first = threadIdx.x % 32 * kElems; first < inner; first += 32 * kElems) {
    Vector<Elem, kElems> piece;
    #pragma unroll
    for (int e = 0; e < kElems; ++e) piece.elem[e] = first + e < inner ? from[first + e] : Elem{};
    put_vector(to + first, piece, kElems);
  }
}
