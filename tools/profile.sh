# Sourced by what builds for users, and by what measures it: the compiler gets a profile of runs of the examples, so that
# it knows which ways through the code are taken. Results are the same bytes; a simulated second takes about an eighth
# fewer instructions (docs/speed.md).
#
# In: RUSTFLAGS, and a folder for profiles: target/profile. Out: `can_profile`, `learn`, `use_learned`, and of how many
# events of each example a build learns at least, so that all have equal shares: `events_to_learn`.

profdata=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin/llvm-profdata
profiles=$PWD/target/profile

events_to_learn=250000

can_profile() { # says what is missing
	[[ -x $profdata ]] && return
	echo "built without a profile of the examples: there is no llvm-profdata (rustup component add llvm-tools)" >&2
	return 1
}

learn() { # runs a command whose builds write a profile where they run
	rm -rf "$profiles/raw"
	RUSTFLAGS="${RUSTFLAGS:-} -Cprofile-generate=$profiles/raw" "$@"
}

use_learned() { # lets all builds from now on have the profile; its name is its content, so that no build has an older one
	"$profdata" merge --output="$profiles/merged" "$profiles/raw"
	local name
	name=$profiles/$(sha256sum "$profiles/merged" | cut -c 1-16)
	mv "$profiles/merged" "$name"
	export RUSTFLAGS="${RUSTFLAGS:-} -Cprofile-use=$name"
}
