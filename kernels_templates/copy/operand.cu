// copy/operand.cu (k_major): where this thread reads ${X}, contiguous along K, and what is left from there to the edges.
//   needs: type Elem${X}; const Elem${X}* ${x}; int first_${mn}, k, matrix, ${mn}, thread
//   needs: long long batch_stride_${x}, ld${x}; int copy_${x}_k_base(int), copy_${x}_mn_base(int)
//   gives: const Elem${X}* ${x}_source; int ${x}_k_left, ${x}_left
int ${x}_k_left = k - copy_${x}_k_base(thread);
const int ${x}_left = ${mn} - first_${mn} - copy_${x}_mn_base(thread);
const Elem${X}* ${x}_source = ${x} + matrix * batch_stride_${x} +
                        static_cast<long long>(first_${mn} + copy_${x}_mn_base(thread)) * ld${x} +
                        copy_${x}_k_base(thread);

// copy/operand.cu (mn_major): where this thread reads ${X}, contiguous along ${MN}, and what is left from there to the edges.
//   needs: type Elem${X}; const Elem${X}* ${x}; int first_${mn}, k, matrix, ${mn}, thread
//   needs: long long batch_stride_${x}, ld${x}; int copy_${x}_k_base(int), copy_${x}_mn_base(int)
//   gives: const Elem${X}* ${x}_source; int ${x}_k_left, ${x}_left
//   fills: first = first_m + copy_a_mn_base(thread)
int ${x}_k_left = k - copy_${x}_k_base(thread);
const int ${x}_left = ${mn} - first_${mn} - copy_${x}_mn_base(thread);
const Elem${X}* ${x}_source = ${x} + matrix * batch_stride_${x} +
                        static_cast<long long>(copy_${x}_k_base(thread)) * ld${x} +
                        ${first};

// copy/operand.cu (group, k_major): ${X} from where the block's group begins along K.
//   needs: const Elem${X}* ${x}_source; int ${x}_k_left; int first_k
${x}_k_left -= first_k;
${x}_source += first_k;

// copy/operand.cu (group, mn_major): ${X} from where the block's group begins along K.
//   needs: const Elem${X}* ${x}_source; int ${x}_k_left; int first_k; long long ld${x}
${x}_k_left -= first_k;
${x}_source += first_k * ld${x};

// copy/operand.cu (slice, k_major): ${X} from the first k-tile of the block's slice on.
//   needs: const Elem${X}* ${x}_source; int ${x}_k_left; int first_k_tile, kTileK
${x}_k_left -= first_k_tile * kTileK;
${x}_source += first_k_tile * kTileK;

// copy/operand.cu (slice, mn_major): ${X} from the first k-tile of the block's slice on.
//   needs: const Elem${X}* ${x}_source; int ${x}_k_left; int first_k_tile, kTileK; long long ld${x}
${x}_k_left -= first_k_tile * kTileK;
${x}_source += first_k_tile * kTileK * ld${x};
