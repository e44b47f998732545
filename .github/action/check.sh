#!/usr/bin/env bash
# Checks the packages and says what fails: the outputs are code (of mendel check) and
# sarif.
set -euo pipefail
. "$GITHUB_ACTION_PATH/.github/action/lib.sh"

words packages "$PACKAGES"
args=(check --budget "$BUDGET" --out "$out/check" --strict="$STRICT")
if [[ -n $BASELINE ]]; then args+=(--baseline "$BASELINE"); fi
if [[ -n $SINCE ]]; then args+=(--since "$SINCE"); fi

code=0
"$mendel" "${args[@]}" ${packages[@]+"${packages[@]}"} | tee "$RUNNER_TEMP/check.txt" || code=$?
tell code "$code"
if [[ -f $out/check/failures.sarif ]]; then tell sarif "$out/check/failures.sarif"; fi
{
	echo '## Mendel: check'
	echo '```'
	cat "$RUNNER_TEMP/check.txt"
	echo '```'
} >>"$GITHUB_STEP_SUMMARY"
case $code in
0) ;;
1) annotate error "$(head -1 "$RUNNER_TEMP/check.txt")" ;;
*) annotate error 'mendel check could not judge the packages; see its log' ;;
esac
