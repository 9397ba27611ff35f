// copy/view.cu: where this thread's part of ${X} begins, whose elements lie where its View has them, and what is left from there
// to the edges.
//   needs: int first_${mn}, k, ${mn}, thread; int copy_${x}_k_base(int), copy_${x}_mn_base(int)
//   gives: int ${x}_k, ${x}_k_left, ${x}_left, ${x}_mn
int ${x}_k = copy_${x}_k_base(thread), ${x}_k_left = k - ${x}_k;
const int ${x}_mn = first_${mn} + copy_${x}_mn_base(thread), ${x}_left = ${mn} - ${x}_mn;

// copy/view.cu (slice): ${X} from the first k-tile of the block's slice on.
//   needs: int ${x}_k, ${x}_k_left; int first_k_tile, kTileK
${x}_k += first_k_tile * kTileK;
${x}_k_left -= first_k_tile * kTileK;

// copy/view.cu (load): the next tile of ${X} from global memory into registers; zeros past the edge.
//   needs: type Elem${X}, Vector${X}; Vector${X} ${x}_staged[]; bool kWholeTiles${MN}, kWholeTilesK; const Elem${X}* ${x}
//   needs: int kCopies${X}, kCopyElems${X}, kTileK; int ${x}_k, ${x}_k_left, ${x}_left, ${x}_mn, matrix
//   needs: Vec load_vector<>(const Elem*, int); int copy_${x}_k(int), copy_${x}_mn(int)
//   needs: long long element_${x}(unsigned, unsigned, unsigned)
//   gives: void load_${x}()
//   fills: left = kCopyElemsA
const auto load_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    const long long at = element_${x}(${x}_mn + mn, ${x}_k + along_k, matrix);
    const int valid = ${left};
    ${x}_staged[i] = load_vector<Vector${X}>(${x} + (valid > 0 ? at : 0), valid);
  }
  ${x}_k += kTileK;
  ${x}_k_left -= kTileK;
};

// copy/view.cu (async): the next tile of ${X} on its way to `target`; zeros past the edge.
//   needs: type Elem${X}; bool kWholeTiles${MN}, kWholeTilesK; const Elem${X}* ${x}
//   needs: int kCopies${X}, kCopyElems${X}, kTileK; int ${x}_k, ${x}_k_left, ${x}_left, ${x}_mn, matrix
//   needs: int copy_${x}_k(int), copy_${x}_mn(int), store_${x}(int, int); void copy_async<>(unsigned, const Elem*, int)
//   needs: long long element_${x}(unsigned, unsigned, unsigned)
//   gives: void load_${x}(unsigned)
//   fills: left = kCopyElemsA
const auto load_${x} = [&](unsigned target) {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    const long long at = element_${x}(${x}_mn + mn, ${x}_k + along_k, matrix);
    const int valid = ${left};
    copy_async<kCopyElems${X}>(store_${x}(target, i * kCopyElems${X}), ${x} + (valid > 0 ? at : 0), valid);
  }
  ${x}_k += kTileK;
  ${x}_k_left -= kTileK;
};
