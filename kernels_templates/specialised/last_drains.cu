// specialised/last_drains.cu: D is for the block that holds all sums.
//   needs: bool is_last
if (is_last) {
  $[drain]
}
