#!/usr/bin/env bash
# Builds Mendel from the repository that the action lies in.
set -euo pipefail
go -C "$GITHUB_ACTION_PATH" build -o "$RUNNER_TEMP/mendel" ./cmd/mendel
"$RUNNER_TEMP/mendel" version
