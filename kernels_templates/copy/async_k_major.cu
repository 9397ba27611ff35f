// copy/async_k_major.cu: the next tile of ${X} on its way into stage ${stage}. Rows past the edge
// repeat the last one, which spoils only rows of D that are never stored; k past the edge is zero.
#pragma unroll
for (int i = 0; i < kCopies${X}; ++i) {
  const int mn = copy_${x}_mn(i * kCopyElems${X}), k_step = copy_${x}_k(i * kCopyElems${X});
  const int row = kWholeTiles${MN} ? mn : min(mn, ${x}_left - 1);
  const int valid = kWholeTilesK ? kCopyElems${X} : ${x}_k_left - k_step;
  copy_async<kCopyElems${X}>(
      shared_${x} + ${stage} * kStageBytes${X} + store_${x}(${x}_store, i * kCopyElems${X}),
      ${x}_source + (row * ld${x} + k_step), valid);
}
${x}_source += kTileK;
${x}_k_left -= kTileK;
