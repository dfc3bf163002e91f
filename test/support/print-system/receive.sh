#!/bin/bash
# Handles one job of a test printer. ippeveprinter runs it with the received file as $1 and the job's number in
# IPP_JOB_ID. $OUTPUT_FOLDER receives the documents; its file `mode` names the printer's behaviour. Lines on stderr that
# begin with STATE: change the printer's state reasons.
touch "$OUTPUT_FOLDER/busy"
trap 'rm -f "$OUTPUT_FOLDER/busy"' EXIT

mode() { cat "$OUTPUT_FOLDER/mode" 2>/dev/null || echo ok; }

# Stores a document; the rename makes it appear complete.
store() {
  cp "$1" "$OUTPUT_FOLDER/part-$IPP_JOB_ID"
  # Named by the time: a restarted printer counts its jobs from 1 again.
  mv "$OUTPUT_FOLDER/part-$IPP_JOB_ID" "$OUTPUT_FOLDER/job-$(date +%s%N).bin"
}

# Blocks while the mode is $1, with the state reason $2 if there is one.
block_while() {
  [ -n "$2" ] && echo "STATE: +$2" >&2
  while [ "$(mode)" = "$1" ]; do sleep 0.1; done
  [ -n "$2" ] && echo "STATE: -$2" >&2
  return 0
}

case "$(mode)" in
  paper-out) block_while paper-out media-empty-error ;;
  cover-open) block_while cover-open cover-open-error ;;
  silent) block_while silent ;;
esac
store "$1"
