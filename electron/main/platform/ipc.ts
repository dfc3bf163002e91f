/**
 * The bridge's other end. Each call is answered only to the till's own page in its main frame, and only with an
 * input that its schema accepts (Electron security checklist, item 17). No exception crosses: what throws is
 * logged and becomes the failure `internal`.
 */
import { ipcMain } from 'electron'
import * as v from 'valibot'
import type { Batch, Slip } from '../../contract/slips.ts'
import { channelOf, EVENTS, INPUT_SCHEMAS, IPC_METHODS, type CallGroups } from '../../contract/bridge.ts'
import type { Catalogue } from '../../contract/loyalty.ts'
import { err, type Result, type Failure } from '../../contract/failure.ts'
import type { PartialSearchResult } from '../../contract/customers.ts'
import type { TillState } from '../../contract/till.ts'
import type { Logger } from '../log/log.ts'
import { stir } from './rest.ts'
import { isFrom, sendTo, tillWindow } from './windows.ts'

/** What answers the calls: the bridge without its events. */
export type Answers = CallGroups

type Answering = (input: never) => Promise<Result<unknown>>

/** Why a call with this (parsed) input may not be answered now; null: it may. */
export type Refusal = (group: string, call: string, input: unknown) => Failure | null

/** Wires every call of the bridge to its answer, unless `refusal` forbids it. Call once, before a window opens. */
export function registerIpcHandlers(answers: Answers, refusal: Refusal, log: Logger): void {
  for (const [group, calls] of Object.entries(IPC_METHODS)) {
    const answering = new Map<string, Answering>(Object.entries(answers[group as keyof Answers]))
    const schemas = new Map<string, v.GenericSchema>(Object.entries(INPUT_SCHEMAS[group as keyof Answers]))
    for (const call of calls) {
      const answer = answering.get(call)
      const schema = schemas.get(call)
      if (!answer || !schema) throw new Error(`The bridge's call ${group}.${call} has no answer`)
      ipcMain.handle(channelOf(group, call), async (event, input: unknown): Promise<Result<unknown>> => {
        try {
          if (!isFrom('till', event)) {
            log.warn('call-from-elsewhere', { call: `${group}.${call}` })
            return err({ kind: 'internal' })
          }
          stir()
          const parsed = v.safeParse(schema, input)
          if (!parsed.success) {
            // The issue's message would quote what was sent.
            const [issue] = parsed.issues
            log.warn('call-refused', {
              call: `${group}.${call}`,
              field: v.getDotPath(issue),
              expected: issue.expected
            })
            return err({ kind: 'invalid-input', field: 'setting', fault: 'malformed' })
          }
          const refused = refusal(group, call, parsed.output)
          if (refused) return err(refused)
          // The schema of this very call has parsed it: `INPUT_SCHEMAS` has the shape of the bridge.
          return await answer(parsed.output as never)
        } catch (error) {
          log.error('call-failed', { call: `${group}.${call}`, error })
          return err({ kind: 'internal' })
        }
      })
    }
  }
}

/** To the till's own window alone: names and phones are in all of it. */
function tellTill(channel: string, value: unknown): void {
  stir()
  sendTo(tillWindow(), channel, value)
}

/** Tells the till's page how the till stands. */
export const sendState = (state: TillState): void => tellTill(EVENTS.state, state)

/** Tells the till's page what a find has found so far. */
export const sendPartialSearchResult = (soFar: PartialSearchResult): void => tellTill(EVENTS.found, soFar)

/** Tells the till's page how far the catalogue was read. */
export const sendCatalogue = (catalogue: Catalogue): void => tellTill(EVENTS.rewards, catalogue)

/** Tells the till's page that a slip's row changed. */
export const sendSlip = (slip: Slip): void => tellTill(EVENTS.slip, slip)

/** Tells the till's page that a batch came a step further. */
export const sendBatch = (batch: Batch): void => tellTill(EVENTS.batch, batch)
