// probe/real_values.cu: registers of the real instruction of which a complex product is made.
constexpr int kValuesA = ${values_a}, kValuesB = ${values_b}, kValuesC = ${values_c};
