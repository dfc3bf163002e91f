/** Opens a `SlipService` in a temporary folder, with a points service that the test controls. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import { ok, type Result } from '../../../../electron/contract/failure.ts'
import type { Batch, IssuedSlip, IssueRequest, Slip } from '../../../../electron/contract/slips.ts'
import type { Notice } from '../../../../electron/contract/till.ts'
import { openSlips, type SlipService } from '../../../../electron/main/slips/slip-service.ts'
import { qrCode, slipDependencies, type SlipDoubles } from '../../../support/slip-service.ts'

export { folderSettings, fontsFolder, qrCode } from '../../../support/slip-service.ts'

/** Returns a folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slips-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The scope of `journalSnapshot`. */
export const journalScope = { training: false, businessId: 'b1' }

/** The data of a business as the journal stores it with a slip. */
export const journalSnapshot = {
  name: 'Corner Café',
  address: { street: '', city: '', state: '', country: '', zipCode: '' },
  timeZone: 'UTC',
  locale: 'en',
  headline: '',
  footer: '',
  tillName: '',
  customerName: true,
  affordable: null,
  expiry: null,
  joinUrl: null,
  logo: null
}

export interface SlipServiceFixture {
  readonly folder: string
  readonly slips: SlipService
  readonly notices: readonly Notice[]
  /** points of every request to the points service */
  readonly requestedPoints: number[]
  /** every changed slip that was reported to the page */
  readonly reportedSlips: Slip[]
  readonly reportedBatches: Batch[]
  /** Resolves with the last reported batch, or the next one, that satisfies `check`. */
  until(check: (batch: Batch) => boolean): Promise<Batch>
  /** Resolves when the batch is finished. */
  finished(): Promise<Batch>
  /** Closes the service, and opens another one in the same folder. */
  restart(changes?: Partial<SlipDoubles>): Promise<SlipServiceFixture>
}

/** Opens a service in `folder`. The points service returns the codes CODE-1, CODE-2, … by default. */
export function openSlipService(
  changes: Partial<SlipDoubles> = {},
  folder: string = temporaryFolder()
): SlipServiceFixture {
  const requestedPoints: number[] = []
  const reportedSlips: Slip[] = []
  const reportedBatches: Batch[] = []
  const listeners = new Set<(batch: Batch) => void>()
  const until = (check: (batch: Batch) => boolean): Promise<Batch> =>
    new Promise((resolve) => {
      const listener = (batch: Batch): void => {
        if (!check(batch)) return
        listeners.delete(listener)
        resolve(batch)
      }
      listeners.add(listener)
      const last = reportedBatches.at(-1)
      if (last !== undefined) listener(last)
    })
  const createQr =
    changes.createQr ?? ((points) => answer(ok(qrCode(`CODE-${String(requestedPoints.length)}`, points))))
  const opened = openSlips(
    slipDependencies(folder, {
      now: () => new Date('2026-11-21T12:05:33.000Z'),
      onSlip: (slip) => reportedSlips.push(slip),
      onBatch: (batch) => {
        reportedBatches.push(batch)
        for (const listener of listeners) listener(batch)
      },
      ...changes,
      createQr: (points, business) => {
        requestedPoints.push(points)
        return createQr(points, business)
      }
    })
  )
  const slips = valueOf(opened.slips)
  onTestFinished(() => slips.close())
  return {
    folder,
    slips,
    notices: opened.notices,
    requestedPoints,
    reportedSlips,
    reportedBatches,
    until,
    finished: () => until(({ state }) => state === 'finished'),
    async restart(next = {}) {
      await slips.close()
      return openSlipService(next, folder)
    }
  }
}

const answer = <Value>(value: Result<Value>): Promise<Result<Value>> => Promise.resolve(value)

/** Makes the journal refuse changes of rows, as a failing disk does, until the returned function is called. */
export function failWrites(
  { folder }: Pick<SlipServiceFixture, 'folder'>,
  table: 'slips' | 'batches' | 'operations',
  condition = '1'
): () => void {
  const run = (sql: string): void => {
    const database = new DatabaseSync(join(folder, 'journal.db'))
    database.exec(sql)
    database.close()
  }
  run(`CREATE TRIGGER failing BEFORE UPDATE ON ${table} WHEN ${condition}
    BEGIN SELECT raise(ABORT, 'disk I/O error'); END`)
  return () => {
    run('DROP TRIGGER failing')
  }
}

/** Returns a request with a new intent id. */
export const press = (points = 250) => ({ intentId: randomUUID(), points, customer: null })

/** Issues a slip, and waits for its print job. */
export async function issueAndPrint(
  till: SlipServiceFixture,
  pressed: IssueRequest
): Promise<Result<IssuedSlip>> {
  const issued = await till.slips.counter.issue(pressed)
  return issued.ok ? till.slips.printouts.print(pressed) : issued
}

/** Returns the value of a successful result; throws for a failure. */
export function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`Expected a successful result, got ${JSON.stringify(result.failure)}`)
  return result.value
}
