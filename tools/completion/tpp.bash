# Completion for tpp-opt, tpp-run, tpp-tune, tpp-info, tpp-lsp-server and tools/gen, in bash, and in zsh through its bashcompinit:
#   source tools/completion/tpp.bash
# Flags, their values and commands are read from the --help of the very program on the command line, each time (tpp-opt's takes 0.2 s):
# there is no list of them here that could age.

# Reads a help text; prints "flag NAME", "value NAME WORD", "files NAME" and "command NAME" lines. Understood are our own tools' help, LLVM's
# (values on lines of their own, options of passes indented deeper than passes) and argparse's.
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
      # --provider=NAME says in words what NAME is: "auto, xsmm, native or reference".
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
  # bash cuts words at "=", zsh does not.
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
  # No flag, or one whose value the help does not list: a file.
  if ((${#COMPREPLY[@]} == 0)) && [[ $current != -?* ]]; then
    while read -r word; do
      [[ -n $word ]] && COMPREPLY+=("$prefix$word$([[ -d $word ]] && printf /)")
    done < <(compgen -f -- "$current")
  fi
  # After "--flag=" and a folder the word goes on.
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
