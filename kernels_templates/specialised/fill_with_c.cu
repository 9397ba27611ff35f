// specialised/fill_with_c.cu: beta = 0 never reads C.
if (beta != 0) {
  $[with_c]
} else {
  $[without]
}
