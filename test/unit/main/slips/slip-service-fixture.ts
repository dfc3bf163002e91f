/** A till's slips on a folder of their own, with a service that answers as the test says. */
import { DEFAULT_SLIP_SETTINGS } from '../../../../electron/contract/settings.ts'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { ok, type Result } from '../../../../electron/contract/failure.ts'
import type { QrCode } from '../../../../electron/contract/loyalty.ts'
import type { Batch, IssuedSlip, Slip } from '../../../../electron/contract/slips.ts'
import {
  createSlips,
  type SlipBusiness,
  type Slips,
  type IssueRequest,
  type SlipServiceDependencies,
  type SlipPrintSettings
} from '../../../../electron/main/slips/slip-service.ts'
import { SlipPdfRenderer } from '../../../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'

export const fontsFolder = fileURLToPath(new URL('../../../../resources/fonts', import.meta.url))

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slips-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const business: SlipBusiness = {
  id: 'business-1',
  name: 'Corner Café',
  address: { street: 'Ermou 12', city: 'Athens', state: '', country: 'Greece', zipCode: '10563' },
  timeZone: 'Europe/Athens',
  training: false,
  locale: 'en-GB',
  slip: DEFAULT_SLIP_SETTINGS,
  getStartedLink: null,
  logo: null
}

/** What a service answers to `POST /qr`. */
export const qrCode = (code: string, points: number): QrCode => ({
  code,
  qrURL: `https://loyalty.example/q/${encodeURIComponent(code)}`,
  qrImageURL: null,
  rewardPoints: points,
  status: 'active',
  usedDate: null,
  createdAt: '2026-11-21T12:05:33.000Z',
  updatedAt: null
})

/** Slips go to the folder, one paper each. */
export const folderSettings: SlipPrintSettings = {
  printer: { destination: { kind: 'folder' }, paper: '80mm' },
  copies: 1,
  oneJob: false
}

export interface Till {
  readonly folder: string
  readonly slips: Slips
  /** points of every request that reached the service */
  readonly asked: number[]
  /** every change the page heard of */
  readonly heard: Slip[]
  readonly heardBatches: Batch[]
  /** Resolves with the first batch heard, from now on or last, for which `check` holds. */
  until(check: (batch: Batch) => boolean): Promise<Batch>
  /** Resolves when the batch that was heard last has finished. */
  finished(): Promise<Batch>
  /** closes and opens again on the same folder */
  restart(changes?: Partial<SlipServiceDependencies>): Promise<Till>
}

/** Opens a till in `folder`; unless told otherwise its service makes the codes CODE-1, CODE-2, … */
export function openTill(
  changes: Partial<SlipServiceDependencies> = {},
  folder: string = temporaryFolder()
): Till {
  const asked: number[] = []
  const heard: Slip[] = []
  const heardBatches: Batch[] = []
  const listeners = new Set<(batch: Batch) => void>()
  const until = (check: (batch: Batch) => boolean): Promise<Batch> =>
    new Promise((resolve) => {
      const listener = (batch: Batch): void => {
        if (!check(batch)) return
        listeners.delete(listener)
        resolve(batch)
      }
      listeners.add(listener)
      const last = heardBatches.at(-1)
      if (last !== undefined) listener(last)
    })
  const createQr =
    changes.createQr ?? ((points) => answer(ok(qrCode(`CODE-${String(asked.length)}`, points))))
  const slips = createSlips({
    journalFile: join(folder, 'journal.db'),
    slipsFolder: join(folder, 'slips'),
    pdfRenderer: new SlipPdfRenderer(fontsFolder),
    now: () => new Date('2026-11-21T12:05:33.000Z'),
    currentBusiness: () => business,
    settings: () => folderSettings,
    printOnPrinter: () => Promise.reject(new Error('The test expects no printer')),
    onSlip: (slip) => heard.push(slip),
    onBatch: (batch) => {
      heardBatches.push(batch)
      for (const listener of listeners) listener(batch)
    },
    log: noOpLogger,
    ...changes,
    createQr: (points) => {
      asked.push(points)
      return createQr(points)
    }
  })
  onTestFinished(() => slips.close())
  return {
    folder,
    slips,
    asked,
    heard,
    heardBatches,
    until,
    finished: () => until(({ state }) => state === 'finished'),
    async restart(next = {}) {
      await slips.close()
      return openTill(next, folder)
    }
  }
}

const answer = <Value>(value: Result<Value>): Promise<Result<Value>> => Promise.resolve(value)

/** A press of Print slip with a new intent id. */
export const press = (points = 250) => ({ intentId: randomUUID(), points, customer: null })

/** Issues, and waits for the paper. */
export async function issueAndPrint(till: Till, pressed: IssueRequest): Promise<Result<IssuedSlip>> {
  const issued = await till.slips.issue(pressed)
  return issued.ok ? till.slips.print(pressed) : issued
}

/** The value of a good answer; fails the test for any other. */
export function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`Expected a good answer, got ${JSON.stringify(result.failure)}`)
  return result.value
}
