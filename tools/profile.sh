# Sourced by what builds for users, and by what measures it: the compiler gets a profile of runs of the examples, so that
# it knows which ways through the code are taken. Results are the same bytes; a simulated second takes about an eighth
# fewer instructions (docs/speed.md).
#
# In: RUSTFLAGS. Out: `can_profile`, `learning_flags`, `merge_profile` and `learned_flags`, each for a folder in which the
# profile lies.

profdata=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin/llvm-profdata

can_profile() { # says what is missing
	[[ -x $profdata ]] && return
	echo "built without a profile of the examples: there is no llvm-profdata (rustup component add llvm-tools)" >&2
	return 1
}

learning_flags() { echo "${RUSTFLAGS:-} -Cprofile-generate=$1/raw"; }

merge_profile() { "$profdata" merge --output="$1/profile" "$1/raw"; }

learned_flags() { echo "${RUSTFLAGS:-} -Cprofile-use=$1/profile"; }
