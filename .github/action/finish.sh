#!/usr/bin/env bash
# Says how it all ended. The output is result: clean, failed or error.
set -euo pipefail
. "$GITHUB_ACTION_PATH/.github/action/lib.sh"

result=clean
case $CHECK_CODE in
0) ;;
1) result=failed ;;
*) result=error ;;
esac
case $REPAIR_CODE in
'' | 3) ;; # not asked, or nothing was seen
0 | 1) result=failed ;;
*) result=error ;;
esac
tell result "$result"
if [[ $FAIL != true ]]; then exit 0; fi
case $result in
clean) echo 'no new failure was seen' ;;
failed)
	echo 'tests fail under some interleavings; the summary says which'
	exit 1
	;;
error)
	echo 'there is no judgement: see the log'
	exit 2
	;;
esac
