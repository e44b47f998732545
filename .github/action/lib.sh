# What the steps of the action share. They run in the directory of the module, with the
# inputs of action.yml as variables of the environment.

out=$RUNNER_TEMP/mendel-out # outside of the checkout
mendel=$RUNNER_TEMP/mendel

# tell NAME VALUE hands a value to later steps.
tell() { printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; }

# annotate NAME MESSAGE makes an annotation: error, warning or notice.
annotate() {
	local text=${2//'%'/%25}
	text=${text//$'\r'/%0D}
	printf '::%s title=Mendel::%s\n' "$1" "${text//$'\n'/%0A}"
}

# words splits an input at white space into the array of that name.
words() { read -r -d '' -a "$1" <<<"$2" || true; }
