// copy/staged.cu: the tile of ${X} that is on its way through registers.
//   needs: type Vector${X}; int kCopies${X}; int thread; int store_${x}_base(int)
//   gives: Vector${X} ${x}_staged[]; int ${x}_store
Vector${X} ${x}_staged[kCopies${X}];
const int ${x}_store = store_${x}_base(thread);

// copy/staged.cu (put): the staged tile of ${X} from registers into a stage of shared memory.
//   needs: Vector${X} ${x}_staged[]; int kCopies${X}, kCopyElems${X}, kStageBytes${X}, kStoreElems${X}; int ${x}_store
//   needs: unsigned char* smem_${x}; int store_${x}(int, int); void store_vector<>(unsigned char*, const Elem*)
//   gives: void put_${x}(int)
const auto put_${x} = [&](int stage) {
  $[settle]
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    #pragma unroll
    for (int e = 0; e < kCopyElems${X}; e += kStoreElems${X})
      store_vector<kStoreElems${X}>(
          smem_${x} + stage * kStageBytes${X} + store_${x}(${x}_store, i * kCopyElems${X} + e), ${x}_staged[i].elem + e);
  }
};

// copy/staged.cu (store): where a thread puts its first vector of a tile of ${X}.
//   needs: int thread; int store_${x}_base(int)
//   gives: int ${x}_store
const int ${x}_store = store_${x}_base(thread);
