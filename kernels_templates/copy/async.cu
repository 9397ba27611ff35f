// copy/async.cu (tile): the next tile of ${X} on its way to `target`; zeros past the edge.
//   needs: const Elem${X}* ${x}_source; int kCopies${X}, kCopyElems${X}, kTileK
//   needs: int ${x}_k_left, ${x}_left; long long ld${x}; int copy_${x}_k(int), copy_${x}_mn(int), store_${x}(int, int)
//   needs: void copy_async<>(unsigned, const Elem*, int)
//   gives: void load_${x}(unsigned)
//   fills: from = a_source; at = mn * lda + along_k; step = kTileK; left = 4
const auto load_${x} = [&](unsigned target) {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    const int valid = ${left};
    copy_async<kCopyElems${X}>(
        store_${x}(target, i * kCopyElems${X}), ${from} + (${at}), valid);
  }
  ${x}_source += ${step};
  ${x}_k_left -= kTileK;
};

// copy/async.cu (by table): the next tile of ${X} on its way to `target`; zeros past the edge, and of rows that are none.
//   needs: const Elem${X}* ${x}_source; int kCopies${X}, kCopyElems${X}, kTileK; int ${x}_k_left; int ${x}_rows[]
//   needs: long long ld${x}; int copy_${x}_k(int), store_${x}(int, int); void copy_async<>(unsigned, const Elem*, int)
//   gives: void load_${x}(unsigned)
//   fills: left = 4
const auto load_${x} = [&](unsigned target) {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int along_k = copy_${x}_k(i * kCopyElems${X});
    const int valid = ${x}_rows[i] < 0 ? 0 : ${left};
    copy_async<kCopyElems${X}>(store_${x}(target, i * kCopyElems${X}),
                               ${x}_source + (valid > 0 ? ${x}_rows[i] * ld${x} + along_k : 0), valid);
  }
  ${x}_source += kTileK;
  ${x}_k_left -= kTileK;
};
