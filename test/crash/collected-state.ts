/** The state after a process was killed: on its disk, in the requests, and at the service. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import type { Slip } from '../../electron/contract/slips.ts'
import type { Journal } from '../../electron/main/slips/journal/journal.ts'
import type { SeenRequest } from '../support/faulty-network.ts'
import { business } from '../support/sample-business.ts'
import { readLines } from './journal-lines.ts'

export interface CollectedState {
  /** every row of the journal, after recovery */
  readonly slips: readonly Slip[]
  /** codes of the service, with their points */
  readonly serviceCodes: ReadonlyMap<string, number>
  /** number of requests by points */
  readonly requests: ReadonlyMap<number, number>
  /** codes that were reported to the page, by intent id */
  readonly reported: ReadonlyMap<string, string>
  /** PDFs in the folder of slips, with their content */
  readonly files: ReadonlyMap<string, Buffer>
}

const reportedSchema = v.array(v.object({ intentId: v.string(), code: v.string() }))

/** Every slip of the sample business, newest first. */
export function allSlips(journal: Journal): Slip[] {
  const scope = { training: business.training, businessId: business.id }
  const slips: Slip[] = []
  let rows = journal.history.find(scope, {}, { limit: 1000 })
  for (let after = rows.at(-1); after !== undefined; after = rows.at(-1)) {
    slips.push(...rows.map(({ slip }) => slip))
    rows = journal.history.find(scope, {}, { limit: 1000, after })
  }
  return slips
}

function readServiceCodes(serviceFile: string): Map<string, number> {
  const database = new DatabaseSync(serviceFile, { readOnly: true })
  // The service starts with training codes of its own.
  const codes = database.prepare(`SELECT code, points FROM codes WHERE code NOT LIKE 'TRAINING%'`).all()
  database.close()
  return new Map(codes.map(({ code, points }) => [String(code), Number(points)]))
}

function countRequests(seen: readonly SeenRequest[]): Map<number, number> {
  const requests = new Map<number, number>()
  for (const { method, body } of seen) {
    // A request that the kill cut short did not reach the service.
    const points = /"points":(\d+)\}/.exec(body)?.[1]
    if (method === 'POST' && points !== undefined)
      requests.set(Number(points), (requests.get(Number(points)) ?? 0) + 1)
  }
  return requests
}

/** Collects the state. `journal` was opened after the kill. */
export function collectState(
  folder: string,
  journal: Journal,
  serviceFile: string,
  seen: readonly SeenRequest[]
): CollectedState {
  const slipsFolder = join(folder, 'slips')
  const names = existsSync(slipsFolder)
    ? readdirSync(slipsFolder).filter((name) => name.endsWith('.pdf'))
    : []
  return {
    slips: allSlips(journal),
    serviceCodes: readServiceCodes(serviceFile),
    requests: countRequests(seen),
    reported: new Map(
      v.parse(reportedSchema, readLines(join(folder, 'issued'))).map(({ intentId, code }) => [intentId, code])
    ),
    files: new Map(names.map((name) => [name.replace(/\.pdf$/, ''), readFileSync(join(slipsFolder, name))]))
  }
}
