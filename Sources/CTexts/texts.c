// `#embed` is part of C23; clang has it in every C.
#pragma clang diagnostic ignored "-Wc23-extensions"

#include <string.h>

#include "CTexts.h"

struct text {
  const char *name;
  const char *characters;
};

// In the order of the folders.
static const struct text texts[] = {
    {"check-rules.md", (const char[]){
#embed "../Commands/Texts/check-rules.md" suffix(, 0)
    }},
    {"core-data.md", (const char[]){
#embed "../Commands/Texts/core-data.md" suffix(, 0)
    }},
    {"errors.md", (const char[]){
#embed "../Commands/Texts/errors.md" suffix(, 0)
    }},
    {"glossary.md", (const char[]){
#embed "../Commands/Texts/glossary.md" suffix(, 0)
    }},
    {"page.css", (const char[]){
#embed "../Pages/Assets/page.css" suffix(, 0)
    }},
    {"stepper.js", (const char[]){
#embed "../Pages/Assets/stepper.js" suffix(, 0)
    }},
    {"FirstTopics1.xml", (const char[]){
#embed "../Samples/Files/FirstTopics1.xml" suffix(, 0)
    }},
    {"FirstTopics2.xml", (const char[]){
#embed "../Samples/Files/FirstTopics2.xml" suffix(, 0)
    }},
    {"Flight.stages", (const char[]){
#embed "../Samples/Files/Flight.stages" suffix(, 0)
    }},
    {"FlightA.xml", (const char[]){
#embed "../Samples/Files/FlightA.xml" suffix(, 0)
    }},
    {"FlightAPrime.xml", (const char[]){
#embed "../Samples/Files/FlightAPrime.xml" suffix(, 0)
    }},
    {"FlightB.xml", (const char[]){
#embed "../Samples/Files/FlightB.xml" suffix(, 0)
    }},
    {"Journeys.policy", (const char[]){
#embed "../Samples/Files/Journeys.policy" suffix(, 0)
    }},
    {"Journeys1.xml", (const char[]){
#embed "../Samples/Files/Journeys1.xml" suffix(, 0)
    }},
    {"Journeys1ToJourneys2.mapping", (const char[]){
#embed "../Samples/Files/Journeys1ToJourneys2.mapping" suffix(, 0)
    }},
    {"Journeys2.xml", (const char[]){
#embed "../Samples/Files/Journeys2.xml" suffix(, 0)
    }},
    {"Journeys3.xml", (const char[]){
#embed "../Samples/Files/Journeys3.xml" suffix(, 0)
    }},
    {"Journeys4.xml", (const char[]){
#embed "../Samples/Files/Journeys4.xml" suffix(, 0)
    }},
    {"Journeys5.xml", (const char[]){
#embed "../Samples/Files/Journeys5.xml" suffix(, 0)
    }},
    {"Journeys5ToJourneys6.mapping", (const char[]){
#embed "../Samples/Files/Journeys5ToJourneys6.mapping" suffix(, 0)
    }},
    {"Journeys6.xml", (const char[]){
#embed "../Samples/Files/Journeys6.xml" suffix(, 0)
    }},
    {"Model1ToModel2.mapping", (const char[]){
#embed "../Samples/Files/Model1ToModel2.mapping" suffix(, 0)
    }},
    {"Model3ToModel4.mapping", (const char[]){
#embed "../Samples/Files/Model3ToModel4.mapping" suffix(, 0)
    }},
    {"Model4ToModel5-1.mapping", (const char[]){
#embed "../Samples/Files/Model4ToModel5-1.mapping" suffix(, 0)
    }},
    {"Model4ToModel5-2.mapping", (const char[]){
#embed "../Samples/Files/Model4ToModel5-2.mapping" suffix(, 0)
    }},
    {"Model4ToModel5-3.mapping", (const char[]){
#embed "../Samples/Files/Model4ToModel5-3.mapping" suffix(, 0)
    }},
    {"Recipes.policy", (const char[]){
#embed "../Samples/Files/Recipes.policy" suffix(, 0)
    }},
    {"Recipes1.xml", (const char[]){
#embed "../Samples/Files/Recipes1.xml" suffix(, 0)
    }},
    {"Recipes1ToRecipes2.mapping", (const char[]){
#embed "../Samples/Files/Recipes1ToRecipes2.mapping" suffix(, 0)
    }},
    {"Recipes2.xml", (const char[]){
#embed "../Samples/Files/Recipes2.xml" suffix(, 0)
    }},
    {"Topics.policy", (const char[]){
#embed "../Samples/Files/Topics.policy" suffix(, 0)
    }},
    {"Topics.stages", (const char[]){
#embed "../Samples/Files/Topics.stages" suffix(, 0)
    }},
    {"Topics1.xml", (const char[]){
#embed "../Samples/Files/Topics1.xml" suffix(, 0)
    }},
    {"Topics2.xml", (const char[]){
#embed "../Samples/Files/Topics2.xml" suffix(, 0)
    }},
    {"Topics3.xml", (const char[]){
#embed "../Samples/Files/Topics3.xml" suffix(, 0)
    }},
    {"Topics4.xml", (const char[]){
#embed "../Samples/Files/Topics4.xml" suffix(, 0)
    }},
    {"Topics5.xml", (const char[]){
#embed "../Samples/Files/Topics5.xml" suffix(, 0)
    }},
    {"hashes.md", (const char[]){
#embed "../Samples/Lessons/Texts/hashes.md" suffix(, 0)
    }},
    {"invisible.md", (const char[]){
#embed "../Samples/Lessons/Texts/invisible.md" suffix(, 0)
    }},
    {"lightweight.md", (const char[]){
#embed "../Samples/Lessons/Texts/lightweight.md" suffix(, 0)
    }},
    {"limits.md", (const char[]){
#embed "../Samples/Lessons/Texts/limits.md" suffix(, 0)
    }},
    {"mappings.md", (const char[]){
#embed "../Samples/Lessons/Texts/mappings.md" suffix(, 0)
    }},
    {"passes.md", (const char[]){
#embed "../Samples/Lessons/Texts/passes.md" suffix(, 0)
    }},
    {"phone.md", (const char[]){
#embed "../Samples/Lessons/Texts/phone.md" suffix(, 0)
    }},
    {"policies.md", (const char[]){
#embed "../Samples/Lessons/Texts/policies.md" suffix(, 0)
    }},
    {"staged.md", (const char[]){
#embed "../Samples/Lessons/Texts/staged.md" suffix(, 0)
    }},
    {"stranger.md", (const char[]){
#embed "../Samples/Lessons/Texts/stranger.md" suffix(, 0)
    }},
    {"strategies.md", (const char[]){
#embed "../Samples/Lessons/Texts/strategies.md" suffix(, 0)
    }},
    {"versions.md", (const char[]){
#embed "../Samples/Lessons/Texts/versions.md" suffix(, 0)
    }},
};

const char *strata_text(const char *name) {
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (strcmp(texts[i].name, name) == 0) return texts[i].characters;
  return NULL;
}
