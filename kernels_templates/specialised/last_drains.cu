// specialised/last_drains.cu: D is for the block that holds all sums.
if (is_last) {
  $[drain]
}
