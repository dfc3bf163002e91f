import { describe, expect, test } from 'vitest'
import {
  follow,
  type MonitoredJob,
  type JobStatus,
  type CancelOutcome
} from '../../../../electron/main/printing/job-monitor.ts'
import { DEFAULT_TIMES } from '../../../../electron/main/printing/print-job.ts'

const printed = { printer: 'Q', job: 1 }
const underWay = (handedOver: boolean, hindrance: 'out-of-paper' | null = null): JobStatus => ({
  kind: 'under-way',
  hindrance,
  handedOver
})

/** A job that stands as told, one look after the other, the last for ever; counts how often it is cancelled. */
function job(looks: readonly JobStatus[], takenBack: CancelOutcome = 'gone') {
  const rest = [...looks]
  const told = { cancelled: 0 }
  const onItsWay: MonitoredJob = {
    look: () => Promise.resolve((rest.length > 1 ? rest.shift() : rest[0]) ?? { kind: 'printed' }),
    cancel: () => {
      told.cancelled++
      return Promise.resolve(takenBack)
    }
  }
  return { onItsWay, told }
}

const never = new AbortController().signal
const soon = { ...DEFAULT_TIMES, whole: 300, patience: 100 }
const fault = (name: string, mayStillPrint: boolean) => ({
  ok: false,
  failure: { kind: 'not-printed', fault: name, mayStillPrint }
})

describe('a job is followed', () => {
  test('until it is printed, and left alone', async () => {
    const { onItsWay, told } = job([underWay(false), underWay(true), { kind: 'printed' }])
    expect(await follow(onItsWay, printed, DEFAULT_TIMES, never)).toEqual({ ok: true, value: printed })
    expect(told.cancelled).toBe(0)
  })

  test('until it ended by itself: nothing more will print', async () => {
    const { onItsWay, told } = job([underWay(true), { kind: 'ended', fault: 'aborted' }])
    expect(await follow(onItsWay, printed, DEFAULT_TIMES, never)).toEqual(fault('aborted', false))
    expect(told.cancelled).toBe(0)
  })

  test('through a hindrance that goes away in time', async () => {
    const { onItsWay } = job([underWay(true, 'out-of-paper'), underWay(true), { kind: 'printed' }])
    expect((await follow(onItsWay, printed, DEFAULT_TIMES, never)).ok).toBe(true)
  })
})

describe('a job that is given up', () => {
  test('for a hindrance is cancelled, and may still print when the printer had it', async () => {
    const { onItsWay, told } = job([underWay(true, 'out-of-paper')])
    expect(await follow(onItsWay, printed, soon, never)).toEqual(fault('out-of-paper', true))
    expect(told.cancelled).toBe(1)
  })

  test('before the printer had it surely does not print', async () => {
    const { onItsWay } = job([underWay(false, 'out-of-paper')])
    expect(await follow(onItsWay, printed, soon, never)).toEqual(fault('out-of-paper', false))
  })

  test('may still print when nobody confirms that it is gone', async () => {
    const { onItsWay } = job([underWay(false)], 'unknown')
    expect(await follow(onItsWay, printed, soon, never)).toEqual(fault('timeout', true))
  })

  test('and was printed meanwhile is printed', async () => {
    const { onItsWay } = job([underWay(true)], 'printed')
    expect(await follow(onItsWay, printed, soon, never)).toEqual({ ok: true, value: printed })
  })

  test('because it stands still never reached the printer', async () => {
    const { onItsWay, told } = job([underWay(true), { kind: 'stuck', fault: 'bad-document' }])
    expect(await follow(onItsWay, printed, DEFAULT_TIMES, never)).toEqual(fault('bad-document', false))
    expect(told.cancelled).toBe(1)
  })

  test('by the till says so', async () => {
    const { onItsWay, told } = job([underWay(true)])
    expect(await follow(onItsWay, printed, DEFAULT_TIMES, AbortSignal.abort())).toEqual(
      fault('cancelled-here', true)
    )
    expect(told.cancelled).toBe(1)
  })
})
