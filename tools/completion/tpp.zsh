#compdef tpp-opt tpp-run tpp-tune tpp-info tpp-lsp-server
# Installed as zsh/site-functions/_tpp: completes with bash's script, which lies in the same share/ folder.
local script=${${funcsourcetrace[1]%:*}:A:h:h:h}/bash-completion/completions/tpp-run
source $script && _bash_complete -o nospace -F _tpp_complete
