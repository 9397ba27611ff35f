// specialised/fill_with_c.cu: beta = 0 never reads C.
//   needs: Compute beta
if (beta != 0) {
  $[with_c]
} else {
  $[without]
}
