#!/bin/sh
# A stand-in for the command hadoop: a folder, $FAKE_ROOT, is the file system; commands are written to $FAKE_LOG.
shift
while [ "${1#-D}" != "$1" ]; do shift; done
echo "$*" >> "$FAKE_LOG"
show() { [ -d "$1" ] && kind=d || kind=-; echo "${kind}rwxr-xr-x 1 user group 7 2020-09-01 12:3${1##*[!0-9]} ${1#"$FAKE_ROOT"}"; }
walk() { for each in "$1"/*; do show "$each"; [ -d "$each" ] && walk "$each"; done; true; }
path="$FAKE_ROOT$2"
case "$1" in
-test) [ "$2" "$FAKE_ROOT$3" ] ;;
-mkdir) mkdir -p "$path" ;;
-rm | -rmr) rm -r "$path" ;;
-mv) mv "$path" "$FAKE_ROOT$3" ;;
-cat) cat "$path" ;;
-put) [ -e "$FAKE_ROOT$3/${2##*/}" ] && exit 1; cp -r "$2" "$FAKE_ROOT$3" ;;
-get) cp -r "$path" "$3" ;;
-ls) echo "Found some items"; if [ -d "$path" ]; then for each in "$path"/*; do show "$each"; done; else show "$path"; fi ;;
-lsr) walk "$path" ;;
esac
