/** The state after a process was killed: on its disk, in the requests, and at the service. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import type { Slip } from '../../electron/contract/slips.ts'
import type { Journal } from '../../electron/main/journal/journal.ts'
import type { SeenRequest } from '../support/faulty-network.ts'
import {
  printoutOf,
  rowOf,
  type JournalFacts,
  type JournalRow,
  type MadeCode
} from '../support/journal-invariants.ts'
import { business } from '../support/sample-business.ts'
import { readLines } from './journal-lines.ts'

export interface CollectedState extends JournalFacts {
  /** every row of the journal, after recovery */
  readonly slips: readonly (Slip & JournalRow)[]
  /** PDFs in the folder of slips, with their content */
  readonly files: ReadonlyMap<string, Buffer>
}

const scope = { training: business.training, businessId: business.id }

const reportedSchema = v.array(v.object({ intentId: v.string(), code: v.string() }))

/** Every slip of the sample business, newest first. */
export function allSlips(journal: Journal): Slip[] {
  const slips: Slip[] = []
  let rows = journal.history.find(scope, {}, { limit: 1000 })
  for (let after = rows.at(-1); after !== undefined; after = rows.at(-1)) {
    slips.push(...rows.map(({ slip }) => slip))
    rows = journal.history.find(scope, {}, { limit: 1000, after })
  }
  return slips
}

function readServiceCodes(serviceFile: string): Map<string, MadeCode> {
  const database = new DatabaseSync(serviceFile, { readOnly: true })
  // The service starts with training codes of its own.
  const codes = database.prepare(`SELECT code, points FROM codes WHERE code NOT LIKE 'TRAINING%'`).all()
  database.close()
  return new Map(codes.map(({ code, points }) => [String(code), { ...scope, points: Number(points) }]))
}

const countByPoints = (all: readonly number[]): Map<number, number> => {
  const counts = new Map<number, number>()
  for (const points of all) counts.set(points, (counts.get(points) ?? 0) + 1)
  return counts
}

/** Returns the points of each request. One that a kill cut short did not reach the service. */
const requestedPoints = (seen: readonly SeenRequest[]): number[] =>
  seen.flatMap(({ method, body }) => {
    const points = /"points":(\d+)\}/.exec(body)?.[1]
    return method === 'POST' && points !== undefined ? [Number(points)] : []
  })

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
  const files = new Map(
    names.map((name) => [name.replace(/\.pdf$/, ''), readFileSync(join(slipsFolder, name))])
  )
  const slips = allSlips(journal).map((slip) => rowOf(slip, business.id))
  return {
    slips,
    made: readServiceCodes(serviceFile),
    posts: countByPoints(requestedPoints(seen)),
    intents: countByPoints(slips.map(({ points }) => points)),
    stored: new Map(
      v.parse(reportedSchema, readLines(join(folder, 'issued'))).map(({ intentId, code }) => [intentId, code])
    ),
    papers: [...files.keys()].map(printoutOf),
    forgotten: new Set(),
    files
  }
}
