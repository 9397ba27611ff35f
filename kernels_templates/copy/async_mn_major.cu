// copy/async_mn_major.cu: the next tile of ${X} on its way to ${x}_target; zeros past the edge.
#pragma unroll
for (int i = 0; i < kCopies${X}; ++i) {
  const int mn = copy_${x}_mn(i * kCopyElems${X}), k_step = copy_${x}_k(i * kCopyElems${X});
  const int in_row = kWholeTiles${MN} ? kCopyElems${X} : ${x}_left - mn;
  const int valid = kWholeTilesK || k_step < ${x}_k_left ? in_row : 0;
  copy_async<kCopyElems${X}>(
      store_${x}(${x}_target, i * kCopyElems${X}), ${x}_source + (k_step * ld${x} + mn), valid);
}
${x}_source += kTileK * ld${x};
${x}_k_left -= kTileK;
