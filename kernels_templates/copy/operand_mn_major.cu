// copy/operand_mn_major.cu: where this thread reads ${X}, contiguous along ${MN}.
//   gives: ${x}_source; ${x}_left and ${x}_k_left, what is left from there to the edges of ${X}
int ${x}_k_left = k - copy_${x}_k_base(thread);
const int ${x}_left = ${mn} - tile_${mn} * kTile${MN} - copy_${x}_mn_base(thread);
const Elem${X}* ${x}_source = ${x} + matrix * batch_stride_${x} +
                        static_cast<long long>(copy_${x}_k_base(thread)) * ld${x} +
                        tile_${mn} * kTile${MN} + copy_${x}_mn_base(thread);
