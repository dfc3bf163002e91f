/** What is left after a till was killed: on its disk, on the wire, and at the service. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import type { Slip } from '../../electron/contract/slips.ts'
import type { Journal } from '../../electron/main/slips/journal/journal.ts'
import type { SeenRequest } from '../support/faulty-network.ts'
import { business } from '../support/sample-business.ts'
import { notesIn } from './journal-lines.ts'

export interface Evidence {
  /** every row of the journal, as the next till finds it */
  readonly slips: readonly Slip[]
  /** codes that the service made, with their points */
  readonly made: ReadonlyMap<string, number>
  /** how often a code of so many points was asked for on the wire */
  readonly posts: ReadonlyMap<number, number>
  /** codes that the page heard of, by intent */
  readonly heard: ReadonlyMap<string, string>
  /** files in the folder of slips, with their content */
  readonly papers: ReadonlyMap<string, Buffer>
}

const heardSchema = v.array(v.object({ intentId: v.string(), code: v.string() }))

function allSlips(journal: Journal): Slip[] {
  const scope = { training: business.training, businessId: business.id }
  const slips: Slip[] = []
  let rows = journal.find(scope, {}, { limit: 1000 })
  for (let after = rows.at(-1); after !== undefined; after = rows.at(-1)) {
    slips.push(...rows.map(({ slip }) => slip))
    rows = journal.find(scope, {}, { limit: 1000, after })
  }
  return slips
}

function madeCodes(serviceFile: string): Map<string, number> {
  const database = new DatabaseSync(serviceFile, { readOnly: true })
  // The service begins with codes of its own, for training.
  const codes = database.prepare(`SELECT code, points FROM codes WHERE code NOT LIKE 'TRAINING%'`).all()
  database.close()
  return new Map(codes.map(({ code, points }) => [String(code), Number(points)]))
}

function countPosts(seen: readonly SeenRequest[]): Map<number, number> {
  const posts = new Map<number, number>()
  for (const { method, body } of seen) {
    // A request that the kill cut short never reached the service as a whole.
    const points = /"points":(\d+)\}/.exec(body)?.[1]
    if (method === 'POST' && points !== undefined)
      posts.set(Number(points), (posts.get(Number(points)) ?? 0) + 1)
  }
  return posts
}

/** Gathers all of it. `journal` is the one that the next till opened. */
export function gather(
  folder: string,
  journal: Journal,
  serviceFile: string,
  seen: readonly SeenRequest[]
): Evidence {
  const slipsFolder = join(folder, 'slips')
  const names = existsSync(slipsFolder)
    ? readdirSync(slipsFolder).filter((name) => name.endsWith('.pdf'))
    : []
  return {
    slips: allSlips(journal),
    made: madeCodes(serviceFile),
    posts: countPosts(seen),
    heard: new Map(
      v.parse(heardSchema, notesIn(join(folder, 'issued'))).map(({ intentId, code }) => [intentId, code])
    ),
    papers: new Map(names.map((name) => [name.replace(/\.pdf$/, ''), readFileSync(join(slipsFolder, name))]))
  }
}
