// specialised/group.cu: which group of consumers this thread belongs to, and where in it.
//   needs: int kGroupThreads; int thread, warp
//   gives: int group, in_group
const int group = warp / (kGroupThreads / 32), in_group = thread % kGroupThreads;
