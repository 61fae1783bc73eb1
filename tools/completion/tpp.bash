# Completion for tpp-opt, tpp-run, tpp-tune, tpp-info, tpp-lsp-server and tools/gen, in bash, and in zsh through its bashcompinit:
#   source tools/completion/tpp.bash
# Each completion reads flags, their values and commands from the --help text of the program on the command line (0.2 s for tpp-opt), so
# that no list of them has to be maintained here.

# Reads a help text and prints "flag NAME", "value NAME WORD", "files NAME" and "command NAME" lines. Parses the help formats of TPP's own
# tools, of LLVM (values on separate lines, pass options indented more than passes) and of argparse.
_tpp_read_help() {
  awk '
    function values(flag, text, separator,   n, i, words) {
      n = split(text, words, separator)
      for (i = 1; i <= n; ++i)
        if (words[i] ~ /^[a-z0-9][A-Za-z0-9_.-]*$/) print "value", flag, words[i]
    }
    /^usage:.*(\[command\]| MODEL \.\.\.)/ { commands = 1 }
    commands && /^ +[a-z]+  +/ { print "command", $1; next }
    /^ +=/ && flag != "" { value = $1; sub(/^=/, "", value); print "value", flag, value; next }
    /^  (    )?--?[A-Za-z]/ {
      flag = $1; meta = ""; takes = 0
      if (match(flag, /=/)) { takes = 1; meta = substr(flag, RSTART + 1); flag = substr(flag, 1, RSTART - 1) }
      else if ($2 ~ /^(\{.*\}|[A-Z][A-Z]*(,.*)?)$/) { takes = 1; meta = $2; gsub(/[{}]/, "", meta); gsub(/,/, "|", meta) }
      if (sub(/\[$/, "", flag)) takes = 0 # --flag[=VALUE]
      sub(/,$/, "", flag)
      print "flag", flag (takes && flag ~ /^--/ ? "=" : "")
      values(flag, meta, "[|]")
      # The description of --provider=NAME lists the values in words: "auto, xsmm, native or reference".
      if ((meta == "NAME" || meta ~ /^<string>/) && match($0, /([a-z]+, )+[a-z]+ or [a-z]+/)) {
        words = substr($0, RSTART, RLENGTH); sub(/ or /, ", ", words); values(flag, words, ", ")
      }
      if (meta ~ /FILE|filename|string/) print "files", flag
    }'
}

# Sets COMPREPLY for COMP_WORDS and COMP_CWORD.
_tpp_complete() {
  local current=${COMP_WORDS[COMP_CWORD]} flag='' prefix='' program=${COMP_WORDS[0]} help kind name word
  local -a candidates=() subcommand=()
  program=${program/#\~/$HOME}
  COMPREPLY=()
  # bash splits words at "="; zsh does not.
  if [[ $current == --*=* ]]; then
    flag=${current%%=*} prefix=$flag= current=${current#*=}
  elif [[ $current == = ]]; then
    flag=${COMP_WORDS[COMP_CWORD - 1]} current=''
  elif ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then
    flag=${COMP_WORDS[COMP_CWORD - 2]}
  elif ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[COMP_CWORD - 1]} == -o ]]; then
    flag=-o
  fi
  ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} =~ ^[a-z]+$ && ! -e ${COMP_WORDS[1]} ]] && subcommand=("${COMP_WORDS[1]}")
  help=$("$program" "${subcommand[@]}" --help 2>/dev/null </dev/null | _tpp_read_help)
  while read -r kind name word; do
    case $kind in
      value) [[ -n $flag && $name == "$flag" ]] && candidates+=("$prefix$word") ;;
      flag) [[ -z $flag && $current == -* ]] && candidates+=("$name") ;;
      command) [[ -z $flag ]] && ((COMP_CWORD == 1)) && candidates+=("$name") ;;
    esac
  done <<<"$help"
  for word in "${candidates[@]}"; do
    [[ $word == "$prefix$current"* ]] && COMPREPLY+=("$word")
  done
  # Complete file names if there is no flag, or if the help lists no values for the flag.
  if ((${#COMPREPLY[@]} == 0)) && [[ $current != -?* ]]; then
    while read -r word; do
      [[ -n $word ]] && COMPREPLY+=("$prefix$word$([[ -d $word ]] && printf /)")
    done < <(compgen -f -- "$current")
  fi
  # Add no space after "--flag=" or a folder, because the word continues.
  if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *[=/] ]] && [[ -n ${BASH_VERSION:-} ]]; then
    compopt -o nospace 2>/dev/null
  fi
  return 0
}

_tpp_programs=(tpp-opt tpp-run tpp-tune tpp-info tpp-lsp-server gen)
if [[ -n ${ZSH_VERSION:-} ]]; then
  autoload -Uz compinit bashcompinit
  (( ${+functions[compdef]} )) || compinit
  bashcompinit
  complete -o nospace -F _tpp_complete "${_tpp_programs[@]}" # zsh has no compopt
else
  complete -F _tpp_complete "${_tpp_programs[@]}"
fi
unset _tpp_programs
