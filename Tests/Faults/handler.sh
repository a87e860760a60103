#!/bin/sh
# One execution of a list's source: it does what FOLDER/NAME.plan says, and logs when it began and how it ended.
#
#     sh handler.sh FOLDER NAME
#
# A plan is "WHAT SECONDS": rows, fail, hang, garbage, slow or half. A line of the log is
# "begin|end START PROCESS NANOSECONDS WHAT"; START is the number of the server's start, from its environment. With
# FAULTS_MARK, each row says which execution wrote it: "#START-PROCESS" at its end.

folder=$1 name=$2
read -r what seconds <"$folder/$name.plan"

note() {
    echo "$1 $FAULTS_START $$ $(date +%s%N) $what" >>"$folder/$name.log"
}

mark=${FAULTS_MARK:+ #$FAULTS_START-$$}
marked() {
    sed "s/\$/$mark/" "$@"
}

note begin
trap 'note end; exit 1' TERM
case $what in
rows)
    sleep "$seconds"
    marked "$folder/$name.tsv"
    ;;
fail)
    marked "$folder/$name.tsv"
    sleep "$seconds"
    echo 'The well is dry.' >&2
    note end
    exit 3
    ;;
hang) sleep 5 ;;
garbage)
    sleep "$seconds"
    printf 'one\tOne\none\tTwice\n\377\376\tNot UTF-8\n'
    ;;
slow)
    count=0
    while IFS= read -r line; do
        printf '%s\n' "$line$mark"
        count=$((count + 1))
        [ $count -gt 20 ] || sleep "$seconds"
    done <"$folder/$name.tsv"
    ;;
half)
    head -n 3 "$folder/$name.tsv" | marked
    sleep "$seconds"
    kill -9 $$
    ;;
esac
note end
