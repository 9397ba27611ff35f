# Every public header compiles alone, twice, and with nothing but the public include folder. That is
# a matter of the compiler's front end: no code is generated with effort, and none under sanitizers.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include
     ${PROJECT_SOURCE_DIR}/include/*.hpp)
set(folder ${PROJECT_BINARY_DIR}/generated/public_headers)
foreach(header ${headers})
  string(REPLACE "/" "_" name ${header})
  set(text "// ${header} needs nothing before it.\n#include <${header}>\n#include <${header}>\n")
  file(CONFIGURE OUTPUT ${folder}/${name}.cpp CONTENT "${text}")
  list(APPEND alone ${folder}/${name}.cpp)
endforeach()
add_library(public_headers OBJECT ${alone})
target_compile_features(public_headers PRIVATE cxx_std_20)
target_include_directories(public_headers PRIVATE ${PROJECT_SOURCE_DIR}/include)
jute_compile_options(public_headers)
target_compile_options(public_headers PRIVATE -O0 -g0)
set_target_properties(public_headers PROPERTIES UNITY_BUILD OFF)
