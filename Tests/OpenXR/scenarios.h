/* What the program does, by the name that it is started with. */
#ifndef SCENARIOS_H
#define SCENARIOS_H

#include "openxr.h"

#define XR_TYPE_SPACES_LOCATE_INFO_OF_TESTS ((XrStructureType)1000471000)
#define XR_TYPE_SPACE_LOCATIONS_OF_TESTS ((XrStructureType)1000471001)

void replace(void);
void outage(void);
void correct(void);
void results(void);
void geospatial(void);
void hostile(void);
void side_by_side(void);
void cost(void);

/* Layers of a frame are where they were drawn, in the eyes of the runtime's head. Units: rad, m. */
void check_layers(double angle, double distance);

#endif
