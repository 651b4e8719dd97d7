# bash completion for rackrent
_rackrent() {
	local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]:-}
	local study="--out --only --set --seed --replications --catalogue --threads --why --strict --quiet --help"
	local words=""
	if [ "$COMP_CWORD" -eq 1 ]; then
		words="run replay check trace catalog explain schema --help --version"
	else
		case "$command" in
		run) words="$study" ;;
		replay) words="--pool --pools --scheduler --trace-format --throughputs --skip --window --time-scale --size-scale --duration-scale --write-scenario $study" ;;
		check) words="--set --catalogue --strict --help" ;;
		trace) words="info convert fit generate --format --trace-format --throughputs --start --values --jobs --days --seed --strict --out --help" ;;
		catalog) words="gpus nodes instances policies formats distributions --format --catalogue --doc --help" ;;
		schema) words="--reference --help" ;;
		esac
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current"; [ "$COMP_CWORD" -gt 1 ] && compgen -f -- "$current")
}
complete -o filenames -F _rackrent rackrent
