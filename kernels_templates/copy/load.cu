// copy/load.cu (tile): the next tile of ${X} from global memory into registers; zeros past the edge.
//   needs: type Vector${X}; Vector${X} ${x}_staged[]; const Elem${X}* ${x}_source
//   needs: int kCopies${X}, kCopyElems${X}, kTileK; int ${x}_k_left, ${x}_left; long long ld${x}
//   needs: Vec load_vector<>(const Elem*, int); int copy_${x}_k(int), copy_${x}_mn(int)
//   gives: void load_${x}()
//   fills: from = a_source; at = mn * lda + along_k; step = kTileK; left = 4
const auto load_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    const int valid = ${left};
    ${x}_staged[i] = load_vector<Vector${X}>(${from} + (${at}), valid);
  }
  ${x}_source += ${step};
  ${x}_k_left -= kTileK;
};

// copy/load.cu (by table): the next tile of ${X} from global memory into registers; zeros past the edge, and of rows that are none.
//   needs: type Vector${X}; Vector${X} ${x}_staged[]; const Elem${X}* ${x}_source
//   needs: int kCopies${X}, kCopyElems${X}, kTileK; int ${x}_k_left; int ${x}_rows[]; long long ld${x}
//   needs: Vec load_vector<>(const Elem*, int); int copy_${x}_k(int)
//   gives: void load_${x}()
//   fills: left = 4
const auto load_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int along_k = copy_${x}_k(i * kCopyElems${X});
    const int valid = ${x}_rows[i] < 0 ? 0 : ${left};
    ${x}_staged[i] = load_vector<Vector${X}>(${x}_source + (valid > 0 ? ${x}_rows[i] * ld${x} + along_k : 0), valid);
  }
  ${x}_source += kTileK;
  ${x}_k_left -= kTileK;
};
