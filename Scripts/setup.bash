# Sourced by the scripts beside it: sets `root`, and defines what they share.
# Whatever these functions say goes to standard error.

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 2
}

# Runs a command in silence; shows what it said only when it fails. Its standard input is empty, so
# that it cannot swallow a script that is piped to strata.
quietly() {
  local log status=0
  log=$("$@" 2>&1 </dev/null) || status=$?
  if ((status != 0)); then
    printf '%s\n' "$log" >&2
  fi
  return "$status"
}

as_root() {
  if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

# Installs the packages that are named and not there yet; macOS carries all that the build links.
install_packages() {
  [[ $(uname) == Linux ]] || return 0
  command -v dpkg >/dev/null || return 0

  local package missing=()
  for package in "$@"; do
    # A package that was removed still has a state, so the exit status of dpkg says too little.
    [[ $(dpkg -s "$package" 2>/dev/null) == *" ok installed"* ]] || missing+=("$package")
  done
  ((${#missing[@]} > 0)) || return 0

  printf 'installing %s\n' "${missing[*]}" >&2
  quietly as_root apt-get update &&
    quietly as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install --yes --no-install-recommends "${missing[@]}" ||
    fail "could not install ${missing[*]}"
}

set_up() {
  command -v swift >/dev/null || fail "Swift 6.2 or later is needed to build Strata"
  install_packages libedit-dev libmd-dev libsqlite3-dev zlib1g-dev libexpat1-dev
}
