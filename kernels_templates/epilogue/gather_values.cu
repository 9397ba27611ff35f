// epilogue/gather_values.cu: what a thread finds of ${name} in a tile, a sum for each of its lines.
//   needs: int kSlots${place}
//   gives: Compute gathered${place}[]
//   fills: name = r; place = 2
Compute gathered${place}[kSlots${place}] = {};
