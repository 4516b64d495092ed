# Toolcrib's shell integration for bash (3.2 and later).
#
# The host writes this file after a header that sets __crib_dir and __crib_aid
# and before a footer that sources the person's ~/.bashrc and calls
# __crib_install. The functions are parsed before the person's aliases exist.
# Everything here works under set -e, -u, -x and -o noclobber, and hands $? on.

# __crib_mark writes a private mark straight to the terminal, so that a
# redirected stdout does not swallow it.
__crib_mark() {
    builtin printf '\033]7770;%s\007' "$1" >/dev/tty || builtin :
}

# __crib_key is bound to the host's key. It puts the staged line into the line
# editor in place of what the person has typed so far, keeps that text, and
# tells the host, which then presses Enter.
__crib_key() {
    builtin local __crib_line=''
    IFS= builtin read -r __crib_line <"$__crib_dir/line" || return 0
    if [[ $READLINE_LINE != "$__crib_line" ]]; then
        __crib_typed=$READLINE_LINE
    fi
    READLINE_LINE=$__crib_line
    READLINE_POINT=${#READLINE_LINE}
    __crib_mark "$__crib_aid;key;${#__crib_typed}"
}

# __crib_retype puts the kept text back into the line editor, before what was
# typed since, and takes the staged line out if it was never run.
__crib_retype() {
    case ${READLINE_LINE-} in *'{ __crib_run '*) READLINE_LINE='' ;; esac
    READLINE_LINE=${__crib_typed-}${READLINE_LINE-}
    READLINE_POINT=${#READLINE_LINE}
    __crib_typed=''
}

# __crib_look is bound to the key by which the host asks what reads the keys
# when no mark has told it. $1 is what ran last: at a prompt that has ended, and
# under read -e, which is no prompt, it is that read. Whatever the answer, the
# next prompt has its marks again. They are put back by PROMPT_COMMAND: bash holds
# pointers to the values of PS0 and PS2 while it reads a line.
__crib_look() {
    builtin local __crib_line="${READLINE_LINE-}"
    case " ${1-}" in
        *' read -'*e*) __crib_mark "$__crib_aid;look;other" ;;
        *) __crib_mark "$__crib_aid;look;prompt;${#__crib_line}" ;;
    esac
    builtin local __crib_flags="$-"
    builtin set +eu
    __crib_hook
    case $__crib_flags in *u*) builtin set -u ;; esac
    case $__crib_flags in *e*) builtin set -e ;; esac
}

# __crib_run makes the staged command $1 ready for the eval that follows on the
# same line. It returns the status it was called with, so that $? in the command
# means what the person would expect.
__crib_run() {
    builtin local __crib_code="$?" __crib_flags="$-" __crib_set=''
    builtin set +eux
    __crib_install
    __crib_claim "$1"
    # xtrace and nounset come back inside the eval: on here they would trace
    # the eval itself into the command's output. errexit would end the
    # person's shell with the command, so it waits for the prompt.
    case $__crib_flags in *e*) __crib_errexit=1 ;; esac
    case $__crib_flags in *u*) __crib_set=u ;; esac
    case $__crib_flags in *x*) __crib_set=${__crib_set}x ;; esac
    if [[ -n $__crib_set ]]; then
        __crib_cmd="set -$__crib_set; $__crib_cmd"
    fi
    return "$__crib_code"
}

# __crib_claim claims the staged command $1: it moves to its directory, leaves
# its text in __crib_cmd, and puts it into the history in place of the handoff's
# line. The token is in no variable once it returns.
__crib_claim() {
    builtin local __crib_token='' __crib_to=''
    __crib_cmd='' __crib_job=''
    IFS= builtin read -r __crib_token <"$__crib_dir/$1/token" || return 0
    if [[ -s $__crib_dir/$1/dir ]]; then
        IFS= builtin read -r -d '' __crib_to <"$__crib_dir/$1/dir" || builtin :
        if ! builtin cd -- "$__crib_to"; then
            __crib_mark "$__crib_token;refused"
            return 0
        fi
    fi
    __crib_job=$__crib_dir/$1
    IFS= builtin read -r -d '' __crib_cmd <"$__crib_job/command" || builtin :
    if [[ -o history ]]; then
        builtin history -s -- "$__crib_cmd" || builtin :
    fi
    builtin printf '%s' "$PWD" >|"$__crib_job/start"
    __crib_mark "$__crib_token;start"
}

# __crib_finish reports that the claimed command ended with status $1.
__crib_finish() {
    builtin local __crib_token=''
    if [[ -n ${__crib_job-} ]]; then
        if IFS= builtin read -r __crib_token <"$__crib_job/token"; then
            builtin printf '%s' "${PWD-}" >|"$__crib_job/end" || builtin :
            __crib_mark "$__crib_token;end;$1"
        fi
    fi
    __crib_job=''
}

