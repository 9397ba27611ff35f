// epilogue/read_input.cu: what elements of D that a thread handles together take from ${name}.
//   needs: type Vector<>; Vec load_vector<>(const Elem*, int)
//   fills: name = x; type = float; count = 4; elems = 2; place = static_cast<const float*>(nullptr) + begin; left = 4; to = static_cast<float*>(nullptr)
#pragma unroll
for (int begin = 0; begin < ${count}; begin += ${elems}) {
  const auto in = load_vector<Vector<${type}, ${elems}>>(${place}, ${left});
  #pragma unroll
  for (int one = 0; one < ${elems}; ++one) ${to}[begin + one] = in.elem[one];
}
