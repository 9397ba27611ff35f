// prelude/fragment.cu: registers of a thread as elements, and as instructions take them.
//   gives: type Fragment<>
template <class Elem, int kElems, class Register>
union Fragment {
  Elem elem[kElems];
  Register reg[kElems * sizeof(Elem) / sizeof(Register)];
};
