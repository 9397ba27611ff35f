// copy/operand.cu (tile): where this thread reads ${X}, and what is left from there to the edges.
//   needs: type Elem${X}; const Elem${X}* ${x}; int first_${mn}, k, matrix, ${mn}, ${thread}
//   needs: long long batch_stride_${x}, ld${x}; int copy_${x}_k_base(int), copy_${x}_mn_base(int)
//   gives: const Elem${X}* ${x}_source; int ${x}_k_left, ${x}_left
//   fills: line = first_m; in_line = copy_a_k_base(thread); thread = thread
int ${x}_k_left = k - copy_${x}_k_base(${thread});
const int ${x}_left = ${mn} - first_${mn} - copy_${x}_mn_base(${thread});
const Elem${X}* ${x}_source = ${x} + matrix * batch_stride_${x} +
                        static_cast<long long>(${line}) * ld${x} +
                        ${in_line};

// copy/operand.cu (group): ${X} from where the block's group begins along K.
//   needs: const Elem${X}* ${x}_source; int ${x}_k_left; int first_k; long long ld${x}
//   fills: at = first_k
${x}_k_left -= first_k;
${x}_source += ${at};

// copy/operand.cu (slice): ${X} from the first k-tile of the block's slice on.
//   needs: const Elem${X}* ${x}_source; int ${x}_k_left; int first_k_tile, kTileK; long long ld${x}
//   fills: step = kTileK
${x}_k_left -= first_k_tile * kTileK;
${x}_source += first_k_tile * ${step};

// copy/operand.cu (by table): where this thread reads ${X}, whose rows a table names, contiguous along K, and what is left from there to the
// edges. Of rows that are none nothing is left.
//   needs: type Elem${X}, Index${X}; const Elem${X}* ${x}; const Index${X}* rows_${x}; unsigned* fault
//   needs: int first_${mn}, k, kCopies${X}, kCopyElems${X}, matrix, ${mn}, ${thread}
//   needs: long long batch_stride_${x}, ld${x}
//   needs: int copy_${x}_k_base(int), copy_${x}_mn(int), copy_${x}_mn_base(int), row_of_${x}(const Index${X}*, int, unsigned*)
//   gives: const Elem${X}* ${x}_source; int ${x}_k_left; int ${x}_rows[]
//   fills: thread = thread
int ${x}_k_left = k - copy_${x}_k_base(${thread});
const Elem${X}* ${x}_source = ${x} + matrix * batch_stride_${x} + copy_${x}_k_base(${thread});
int ${x}_rows[kCopies${X}];
#pragma unroll
for (int i = 0; i < kCopies${X}; ++i) {
  const int row = first_${mn} + copy_${x}_mn_base(${thread}) + copy_${x}_mn(i * kCopyElems${X});
  ${x}_rows[i] = row < ${mn} ? row_of_${x}(rows_${x}, row, fault) : -1;
}

// copy/operand.cu (row of a table): the row of memory that a table names for a row of the product, -1 where none. What lies outside of memory
// counts as none, and is kept as a fault.
//   needs: type Index${X}; int kMemoryRows${X}
//   gives: int row_of_${x}(const Index${X}*, int, unsigned*)
//   fills: place = 1
__device__ __forceinline__ int row_of_${x}(const Index${X}* rows, int row, unsigned* fault) {
  const Index${X} at = rows[row];
  if (at >= 0 && at < kMemoryRows${X}) return static_cast<int>(at);
  if (at != -1) atomicCAS(fault + ${place}, 0u, row + 1u);
  return -1;
}
