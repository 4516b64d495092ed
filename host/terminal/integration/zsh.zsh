# Toolcrib's shell integration for zsh (5.0 and later).
#
# The host's .zshrc sets __crib_dir and __crib_aid, sources this file, then the
# person's own .zshrc, and calls __crib_install. Functions keep the options of
# the time they were parsed only through emulate, hence its use in each, and
# emulate leaves err_exit, unset and xtrace alone.

# __crib_mark writes a private mark straight to the terminal, so that a
# redirected stdout does not swallow it.
__crib_mark() {
    builtin printf '\033]7770;%s\007' "$1" >/dev/tty || builtin :
}

# __crib_key is the host's key. It runs the staged line in place of what the
# person has typed so far, which comes back at the next prompt. At a
# continuation prompt it does nothing, and the host tries again later.
__crib_key() {
    {
        builtin emulate -L zsh
        builtin unsetopt err_exit xtrace; builtin setopt unset
        builtin local __crib_line=''
        IFS= builtin read -r __crib_line <"$__crib_dir/line" || return 0
        if [[ $CONTEXT != start || -n $PREBUFFER ]]; then
            return 0
        fi
        if [[ $BUFFER != "$__crib_line" ]]; then
            __crib_typed=$BUFFER
        fi
        BUFFER=$__crib_line
        CURSOR=$#BUFFER
        __crib_mark "$__crib_aid;key;0"
        zle accept-line
    } 2>/dev/null
}

# __crib_look is the key by which the host asks what reads the keys when no mark
# has told it. Whatever the answer, the next prompt has its marks again.
__crib_look() {
    {
        builtin emulate -L zsh
        builtin unsetopt err_exit xtrace; builtin setopt unset
        if [[ $CONTEXT == start && -z $PREBUFFER ]]; then
            __crib_mark "$__crib_aid;look;prompt;$#BUFFER"
        else
            __crib_mark "$__crib_aid;look;other"
        fi
        __crib_install
    } 2>/dev/null
}

# __crib_run makes the staged command $1 ready for the eval that follows on the
# same line. zsh brings xtrace back when a function returns, so the line itself
# turns it off again.
__crib_run() {
    __crib_flags=''
    if [[ -o err_exit ]]; then __crib_flags+=e; fi
    if [[ ! -o unset ]]; then __crib_flags+=u; fi
    if [[ -o xtrace ]]; then __crib_flags+=x; fi
    builtin unsetopt err_exit xtrace
    builtin setopt unset
    __crib_install
    __crib_claim "$1"
    # xtrace and nounset come back inside the eval: on here they would trace
    # the eval itself into the command's output. errexit would end the
    # person's shell with the command, so it waits for the prompt.
    case $__crib_flags in *e*) __crib_errexit=1 ;; esac
    case $__crib_flags in *u*) __crib_cmd="setopt no_unset; $__crib_cmd" ;; esac
    case $__crib_flags in *x*) __crib_cmd="setopt xtrace; $__crib_cmd" ;; esac
}

# __crib_claim claims the staged command $1: it moves to its directory, leaves
# its text in __crib_cmd, and puts it into the history. The token is in no
# variable once it returns.
__crib_claim() {
    builtin emulate -L zsh
    builtin local __crib_token='' __crib_to=''
    __crib_cmd='' __crib_job=''
    IFS= builtin read -r __crib_token <"$__crib_dir/$1/token" || return 0
    if [[ -s $__crib_dir/$1/dir ]]; then
        IFS= builtin read -r -d '' __crib_to <"$__crib_dir/$1/dir"
        if ! builtin cd -- "$__crib_to"; then
            __crib_mark "$__crib_token;refused"
            return 0
        fi
    fi
    __crib_job=$__crib_dir/$1
    IFS= builtin read -r -d '' __crib_cmd <"$__crib_job/command"
    builtin print -rs -- "$__crib_cmd"
    builtin printf '%s' "$PWD" >|"$__crib_job/start"
    __crib_mark "$__crib_token;start"
}

