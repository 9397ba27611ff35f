// copy/staged.cu: the tile of ${X} that is on its way through registers.
//   needs: type Vector${X}; int kCopies${X}; int thread; int store_${x}_base(int)
//   gives: Vector${X} ${x}_staged[]; int ${x}_store
Vector${X} ${x}_staged[kCopies${X}];
const int ${x}_store = store_${x}_base(thread);
