#include "CGeographic.h"
