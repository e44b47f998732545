#!/usr/bin/env bash
# Opens a pull request with the fixes, or brings the open one up to date. The checkout
# stays as it is: the commit is made in a worktree. The output is url.
set -euo pipefail
. "$GITHUB_ACTION_PATH/.github/action/lib.sh"

if [[ $PULL_REQUEST != true || $REPAIR_CODE != 0 && $REPAIR_CODE != 1 ]]; then exit 0; fi

# Those of all packages together, if there are several; else that of the one.
patches=()
if [[ -f $out/repair/all.patch ]]; then
	patches=("$out/repair/all.patch")
else
	for p in "$out"/repair/fix-1.patch "$out"/repair/*/fix-1.patch; do
		# A fix whose validation did not end is none.
		if [[ -f $p ]] && grep -q '"status": "fixed"' "$(dirname "$p")/result.json"; then patches+=("$p"); fi
	done
fi
if [[ ${#patches[@]} == 0 ]]; then exit 0; fi

base=${BASE:-${GITHUB_HEAD_REF:-$GITHUB_REF_NAME}}
prefix=$(git rev-parse --show-prefix)
tree=$RUNNER_TEMP/mendel-tree
git worktree add --quiet --detach "$tree" HEAD
trap 'git worktree remove --force "$tree"' EXIT

applied=0
for p in "${patches[@]}"; do
	if git -C "$tree" apply --index --directory="$prefix" "$p"; then
		applied=$((applied + 1))
	else
		annotate warning "a patch does not apply, and is left out of the pull request: $(basename "$(dirname "$p")")/$(basename "$p")"
	fi
done
if [[ $applied == 0 ]]; then exit 0; fi

git -C "$tree" -c user.name="$AUTHOR_NAME" -c user.email="$AUTHOR_EMAIL" commit --quiet --no-verify \
	-m 'Mend concurrency bugs' -m 'Found, mended and validated by Mendel. The pull request has the evidence.'
git -C "$tree" push --quiet --force origin "HEAD:refs/heads/$BRANCH"

# A code host takes 65,536 characters.
body=$RUNNER_TEMP/mendel-body.md
"$mendel" report --format md "$out/repair" | head -c 60000 >"$body"

url=$(gh pr list --head "$BRANCH" --base "$base" --state open --json url --jq '.[0].url // ""')
if [[ -n $url ]]; then
	gh pr edit "$url" --body-file "$body"
else
	url=$(gh pr create --base "$base" --head "$BRANCH" --title 'Mend concurrency bugs' --body-file "$body")
fi
tell url "$url"
annotate notice "the fixes are in $url"
