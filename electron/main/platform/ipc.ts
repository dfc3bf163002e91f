/**
 * The main side of the bridge. A call is handled only for the page of the till's own window, in its main frame, and
 * only with an input that its schema accepts (Electron security checklist, item 17). A handler that throws is logged,
 * and the call fails with `internal`.
 */
import { ipcMain, type IpcMainInvokeEvent } from 'electron'
import * as v from 'valibot'
import { CALLS, channelOf, type BridgeHandlers, type EVENTS, type EventValue } from '../../contract/bridge.ts'
import { err, type Failure, type Result } from '../../contract/failure.ts'
import type { Logger } from '../log/log.ts'
import { isFrom, sendTo, tillWindow } from './windows.ts'

/** Returns the failure of a call that is not permitted now, or null. `input` has passed the call's schema. */
export type CheckPermission = (group: string, method: string, input: unknown) => Failure | null

/** The owner that a call is for; undefined: the present one. */
const ownerSchema = v.optional(v.number())

/**
 * Registers a handler for each call of the bridge. Call once, before a window opens. A call that was on its way while the
 * owner of the till's data changed is refused: what was typed and chosen is not of the present one.
 * @param session the present owner
 */
export function registerIpcHandlers(
  handlers: BridgeHandlers,
  session: { readonly owner: { readonly number: number } },
  checkPermission: CheckPermission,
  log: Logger
): void {
  const handle = async (
    group: keyof BridgeHandlers,
    method: string,
    schema: v.GenericSchema,
    event: IpcMainInvokeEvent,
    input: unknown,
    owner: unknown
  ): Promise<Result<unknown>> => {
    const call = channelOf(group, method)
    try {
      if (!isFrom('till', event)) {
        log.warn('call-from-unknown-sender', { call })
        return err({ kind: 'internal' })
      }
      const parsed = v.safeParse(schema, input)
      if (!parsed.success) {
        // The issue's message would quote what was sent.
        const [issue] = parsed.issues
        log.warn('call-invalid', { call, field: v.getDotPath(issue), expected: issue.expected })
        return err({ kind: 'invalid-input', field: 'setting', fault: 'malformed' })
      }
      const wanted = v.parse(ownerSchema, owner)
      if (wanted !== undefined && wanted !== session.owner.number) return err({ kind: 'not-connected' })
      const notPermitted = checkPermission(group, method, parsed.output)
      if (notPermitted) return err(notPermitted)
      // `CALLS` has the same groups and methods as the handlers, and each schema the type of its input.
      const groupHandlers = handlers[group] as unknown as Readonly<
        Record<string, (input: unknown) => Result<unknown> | Promise<Result<unknown>>>
      >
      return (await groupHandlers[method]?.(parsed.output)) ?? err({ kind: 'internal' })
    } catch (error) {
      log.error('call-failed', { call, error })
      return err({ kind: 'internal' })
    }
  }
  for (const [group, calls] of Object.entries(CALLS)) {
    for (const [method, call] of Object.entries<{ readonly input: v.GenericSchema }>(calls)) {
      ipcMain.handle(channelOf(group, method), (event, input: unknown, owner: unknown) =>
        handle(group as keyof BridgeHandlers, method, call.input, event, input, owner)
      )
    }
  }
}

/** Sends an event to the till's window alone: states, slips and search results hold names and phone numbers. */
export const send = <Name extends keyof typeof EVENTS>(event: Name, value: EventValue<Name>): void =>
  sendTo(tillWindow(), event, value)
