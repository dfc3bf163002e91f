/**
 * The bridge's other end. Each call is answered only to the till's own page in its main frame, and only with an
 * input that its schema accepts (Electron security checklist, item 17). No exception crosses: what throws is
 * logged and becomes the failure `internal`.
 */
import { BrowserWindow, ipcMain, type IpcMainInvokeEvent } from 'electron'
import * as v from 'valibot'
import type { Batch } from '../../contract/batch.ts'
import { CALLS, channelOf, EVENTS, type CallGroups } from '../../contract/bridge.ts'
import { bad, type Answer } from '../../contract/failure.ts'
import { inputSchemas } from '../../contract/inputs.ts'
import type { Slip, TillState } from '../../contract/till.ts'
import type { Log } from './log.ts'
import { APP_ORIGIN } from './scheme.ts'

/** What answers the calls: the bridge without its events. */
export type Answers = CallGroups

const isOwnPage = (event: IpcMainInvokeEvent): boolean => {
  const window = BrowserWindow.fromWebContents(event.sender)
  const frame = event.senderFrame
  return window !== null && frame !== null && frame.parent === null && frame.url.startsWith(`${APP_ORIGIN}/`)
}

type Answering = (input: never) => Promise<Answer<unknown>>

/** Wires every call of the bridge to its answer. Call once, before a window opens. */
export function wireCalls(answers: Answers, log: Log): void {
  for (const [group, calls] of Object.entries(CALLS)) {
    const answering = new Map<string, Answering>(Object.entries(answers[group as keyof Answers]))
    const schemas = new Map<string, v.GenericSchema>(Object.entries(inputSchemas[group as keyof Answers]))
    for (const call of calls) {
      const answer = answering.get(call)
      const schema = schemas.get(call)
      if (!answer || !schema) throw new Error(`The bridge's call ${group}.${call} has no answer`)
      ipcMain.handle(channelOf(group, call), async (event, input: unknown): Promise<Answer<unknown>> => {
        if (!isOwnPage(event)) throw new Error('Refused: not the till’s own page')
        const parsed = v.safeParse(schema, input)
        if (!parsed.success) {
          log('call-refused', { call: `${group}.${call}`, issue: parsed.issues[0].message })
          return bad({ kind: 'invalid-input', field: 'setting', fault: 'malformed' })
        }
        try {
          // The schema of this very call has parsed it: `inputSchemas` has the shape of the bridge.
          return await answer(parsed.output as never)
        } catch (error) {
          log('call-failed', { call: `${group}.${call}`, error })
          return bad({ kind: 'internal' })
        }
      })
    }
  }
}

const tellAll = (channel: string, value: unknown): void => {
  for (const window of BrowserWindow.getAllWindows()) {
    if (!window.webContents.isDestroyed()) window.webContents.send(channel, value)
  }
}

/** Tells every window how the till stands. */
export const tellState = (state: TillState): void => tellAll(EVENTS.state, state)

/** Tells every window that a slip's row changed. */
export const tellSlip = (slip: Slip): void => tellAll(EVENTS.slip, slip)

/** Tells every window that a batch came a step further. */
export const tellBatch = (batch: Batch): void => tellAll(EVENTS.batch, batch)
