# Where a jute that is installed, and programs linked with it, look last for NVRTC and CUDA's headers:
# in the Python environment that tools/setup made beside these sources. A package that must know
# nothing of the machine that it is built on is built with JUTE_ENVIRONMENT empty.
if(DEFINED JUTE_ENVIRONMENT)
  set(environment "${JUTE_ENVIRONMENT}")
elseif(EXISTS ${PROJECT_SOURCE_DIR}/.venv)
  set(environment ${PROJECT_SOURCE_DIR}/.venv)
else()
  set(environment)
endif()
set(environment_text ${PROJECT_BINARY_DIR}/generated/environment_built_beside.cpp)
list(APPEND generated_jit ${environment_text})
file(CONFIGURE OUTPUT ${environment_text}
     CONTENT "namespace jute::jit {
extern const char kEnvironmentBuiltBeside[];
const char kEnvironmentBuiltBeside[] = R\"(${environment})\";
}
" @ONLY)