# __crib_end follows the eval on the handoff's line. An interrupt or an unbound
# variable discards the rest of that line; then __crib_precmd does this work.
__crib_end() {
    builtin local __crib_code="$?"
    __crib_finish "$__crib_code"
    case $- in *e*) return 0 ;; esac
    return "$__crib_code"
}

# __crib_precmd is the first of PROMPT_COMMAND, where $? is still the command's.
__crib_precmd() {
    builtin local __crib_code="$?"
    __crib_finish "$__crib_code"
    builtin printf '\033]133;D;%s;aid=%s\007\033]133;A;aid=%s\007' \
        "$__crib_code" "$__crib_aid" "$__crib_aid" >/dev/tty || builtin :
    case $- in *e*) return 0 ;; esac
    return "$__crib_code"
}

# __crib_prompt is the last of PROMPT_COMMAND: prompts that are made anew each
# time have been made by then.
__crib_prompt() {
    __crib_install
    if [[ -n ${__crib_errexit-} ]]; then
        __crib_errexit=''
        builtin set -e
    fi
}

# __crib_install puts the marks and the hooks where they belong, again whenever
# something has removed them.
__crib_install() {
    builtin local __crib_flags="$-"
    builtin set +eu
    builtin local __crib_b="\[\e]133;B;aid=$__crib_aid\a\]"
    builtin local __crib_k="\[\e]133;P;k=c;aid=$__crib_aid\a\]"
    builtin local __crib_c="\e]133;C;aid=$__crib_aid\a"
    case ${PS1-} in *"$__crib_b"*) ;; *) PS1=${PS1-}$__crib_b ;; esac
    case ${PS2-} in *"$__crib_k"*) ;; *) PS2=${PS2-}$__crib_k ;; esac
    case ${PS0-} in *"$__crib_c"*) ;; *) PS0=${PS0-}$__crib_c ;; esac
    __crib_hook
    __crib_bind
    case $__crib_flags in *u*) builtin set -u ;; esac
    case $__crib_flags in *e*) builtin set -e ;; esac
}

# __crib_hook makes PROMPT_COMMAND start with __crib_precmd and end with
# __crib_prompt, whether it is a string or (bash 5.1) an array.
__crib_hook() {
    builtin local __crib_first='{ __crib_precmd; } 2>/dev/null'
    builtin local __crib_last='{ __crib_prompt; } 2>/dev/null'
    builtin local __crib_n="${#PROMPT_COMMAND[@]}" __crib_text=''
    if ((__crib_n > 1)); then
        if [[ ${PROMPT_COMMAND[0]-} != "$__crib_first" || ${PROMPT_COMMAND[__crib_n - 1]-} != "$__crib_last" ]]; then
            PROMPT_COMMAND=("${PROMPT_COMMAND[@]//"$__crib_first"/:}")
            PROMPT_COMMAND=("$__crib_first" "${PROMPT_COMMAND[@]//"$__crib_last"/:}" "$__crib_last")
        fi
        return 0
    fi
    __crib_text=${PROMPT_COMMAND-}
    case $__crib_text in "$__crib_first"$'\n'*$'\n'"$__crib_last") return 0 ;; esac
    __crib_text=${__crib_text//"$__crib_first"/:}
    __crib_text=${__crib_text//"$__crib_last"/:}
    PROMPT_COMMAND=$__crib_first$'\n'${__crib_text:-:}$'\n'$__crib_last
}

# __crib_bind binds the host's keys in every keymap. Before bash 4 a bound
# command cannot change the line: there the host's key kills it (Ctrl-Y brings
# it back) and the host types the staged line.
__crib_bind() {
    builtin local __crib_map=''
    for __crib_map in emacs vi-insert vi-command; do
        # A simple command would itself be the $BASH_COMMAND that it hands over.
        builtin bind -m "$__crib_map" -x '"\C-x\C-_": for __crib_was in "$BASH_COMMAND"; do { __crib_look "$__crib_was"; } 2>/dev/null; done'
        if ((BASH_VERSINFO[0] >= 4)); then
            builtin bind -m "$__crib_map" -x '"\C-x\C-]": { __crib_key; } 2>/dev/null'
            builtin bind -m "$__crib_map" -x '"\C-x\C-^": { __crib_retype; } 2>/dev/null'
        else
            builtin bind -m "$__crib_map" '"\C-x\C-]": kill-whole-line'
        fi
    done 2>/dev/null || builtin :
}

__crib_job='' __crib_cmd='' __crib_typed='' __crib_errexit=''
if ((BASH_VERSINFO[0] > 4 || (BASH_VERSINFO[0] == 4 && BASH_VERSINFO[1] >= 4))); then
    __crib_mark "$__crib_aid;hello;key"
elif ((BASH_VERSINFO[0] == 4)); then
    __crib_mark "$__crib_aid;hello;key;unannounced" # no PS0
else
    __crib_mark "$__crib_aid;hello;type;unannounced"
fi
