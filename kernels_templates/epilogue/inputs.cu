// epilogue/inputs.cu (read): what elements of D that a thread handles together take from ${name}.
//   needs: type Vector<>; Vec load_vector<>(const Elem*, int)
//   fills: name = x; type = float; count = 4; elems = 2; place = static_cast<const float*>(nullptr) + begin; left = 4; buffer = static_cast<float*>(nullptr)
#pragma unroll
for (int begin = 0; begin < ${count}; begin += ${elems}) {
  const auto in = load_vector<Vector<${type}, ${elems}>>(${place}, ${left});
  #pragma unroll
  for (int one = 0; one < ${elems}; ++one) ${buffer}[begin + one] = in.elem[one];
}

// epilogue/inputs.cu (ask): a tile's part of a vector is asked for by the threads of a group, ahead of the products.
//   needs: Vec load_vector<>(const Elem*, int); type Vector<>; int kGroupThreads; int in_group
//   fills: type = float; elems = 2; extent = 4; source = static_cast<const float*>(nullptr); left = 4; asked = (new Vector<float, 2>[1])
#pragma unroll
for (int first = 0; first < ${extent}; first += kGroupThreads * ${elems}) {
  const int at = first + in_group * ${elems};
  if (first + kGroupThreads * ${elems} > ${extent} && at >= ${extent}) break;
  ${asked}[first / (kGroupThreads * ${elems})] = load_vector<Vector<${type}, ${elems}>>(${source} + at, ${left} - at);
}

// epilogue/inputs.cu (put): what has been asked for comes to shared memory, which all of the group see behind a barrier.
//   needs: void store_vector<>(unsigned char*, const Elem*); type Vector<>; int kGroupThreads; int in_group
//   fills: elems = 2; extent = 4; target = static_cast<float*>(nullptr); asked = (new Vector<float, 2>[1])
#pragma unroll
for (int first = 0; first < ${extent}; first += kGroupThreads * ${elems}) {
  const int at = first + in_group * ${elems};
  if (first + kGroupThreads * ${elems} > ${extent} && at >= ${extent}) break;
  store_vector<${elems}>(reinterpret_cast<unsigned char*>(${target} + at), ${asked}[first / (kGroupThreads * ${elems})].elem);
}

// epilogue/inputs.cu (staged): what the next vectors of D take from the epilogue's inputs.
//   needs: int kInFlight, kOutElems; int first; int row_m(int), row_n(int)
//   fills: edge = const bool whole = true;
#pragma unroll
for (int turn = 0; turn < kInFlight; ++turn) {
  const int i = first + turn * kOutElems, row = row_m(i), col = row_n(i);
  $[edge]
  $[reads]
}
