#pragma once
// What is done before the Swift runtime starts: see startup.c. There is nothing to call.
