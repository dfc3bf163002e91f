#!/bin/bash
# What the rig's printer does with a job: ippeveprinter runs it with the received file as $1 and the job's number as
# IPP_JOB_ID. $KEPT is where documents are kept; $KEPT/mode says how this printer behaves. Lines on stderr that begin
# with STATE: change the printer's state reasons.
mode() { cat "$KEPT/mode" 2>/dev/null || echo ok; }

# Keeps a document under its final name only once it is whole.
keep() {
  cp "$1" "$KEPT/part-$IPP_JOB_ID"
  mv "$KEPT/part-$IPP_JOB_ID" "$KEPT/job-$(printf '%05d' "$IPP_JOB_ID").bin"
}

# Stands still, with a state reason where there is one, until the printer is told otherwise or the job is cancelled.
while_in() {
  [ -n "$2" ] && echo "STATE: +$2" >&2
  trap '[ -n "$2" ] && echo "STATE: -$2" >&2; exit 1' TERM
  while [ "$(mode)" = "$1" ]; do sleep 0.1; done
  [ -n "$2" ] && echo "STATE: -$2" >&2
}

case "$(mode)" in
  paper-out) while_in paper-out media-empty-error "$1" ;;
  cover-open) while_in cover-open cover-open-error "$1" ;;
  silent) while_in silent '' "$1" ;;
  cutter-jam)
    echo 'ERROR: cutter jam' >&2
    exit 1
    ;;
esac
keep "$1"
