#!/bin/sh
# One run of an action: it writes down when it began and ended, and does in between what the row's key says.
#
#     sh act.sh FOLDER LIST WHAT KEY
#
# A key is "NAME-MOOD-HUNDREDTHS", and the work takes as many hundredths of a second. Moods: ok, fail, and three that kill the
# server, the first time: first, half and last, of the work. A line of FOLDER/acts.log is "begin|end|failed|asked RUN START LIST WHAT KEY";
# START is the number of the server's start. Where the list's rows are files, as those of tasks are, it moves one.

folder=$1 list=$2 what=$3 key=$4

note() {
    echo "$1 $ACTION_RUN $FAULTS_START $list $what $key" >>"$folder/acts.log"
}

strike() {
    case $key in
    # A server that has just begun may not have its number there yet: then at another time.
    *-"$1"-*) if mkdir "$folder/struck/$key" 2>/dev/null; then kill -9 "$(cat "$folder/server.pid")" || rmdir "$folder/struck/$key"; fi ;;
    esac
}

note begin
trap 'note asked; exit 1' TERM
strike first
sleep "0.${key##*-}"
case $key in
*-fail-*)
    # Half of the times, or such rows would stay for ever.
    if [ $(($$ % 2)) -eq 0 ]; then
        note failed
        exit 3
    fi
    ;;
esac
case $list-$what in
tasks-archive) mv "$folder/tasks/$key" "$folder/archived/$key" 2>/dev/null ;;
tasks-unarchive) mv "$folder/archived/$key" "$folder/tasks/$key" 2>/dev/null ;;
esac
strike half
note end
strike last
