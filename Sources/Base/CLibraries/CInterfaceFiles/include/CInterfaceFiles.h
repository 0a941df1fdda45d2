#pragma once
/* The interface files of Sources/Wire/WaymarkInterface, as they were when the program was built. */

#ifdef __cplusplus
extern "C" {
#endif

/* Text of the file of this interface, such as org.waymark.Pose; NULL if there is no such interface. */
const char *waymark_interface_file(const char *name);

#ifdef __cplusplus
}
#endif
