// move/begin.cu: the product may begin as soon as every block of this kernel has; for what it reads it waits itself.
//   needs: void release_next_kernel(), wait_for_previous_kernel()
release_next_kernel();
wait_for_previous_kernel();
