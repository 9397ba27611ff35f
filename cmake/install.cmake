# find_package(jute) gives jute::jute.
include(CMakePackageConfigHelpers)

# Three parts, which packages hold apart: what programs run with, what they are built with, the command.
install(TARGETS jute EXPORT jute_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime
                NAMELINK_COMPONENT development)
foreach(layer ${JUTE_WITHOUT})
  list(APPEND left_out PATTERN jute/${layer} EXCLUDE)
  string(TOUPPER ${layer} layer)
  string(APPEND pc_definitions " -DJUTE_WITHOUT_${layer}")
endforeach()
install(DIRECTORY include/jute DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development ${left_out})
install(FILES LICENSE THIRD_PARTY_NOTICES DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)

# For pkg-config: who links statically links what the library needs, too; a program in C what every
# program in C++ is linked with.
set(pc_needs -pthread)
set(of_cxx stdc++ c++ m)
foreach(library ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
  if(library IN_LIST of_cxx AND NOT "-l${library}" IN_LIST pc_needs)
    list(APPEND pc_needs -l${library})
  endif()
endforeach()
foreach(library ${CMAKE_DL_LIBS})
  list(APPEND pc_needs -l${library})
endforeach()
if(JUTE_SANITIZE)
  list(APPEND pc_needs -fsanitize=address,undefined)
endif()
list(JOIN pc_needs " " pc_needs)
if(BUILD_SHARED_LIBS)
  set(pc_libs "-ljute\nLibs.private: ${pc_needs}")
else()
  set(pc_libs "-ljute ${pc_needs}")
endif()
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/jute.pc.in jute.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/jute.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
install(EXPORT jute_targets NAMESPACE jute:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jute
        COMPONENT development)
configure_package_config_file(cmake/jute-config.cmake.in jute-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jute)
write_basic_package_version_file(jute-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/jute-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/jute-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jute COMPONENT development)
