#pragma once

// What upstream's build writes there is how c10 of CUDA is linked. Here it is part of one library.
