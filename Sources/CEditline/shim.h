#pragma once
#include <histedit.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// `el_set`, `el_get` and `history` are variadic, and Swift imports no variadic function.

/// The standard streams are mutable globals, which Swift rightly does not touch.
static inline EditLine *strata_el_init(const char *program) {
  return el_init(program, stdin, stdout, stderr);
}
/// Whether libedit finds a description of the terminal that TERM names: where it does not, it says so.
static inline bool strata_el_accepts_terminal(const char *program) {
  char *words = NULL;
  size_t count = 0;
  FILE *said = open_memstream(&words, &count);
  if (said == NULL) return true;
  EditLine *editor = el_init(program, stdin, stdout, said);
  if (editor != NULL) el_end(editor);
  fclose(said);
  free(words);
  return count == 0;
}

typedef char *(*strata_prompt_function)(EditLine *);
typedef unsigned char (*strata_key_function)(EditLine *, int);

/// `delimiter` stands on both sides of what takes no room on the screen, such as a change of colour.
static inline int strata_el_set_prompt(EditLine *editor, strata_prompt_function prompt,
                                       char delimiter) {
  return el_set(editor, EL_PROMPT_ESC, prompt, delimiter);
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
static inline int strata_el_set_client(EditLine *editor, void *client) {
  return el_set(editor, EL_CLIENTDATA, client);
}
static inline void *strata_el_client(EditLine *editor) {
  void *client = NULL;
  return el_get(editor, EL_CLIENTDATA, &client) == 0 ? client : NULL;
}
static inline int strata_el_add_function(EditLine *editor, const char *name, const char *help,
                                         strata_key_function function) {
  return el_set(editor, EL_ADDFN, name, help, function);
}
static inline int strata_el_bind(EditLine *editor, const char *key, const char *function) {
  return el_set(editor, EL_BIND, key, function, NULL);
}
/// Binds a key of the commands of vi.
static inline int strata_el_bind_alternative(EditLine *editor, const char *key,
                                             const char *function) {
  return el_set(editor, EL_BIND, "-a", key, function, NULL);
}
static inline int strata_history_set_size(History *past, int size) {
  HistEvent event;
  return history(past, &event, H_SETSIZE, size);
}
static inline int strata_history_enter(History *past, const char *line) {
  HistEvent event;
  return history(past, &event, H_ENTER, line);
}
static inline int strata_history_clear(History *past) {
  HistEvent event;
  return history(past, &event, H_CLEAR);
}

/// `MB_CUR_MAX` is a macro over a function call.
static inline int strata_mb_cur_max(void) { return (int)MB_CUR_MAX; }

/// A handler that lets a blocked read return, which `signal` does not promise.
static inline int strata_on_signal(int number, void (*handler)(int)) {
  struct sigaction action = {0};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  return sigaction(number, &action, NULL);
}
