// copy/straight.cu (k_major): a thread's fragments of the next tile of ${X}, from global memory; zeros past the edge.
//   needs: type Vector${X}; bool kWholeTiles${MN}, kWholeTilesK, kWholeVectors${X}; const Elem${X}* ${x}_source
//   needs: int kCopies${X}, kCopyElems${X}, kTileK; int ${x}_k_left, ${x}_left; long long ld${x}
//   needs: Vec load_vector<>(const Elem*, int); int copy_${x}_k(int), copy_${x}_mn(int)
//   gives: Vector${X} ${x}_staged[]; void load_${x}()
Vector${X} ${x}_staged[kCopies${X}];
const auto load_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    const int in_row = kWholeTilesK ? kCopyElems${X} : ${x}_k_left - along_k;
    const int valid = kWholeTiles${MN} || mn < ${x}_left ? in_row : 0;
    ${x}_staged[i] = load_vector<Vector${X}>(
        ${x}_source + (mn * ld${x} + along_k), !kWholeVectors${X} ? valid : valid > 0 ? kCopyElems${X} : 0);
  }
  ${x}_source += kTileK;
  ${x}_k_left -= kTileK;
};

// copy/straight.cu (mn_major): a thread's fragments of the next tile of ${X}, from global memory; zeros past the edge.
//   needs: type Vector${X}; bool kWholeTiles${MN}, kWholeTilesK, kWholeVectors${X}; const Elem${X}* ${x}_source
//   needs: int kCopies${X}, kCopyElems${X}, kTileK; int ${x}_k_left, ${x}_left; long long ld${x}
//   needs: Vec load_vector<>(const Elem*, int); int copy_${x}_k(int), copy_${x}_mn(int)
//   gives: Vector${X} ${x}_staged[]; void load_${x}()
Vector${X} ${x}_staged[kCopies${X}];
const auto load_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    const int in_row = kWholeTiles${MN} ? kCopyElems${X} : ${x}_left - mn;
    const int valid = kWholeTilesK || along_k < ${x}_k_left ? in_row : 0;
    ${x}_staged[i] = load_vector<Vector${X}>(
        ${x}_source + (along_k * ld${x} + mn), !kWholeVectors${X} ? valid : valid > 0 ? kCopyElems${X} : 0);
  }
  ${x}_source += kTileK * ld${x};
  ${x}_k_left -= kTileK;
};

// copy/straight.cu (shifted k_major): a thread's fragments of the next tile of ${X}, rows of which begin anywhere; zeros past the
// edge. Chunks are asked for first, and vectors cut out of them when all of both operands are on their way.
//   needs: type Vector${X}; bool kWholeTiles${MN}; const Elem${X}* ${x}_source
//   needs: int kCopies${X}, kCopyElems${X}, kTileK; int ${x}_k_left, ${x}_left, k; long long ld${x}
//   needs: type Chunks; Chunks load_chunks<>(const Elem*, int, int); Vec vector_of<>(const Chunks&, const Elem*, int)
//   needs: int copy_${x}_k(int), copy_${x}_mn(int)
//   gives: Vector${X} ${x}_staged[]; void load_${x}(), settle_${x}()
Chunks ${x}_chunks[kCopies${X}];
Vector${X} ${x}_staged[kCopies${X}];
const auto left_of_${x} = [&](int mn, int along_k) { return kWholeTiles${MN} || mn < ${x}_left ? ${x}_k_left - along_k : 0; };
const auto load_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    ${x}_chunks[i] = load_chunks(${x}_source + (mn * ld${x} + along_k), k - ${x}_k_left + along_k, left_of_${x}(mn, along_k));
  }
};
const auto settle_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    ${x}_staged[i] = vector_of<Vector${X}>(${x}_chunks[i], ${x}_source + (mn * ld${x} + along_k), left_of_${x}(mn, along_k));
  }
  ${x}_source += kTileK;
  ${x}_k_left -= kTileK;
};

// copy/straight.cu (shifted mn_major): a thread's fragments of the next tile of ${X}, rows of which begin anywhere; zeros past the
// edge. Chunks are asked for first, and vectors cut out of them when all of both operands are on their way.
//   needs: type Vector${X}; bool kWholeTilesK; const Elem${X}* ${x}_source
//   needs: int kCopies${X}, kCopyElems${X}, kTileK; int ${x}_k_left, ${x}_left, ${mn}; long long ld${x}
//   needs: type Chunks; Chunks load_chunks<>(const Elem*, int, int); Vec vector_of<>(const Chunks&, const Elem*, int)
//   needs: int copy_${x}_k(int), copy_${x}_mn(int)
//   gives: Vector${X} ${x}_staged[]; void load_${x}(), settle_${x}()
Chunks ${x}_chunks[kCopies${X}];
Vector${X} ${x}_staged[kCopies${X}];
const auto left_of_${x} = [&](int mn, int along_k) { return kWholeTilesK || along_k < ${x}_k_left ? ${x}_left - mn : 0; };
const auto load_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    ${x}_chunks[i] = load_chunks(${x}_source + (along_k * ld${x} + mn), ${mn} - ${x}_left + mn, left_of_${x}(mn, along_k));
  }
};
const auto settle_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    ${x}_staged[i] = vector_of<Vector${X}>(${x}_chunks[i], ${x}_source + (along_k * ld${x} + mn), left_of_${x}(mn, along_k));
  }
  ${x}_source += kTileK * ld${x};
  ${x}_k_left -= kTileK;
};
