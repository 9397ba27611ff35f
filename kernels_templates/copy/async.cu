// copy/async.cu (k_major): the next tile of ${X} on its way to `target`; zeros past the edge.
//   needs: bool kWholeTiles${MN}, kWholeTilesK; const Elem${X}* ${x}_source; int kCopies${X}, kCopyElems${X}, kTileK
//   needs: int ${x}_k_left, ${x}_left; long long ld${x}; int copy_${x}_k(int), copy_${x}_mn(int), store_${x}(int, int)
//   needs: void copy_async<>(unsigned, const Elem*, int)
//   gives: void load_${x}(unsigned)
//   fills: from = a_source
const auto load_${x} = [&](unsigned target) {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    const int in_row = kWholeTilesK ? kCopyElems${X} : ${x}_k_left - along_k;
    const int valid = kWholeTiles${MN} || mn < ${x}_left ? in_row : 0;
    copy_async<kCopyElems${X}>(
        store_${x}(target, i * kCopyElems${X}), ${from} + (mn * ld${x} + along_k), valid);
  }
  ${x}_source += kTileK;
  ${x}_k_left -= kTileK;
};

// copy/async.cu (mn_major): the next tile of ${X} on its way to `target`; zeros past the edge.
//   needs: bool kWholeTiles${MN}, kWholeTilesK; const Elem${X}* ${x}_source; int kCopies${X}, kCopyElems${X}, kTileK
//   needs: int ${x}_k_left, ${x}_left; long long ld${x}; int copy_${x}_k(int), copy_${x}_mn(int), store_${x}(int, int)
//   needs: void copy_async<>(unsigned, const Elem*, int)
//   gives: void load_${x}(unsigned)
//   fills: from = a_source; line = mn
const auto load_${x} = [&](unsigned target) {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    const int in_row = kWholeTiles${MN} ? kCopyElems${X} : ${x}_left - mn;
    const int valid = kWholeTilesK || along_k < ${x}_k_left ? in_row : 0;
    copy_async<kCopyElems${X}>(
        store_${x}(target, i * kCopyElems${X}), ${from} + (along_k * ld${x} + ${line}), valid);
  }
  ${x}_source += kTileK * ld${x};
  ${x}_k_left -= kTileK;
};

// copy/async.cu (by table): the next tile of ${X} on its way to `target`; zeros past the edge, and of rows that are none.
//   needs: bool kWholeTilesK; const Elem${X}* ${x}_source; int kCopies${X}, kCopyElems${X}, kTileK; int ${x}_k_left; int ${x}_rows[]
//   needs: long long ld${x}; int copy_${x}_k(int), store_${x}(int, int); void copy_async<>(unsigned, const Elem*, int)
//   gives: void load_${x}(unsigned)
const auto load_${x} = [&](unsigned target) {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int along_k = copy_${x}_k(i * kCopyElems${X}), in_row = kWholeTilesK ? kCopyElems${X} : ${x}_k_left - along_k;
    const int valid = ${x}_rows[i] < 0 ? 0 : in_row;
    copy_async<kCopyElems${X}>(store_${x}(target, i * kCopyElems${X}),
                               ${x}_source + (valid > 0 ? ${x}_rows[i] * ld${x} + along_k : 0), valid);
  }
  ${x}_source += kTileK;
  ${x}_k_left -= kTileK;
};
