#pragma once
#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>

// `el_set` and `history` are variadic, and Swift imports no variadic function.

/// The standard streams are mutable globals, which Swift rightly does not touch.
static inline EditLine *strata_el_init(const char *program) {
  return el_init(program, stdin, stdout, stderr);
}

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

/// The prompts: libedit keeps the address, so the text must stay where it is.
static inline char *strata_prompt_text(int is_continuation) {
  static char first[] = "strata> ";
  static char next[] = "   ...> ";
  return is_continuation ? next : first;
}

/// `MB_CUR_MAX` is a macro over a function call.
static inline int strata_mb_cur_max(void) { return (int)MB_CUR_MAX; }
