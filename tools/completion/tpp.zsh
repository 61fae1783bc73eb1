#compdef tpp-opt tpp-run tpp-tune tpp-info tpp-lsp-server
# Installed as zsh/site-functions/_tpp. Uses the bash script, which is installed under the same share/ folder.
local script=${${funcsourcetrace[1]%:*}:A:h:h:h}/bash-completion/completions/tpp-run
source $script && _bash_complete -o nospace -F _tpp_complete
