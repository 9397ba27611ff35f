# `cpack` in a build with BUILD_SHARED_LIBS=ON, CMAKE_INSTALL_PREFIX=/usr and JUTE_ENVIRONMENT empty makes
# libjute0, libjute-dev and jute for Debian, and a tarball of all three.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME jute)
set(CPACK_PACKAGE_VENDOR "the jute authors")
set(JUTE_MAINTAINER "the jute authors <jute@localhost>" CACHE STRING "Who answers for packages made of this build")
set(CPACK_PACKAGE_CONTACT "${JUTE_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "tensor-core matrix products planned and compiled at run time")
set(CPACK_PACKAGE_DESCRIPTION "jute computes with layouts as values, plans a matrix product from
them, writes the CUDA kernel for exactly that product, compiles it with
NVRTC and runs it, on a GPU or on an emulator that checks it.")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/compress_manual.cmake)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)

set(CPACK_COMPONENTS_ALL runtime development command)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libjute0)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
# What programs that are built against it depend on, and when the loader's cache is made anew.
set(control ${PROJECT_BINARY_DIR}/control)
file(WRITE ${control}/shlibs "libjute ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} libjute0 (= ${PROJECT_VERSION}-1)\n")
file(WRITE ${control}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${control}/shlibs ${control}/triggers)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}
This package holds the shared library.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libjute-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}
This package holds headers, and what CMake and pkg-config need.")
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME jute)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION devel)
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}
This package holds the command, its manual, and a stand-in for NVIDIA's driver.")
set(own_library "libjute0 (= ${PROJECT_VERSION}-1)")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${own_library}")
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "${own_library}")
# A library that is not yet installed has no package to be found for it.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)

# Each package has a copyright and, for lintian, what is knowingly unlike Debian's own packages.
foreach(part runtime:libjute0 development:libjute-dev command:jute)
  string(REPLACE ":" ";" part ${part})
  list(GET part 0 component)
  list(GET part 1 package)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} RENAME copyright
          COMPONENT ${component})
  install(FILES cmake/lintian/${package} DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
          COMPONENT ${component})
endforeach()

include(CPack)
