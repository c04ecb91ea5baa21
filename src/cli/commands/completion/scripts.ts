/** What each shell has to run so that it asks `tenon` what may stand where the cursor is. */

/** Bash splits words at `=` and `:` too, so it gives the line and says where. Within quotes it escapes nothing that is offered. */
const bash = `# Into ~/.bashrc: eval "$(tenon completion bash)"
_tenon() {
  local kind value current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  {
    IFS= read -r kind
    while IFS= read -r value; do
      value=\${value%%$'\\t'*}
      case $current in
        [\\"\\']*) case $value in *[\\"\\'\\$\\\`\\!\\\\]*) continue ;; esac ;;
        *) printf -v value %q "$value" ;;
      esac
      COMPREPLY+=("$value")
    done
  } < <(tenon completion --line "\${COMP_LINE:0:COMP_POINT}" --breaks "$COMP_WORDBREAKS" 2>/dev/null)
  case $kind in
    files | commands) compopt -o default 2>/dev/null ;;
    folders) compopt -o dirnames 2>/dev/null ;;
    *) [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null ;;
  esac
}
complete -F _tenon tenon`;

const zsh = `#compdef tenon
# Into ~/.zshrc, after compinit: eval "$(tenon completion zsh)"
_tenon() {
  local kind line
  local -a lines items open
  lines=("\${(@f)$(tenon completion --words -- "\${(@Q)words[1,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  kind=$lines[1]
  for line in "\${(@)lines[2,-1]}"; do
    line=\${line//:/\\\\:}
    [[ \${line%%$'\\t'*} == *= ]] && open+=("\${line/$'\\t'/:}") || items+=("\${line/$'\\t'/:}")
  done
  case $kind in
    files) [[ $PREFIX == --*=* ]] && compset -P '*='; _files ;;
    folders) [[ $PREFIX == --*=* ]] && compset -P '*='; _files -/ ;;
    commands) _command_names -e ;;
    *)
      (( $#items )) && _describe tenon items
      (( $#open )) && _describe tenon open -S ''
      return 0
      ;;
  esac
}
compdef _tenon tenon`;

const fish = `# Into ~/.config/fish/config.fish: tenon completion fish | source
function __tenon
  set -l current (commandline -ct)
  set -l lines (tenon completion --words -- (commandline -opc) "$current" 2>/dev/null)
  set -l name (string replace -r '^--[^=]*=' '' -- "$current")
  switch "$lines[1]"
    case files commands
      __fish_complete_path $name
    case folders
      __fish_complete_directories $name
    case '*'
      string join \\n -- $lines[2..]
  end
end
complete -c tenon -f -a '(__tenon)'`;

export const scripts: Readonly<Record<string, string>> = { bash, zsh, fish };
