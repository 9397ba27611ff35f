// copy/view.cu: where this thread's part of ${X} begins, whose elements lie where its View has them, and what is left from there
// to the edges.
//   needs: int first_${mn}, k, ${mn}, ${thread}; int copy_${x}_k_base(int), copy_${x}_mn_base(int)
//   gives: int ${x}_k, ${x}_k_left, ${x}_left, ${x}_mn
//   fills: thread = thread
int ${x}_k = copy_${x}_k_base(${thread});
int ${x}_k_left = k - ${x}_k;
const int ${x}_mn = first_${mn} + copy_${x}_mn_base(${thread});
const int ${x}_left = ${mn} - ${x}_mn;

// copy/view.cu (slice): ${X} from the first k-tile of the block's slice on.
//   needs: int ${x}_k, ${x}_k_left; int first_k_tile, kTileK
${x}_k += first_k_tile * kTileK;
${x}_k_left -= first_k_tile * kTileK;

// copy/view.cu (load): the next tile of ${X} from global memory into registers; zeros past the edge.
//   needs: type Elem${X}, Vector${X}; Vector${X} ${x}_staged[]; const Elem${X}* ${x}
//   needs: int kCopies${X}, kCopyElems${X}, kTileK; int ${x}_k, ${x}_k_left, ${x}_left, ${x}_mn, matrix
//   needs: Vec load_vector<>(const Elem*, int); int copy_${x}_k(int), copy_${x}_mn(int)
//   needs: long long element_${x}(unsigned, unsigned, unsigned)
//   gives: void load_${x}()
//   fills: left = kCopyElemsA; from = element
const auto load_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    const long long element = element_${x}(${x}_mn + mn, ${x}_k + along_k, matrix);
    const int valid = ${left};
    ${x}_staged[i] = load_vector<Vector${X}>(${x} + ${from}, valid);
  }
  ${x}_k += kTileK;
  ${x}_k_left -= kTileK;
};

// copy/view.cu (async): the next tile of ${X} on its way to `target`; zeros past the edge.
//   needs: type Elem${X}; const Elem${X}* ${x}
//   needs: int kCopies${X}, kCopyElems${X}, kTileK; int ${x}_k, ${x}_k_left, ${x}_left, ${x}_mn, matrix
//   needs: int copy_${x}_k(int), copy_${x}_mn(int), store_${x}(int, int); void copy_async<>(unsigned, const Elem*, int)
//   needs: long long element_${x}(unsigned, unsigned, unsigned)
//   gives: void load_${x}(unsigned)
//   fills: left = kCopyElemsA; from = element
const auto load_${x} = [&](unsigned target) {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    const long long element = element_${x}(${x}_mn + mn, ${x}_k + along_k, matrix);
    const int valid = ${left};
    copy_async<kCopyElems${X}>(store_${x}(target, i * kCopyElems${X}), ${x} + ${from}, valid);
  }
  ${x}_k += kTileK;
  ${x}_k_left -= kTileK;
};

// copy/view.cu (element): where ${X}'s element lies: ${view}.
//   gives: long long element_${x}(unsigned, unsigned, unsigned)
//   fills: view = (4,8):(1@0,1@1); element = place0; places = const long long place0 = row;
__device__ __forceinline__ long long element_${x}(unsigned row, unsigned column, unsigned matrix) {
  $[places]
  $[outside]
  return ${element};
}

// copy/view.cu (numbers): ${X}'s View by the numbers of a run: how far its elements lie apart along each of its modes, and those that
// divide by the extents of all modes that others lie behind.
//   gives: type Numbers${X}
//   fills: modes = 3; cuts = 1
struct Numbers${X} {
  long long origin, strides[${modes}];
  unsigned extents[${cuts}];
  long long magics[${cuts}];
};

// copy/view.cu (element by numbers): where ${X}'s element lies, by those.
//   needs: type Numbers${X}
//   gives: long long element_${x}(const Numbers${X}&, unsigned, unsigned, unsigned)
//   gives: Numbers${X} its; long long place; unsigned column, matrix, row
__device__ __forceinline__ long long element_${x}(const Numbers${X}& its, unsigned row, unsigned column, unsigned matrix) {
  long long place = its.origin;
  $[steps]
  return place;
}

// copy/view.cu (step): one mode for the whole ${coordinate}.
//   needs: type Numbers${X}; Numbers${X} its; long long place; unsigned ${coordinate}
//   fills: coordinate = row; mode = 0
place += ${coordinate} * its.strides[${mode}];

// copy/view.cu (steps): ${coordinate} by its modes, the first the fastest.
//   needs: type Numbers${X}; Numbers${X} its; long long place; unsigned ${coordinate}
//   fills: coordinate = row; mode = 0; cut = 0; end = 1; last = 1
unsigned in_${coordinate} = ${coordinate};
#pragma unroll
for (int cut = ${cut}; cut < ${end}; ++cut) {
  const unsigned next = its.magics[cut] == 0 ? in_${coordinate} : static_cast<unsigned>(__umul64hi(static_cast<unsigned long long>(its.magics[cut]), in_${coordinate}));
  place += (in_${coordinate} - next * its.extents[cut]) * its.strides[cut + ${mode}];
  in_${coordinate} = next;
}
place += in_${coordinate} * its.strides[${last}];