# __crib_finish reports that the claimed command ended with status $1.
__crib_finish() {
    {
        builtin emulate -L zsh
        builtin unsetopt err_exit xtrace; builtin setopt unset
        builtin local __crib_token=''
        if [[ -n $__crib_job ]]; then
            if IFS= builtin read -r __crib_token <"$__crib_job/token"; then
                builtin printf '%s' "$PWD" >|"$__crib_job/end"
                __crib_mark "$__crib_token;end;$1"
            fi
        fi
        __crib_job=''
    } 2>/dev/null
    return 0
}

# __crib_end follows the eval on the handoff's line. An interrupt or a fatal
# error discards the rest of that line; then __crib_precmd does this work.
__crib_end() {
    builtin local __crib_code="$?"
    __crib_finish "$__crib_code"
    if [[ -o err_exit ]]; then return 0; fi
    return "$__crib_code"
}

# __crib_preexec announces that a command starts.
__crib_preexec() {
    { builtin printf '\033]133;C;aid=%s\007' "$__crib_aid" >/dev/tty || builtin :; } 2>/dev/null
}

# __crib_precmd is the first of precmd_functions.
__crib_precmd() {
    {
        builtin local __crib_code="$?"
        # An interrupted eval whose last status was 0 ends with zsh's internal
        # flag for an interrupt, which is 2. Here the line was discarded.
        if [[ -n $__crib_job && $__crib_code == 2 ]]; then __crib_code=130; fi
        __crib_finish "$__crib_code"
        builtin printf '\033]133;D;%s;aid=%s\007\033]133;A;aid=%s\007' \
            "$__crib_code" "$__crib_aid" "$__crib_aid" >/dev/tty || builtin :
    } 2>/dev/null
    return 0
}

# __crib_prompt is the last of precmd_functions: prompts that are made anew each
# time have been made by then.
__crib_prompt() {
    {
        __crib_install
        if [[ -n $__crib_typed ]]; then
            builtin print -rz -- "$__crib_typed"
            __crib_typed=''
        fi
        if [[ -n $__crib_errexit ]]; then
            __crib_errexit=''
            builtin setopt err_exit
        fi
    } 2>/dev/null
    return 0
}

# __crib_history keeps the handoff's own line out of the history.
__crib_history() {
    {
        builtin emulate -L zsh
        builtin unsetopt err_exit xtrace
        if [[ $1 == *'{ __crib_run '* ]]; then return 1; fi
    } 2>/dev/null
    return 0
}

# __crib_install puts the marks and the hooks where they belong, again whenever
# something has removed them.
__crib_install() {
    builtin emulate -L zsh
    builtin unsetopt err_exit xtrace; builtin setopt unset
    builtin local __crib_b=$'%{\e]133;B;aid='"$__crib_aid"$'\a%}'
    builtin local __crib_k=$'%{\e]133;P;k=c;aid='"$__crib_aid"$'\a%}'
    builtin local __crib_map=''
    case ${PS1-} in *"$__crib_b"*) ;; *) PS1=${PS1-}$__crib_b ;; esac
    case ${PS2-} in *"$__crib_k"*) ;; *) PS2=${PS2-}$__crib_k ;; esac
    builtin typeset -ga precmd_functions preexec_functions zshaddhistory_functions
    precmd_functions=(__crib_precmd ${precmd_functions:#__crib_*} __crib_prompt)
    preexec_functions=(__crib_preexec ${preexec_functions:#__crib_*})
    zshaddhistory_functions=(__crib_history ${zshaddhistory_functions:#__crib_*})
    builtin zle -N __crib_key
    builtin zle -N __crib_look
    for __crib_map in emacs viins vicmd; do
        builtin bindkey -M $__crib_map '^X^]' __crib_key
        builtin bindkey -M $__crib_map '^X^_' __crib_look
    done
}

builtin typeset -g __crib_job='' __crib_cmd='' __crib_typed='' __crib_errexit='' __crib_flags=''
__crib_mark "$__crib_aid;hello;accept"
