#pragma once
#include <histedit.h>

// `el_set` and `history` are variadic, and Swift imports no variadic function.

typedef char *(*strata_prompt_function)(EditLine *);

static inline int strata_el_set_prompt(EditLine *editor, strata_prompt_function prompt) {
  return el_set(editor, EL_PROMPT, prompt);
}
static inline int strata_el_set_editor(EditLine *editor, const char *mode) {
  return el_set(editor, EL_EDITOR, mode);
}
static inline int strata_el_set_signal(EditLine *editor, int handles) {
  return el_set(editor, EL_SIGNAL, handles);
}
static inline int strata_el_set_history(EditLine *editor, History *past) {
  return el_set(editor, EL_HIST, history, past);
}
static inline int strata_history_set_size(History *past, int size) {
  HistEvent event;
  return history(past, &event, H_SETSIZE, size);
}
static inline int strata_history_enter(History *past, const char *line) {
  HistEvent event;
  return history(past, &event, H_ENTER, line);
}
