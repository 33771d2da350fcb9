# Sourced by .ci/run: the optional parts of CI, each of which ran or did not, with the reason.
#
# In: how a part's tool is installed; the log of all that ran. Out: `obtain`, `leave_out`, `judge`, and the lists `ran`,
# `not_run` and `missing`. A part is *not run* where the registry has no such thing, in its words, or by decision; it is
# *missing* where it could be had: CI=1 or CI=true makes that a failure.

ran=() not_run=() missing=()
declare -A why=() lacks=()

# Answers of registries (apt, rustup, npm, PyPI) that have no such package.
NO_SUCH='Unable to locate package|has no installation candidate|is unavailable for download|does not contain component|does not support target|E404|No matching distribution found|not found in the package registry'

# Installs what a part needs, unless it is there: obtain PART TEST COMMAND…, where TEST is a command.
obtain() {
	local part=$1 is_there=$2 said
	shift 2
	eval "$is_there" >/dev/null 2>&1 && return
	if ! command -v "$1" >/dev/null; then
		why[$part]="there is no $1"
	elif said=$(timeout "${PATIENCE:-240}" "$@" 2>&1 </dev/null) && eval "$is_there" >/dev/null 2>&1; then
		return
	elif grep -qE "$NO_SUCH" <<<"$said"; then
		lacks[$part]=1 why[$part]=$(grep -E "$NO_SUCH" <<<"$said" | head -n 1)
	else
		why[$part]="'$*' failed: $(grep -v '^[[:space:]]*$' <<<"$said" | tail -n 1)"
	fi
	echo "part $part is not to be had: ${why[$part]}" >&2
}

# A part that is not run by decision: leave_out PART WHY.
leave_out() { lacks[$1]=1 why[$1]=$2; }

# What became of a part, by the log: judge PART LOG SIGN. SIGN is a pattern of a line that is in the log if the part
# did not run, with the reason; `!PATTERN` of one that is there only if it ran.
judge() {
	local part=$1 log=$2 sign=$3 line
	if [[ -z ${why[$part]:-} ]]; then
		if [[ $sign == !* ]]; then
			grep -qE "${sign#!}" "$log" || why[$part]="the log has no '${sign#!}'"
		elif line=$(grep -m 1 -E "$sign" "$log"); then
			why[$part]=$line
		fi
	fi
	if [[ -z ${why[$part]:-} ]]; then
		ran+=("$part")
	elif [[ -n ${lacks[$part]:-} ]]; then
		not_run+=("$part (${why[$part]})")
	else
		missing+=("$part (${why[$part]})")
	fi
}

# Names with commas between them: joined NAME…
joined() {
	local text
	text=$(printf '%s, ' "$@")
	echo "${text%, }"
}
