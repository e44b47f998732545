#!/usr/bin/env bash
# Repairs what fails, and reports: annotations, a page in the summary, SARIF. The outputs
# are code (of mendel repair; empty if it was not asked) and sarif.
set -euo pipefail
. "$GITHUB_ACTION_PATH/.github/action/lib.sh"

case $REPAIR in
never) exit 0 ;;
failed) if [[ $CHECK_CODE != 1 ]]; then exit 0; fi ;;
always) ;;
*)
	annotate error "repair: $REPAIR: want failed, always or never"
	exit 2
	;;
esac

words packages "$PACKAGES"
words flags "$REPAIR_FLAGS"
code=0
"$mendel" repair --budget "$REPAIR_BUDGET" --out "$out/repair" ${flags[@]+"${flags[@]}"} ${packages[@]+"${packages[@]}"} || code=$?
tell code "$code"
if [[ $code != 0 && $code != 1 ]]; then exit 0; fi # there is nothing to report on

"$mendel" report --format github "$out/repair"
"$mendel" report --format md "$out/repair" >>"$GITHUB_STEP_SUMMARY"
"$mendel" report --format sarif "$out/repair" >"$out/repair.sarif"
tell sarif "$out/repair.sarif"
