#include "CNumber.h"
