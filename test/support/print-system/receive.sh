#!/bin/bash
# What the rig's printer does with a job: ippeveprinter runs it with the received file as $1 and the job's number as
# IPP_JOB_ID. $KEPT is where documents are kept; $KEPT/mode says how this printer behaves. Lines on stderr that begin
# with STATE: change the printer's state reasons.
touch "$KEPT/busy"
trap 'rm -f "$KEPT/busy"' EXIT

mode() { cat "$KEPT/mode" 2>/dev/null || echo ok; }

# Keeps a document under its final name only once it is whole.
keep() {
  cp "$1" "$KEPT/part-$IPP_JOB_ID"
  # named by the time: a printer that was off counts its jobs from 1 again
  mv "$KEPT/part-$IPP_JOB_ID" "$KEPT/job-$(date +%s%N).bin"
}

# Stands still, with a state reason where there is one, until the printer is told otherwise.
while_in() {
  [ -n "$2" ] && echo "STATE: +$2" >&2
  while [ "$(mode)" = "$1" ]; do sleep 0.1; done
  [ -n "$2" ] && echo "STATE: -$2" >&2
  return 0
}

case "$(mode)" in
  paper-out) while_in paper-out media-empty-error ;;
  cover-open) while_in cover-open cover-open-error ;;
  silent) while_in silent ;;
  cutter-jam)
    echo 'ERROR: cutter jam' >&2
    exit 1
    ;;
esac
keep "$1"
