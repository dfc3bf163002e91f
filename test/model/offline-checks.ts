/** What holds for codes that tills make without a connection, whatever happened. */
import * as v from 'valibot'
import { expect } from 'vitest'
import { readOfflineCode } from '../../electron/codes/offline-code.ts'
import type { OfflineRefusal } from '../../electron/contract/offline.ts'
import type { Slip } from '../../electron/contract/slips.ts'
import type { OfflineLimits } from '../../electron/service/domain/businesses.ts'
import { OfflineCodeStore } from '../../electron/service/store/offline-codes.ts'
import { verifyLedger } from '../../electron/service/store/verify.ts'
import type { Shop } from '../unit/service/store/shop.ts'
import type { CutTill } from './offline-tills.ts'

/** The first one only loses its line; the second one's clock jumps; of the third one's disk there are copies. */
export const TILLS = ['honest', 'jumping', 'copied'] as const
type TillId = (typeof TILLS)[number]

/** A slip in a customer's hand. */
export interface Paper {
  readonly code: string
  readonly points: number
  readonly till: TillId
  /** number of the customer's phone */
  readonly phone: number
}

export interface OfflineChecksDependencies {
  readonly shop: Shop
  readonly limits: OfflineLimits
  /** with the images that were started */
  readonly tills: readonly { readonly id: TillId; readonly till: CutTill }[]
  readonly papers: readonly Paper[]
  /** Resolves with the page that a code leads to. */
  readonly pageOf: (code: string) => Promise<string>
  /** what happened, which is the same for the same seed */
  readonly log: string[]
}

const entryRow = v.object({ code: v.string(), points: v.number() })
const codeRow = v.object({
  code: v.string(),
  points: v.number(),
  till: v.string(),
  day: v.nullable(v.string())
})

export class OfflineChecks {
  readonly #dependencies: OfflineChecksDependencies
  /** tills whose codes the owner has stopped once */
  readonly #everStopped = new Set<string>()
  /** the codes of a till that were taken when the owner stopped it, until they are let in again */
  readonly #takenAtStop = new Map<string, ReadonlySet<string>>()

  constructor(dependencies: OfflineChecksDependencies) {
    this.#dependencies = dependencies
  }

  /** Call when the owner has stopped a till. */
  async stopped(till: string): Promise<void> {
    this.#everStopped.add(till)
    if (!this.#takenAtStop.has(till)) this.#takenAtStop.set(till, await this.#takenOf(till))
  }

  /** Nothing was taken of a till since the owner has stopped it. Call before it is resumed, or a code of it is allowed. */
  async expectStopped(till: string): Promise<void> {
    const taken = this.#takenAtStop.get(till)
    if (taken !== undefined) expect(await this.#takenOf(till), `${till} is stopped`).toEqual(taken)
    this.#takenAtStop.delete(till)
  }

  /** Returns what is not worth its points, with why. */
  async expectWorth(): Promise<readonly Paper[]> {
    const { shop, papers, pageOf, log } = this.#dependencies
    const offline = new OfflineCodeStore({ database: shop.database, now: () => shop.now })
    const given = await this.#given()
    const refused: Paper[] = []
    for (const paper of papers) {
      const points = given.get(paper.code)
      if (points === paper.points) {
        log.push(`${paper.till} ${String(paper.points)} collected`)
        continue
      }
      const opened = await offline.open(paper.code)
      log.push(`${paper.till} ${String(paper.points)} ${opened?.reason ?? 'lost'}`)
      expect([paper, points, opened?.reason, await this.#isCaused(opened?.reason, paper)]).toEqual([
        paper,
        undefined,
        expect.any(String),
        true
      ])
      expect(await pageOf(paper.code)).toContain('The shop has to look at this slip')
      refused.push(paper)
    }
    return refused
  }

  /** Nothing was taken above the limits, or of a till that is stopped. Call before a code is allowed. */
  async expectLimits(): Promise<void> {
    const { pointsOfCode, pointsOfDay } = this.#dependencies.limits
    for (const till of this.#takenAtStop.keys()) await this.expectStopped(till)
    const days = new Map<string, number>()
    for (const { code, points, till, day } of await this.#codes()) {
      if (day === null) continue
      expect(points, code).toBeLessThanOrEqual(pointsOfCode)
      days.set(`${till} ${day}`, (days.get(`${till} ${day}`) ?? 0) + points)
    }
    for (const [day, points] of days) expect(points, day).toBeLessThanOrEqual(pointsOfDay)
  }

  /** Journals and ledger say the same. */
  async expectAgreement(): Promise<void> {
    const { shop, tills } = this.#dependencies
    expect(await verifyLedger(shop.database)).toEqual([])
    const codes = new Map((await this.#codes()).map((code) => [code.code, code]))
    const held = new Map<string, Slip>()
    for (const { till } of tills) {
      for (const slip of till.list()) {
        if (slip.code === null) continue
        held.set(slip.code, slip)
        if (slip.offline === null) continue
        const { reportedAt, refusal } = slip.offline
        expect([slip.code, codes.has(slip.code), refusal === null]).toEqual([
          slip.code,
          reportedAt !== null,
          reportedAt !== null
        ])
      }
    }
    // The points of the journals are those of the service. What only the service has was in a journal that was restored since.
    const sumOf = (map: ReadonlyMap<string, { readonly points: number }>): number =>
      [...map]
        .filter(([code]) => held.has(code) && codes.has(code))
        .reduce((sum, [, { points }]) => sum + points, 0)
    expect(sumOf(held)).toBe(sumOf(codes))
    const papers = new Set(this.#dependencies.papers.map(({ code }) => code))
    for (const { code, till, day } of codes.values())
      if (till === 'honest' && day !== null) expect([code, held.has(code)]).toEqual([code, true])
      else if (day !== null) expect([code, held.has(code) || papers.has(code)]).toEqual([code, true])
  }

  /** The codes that are stored, with their tills, and the days of those that were made offline. */
  async #codes() {
    const { shop } = this.#dependencies
    const rows = await shop.database.read(
      'SELECT code, points + returned_points AS points, till, offline_day AS day FROM codes WHERE business = $1',
      [shop.business]
    )
    return rows.map((row) => v.parse(codeRow, row))
  }

  /** The codes made offline of a till that are taken. */
  async #takenOf(till: string): Promise<ReadonlySet<string>> {
    const codes = await this.#codes()
    return new Set(codes.filter((code) => code.till === till && code.day !== null).map(({ code }) => code))
  }

  /** What the ledger gave for each code: one entry at most. */
  async #given(): Promise<ReadonlyMap<string, number>> {
    const { shop } = this.#dependencies
    const rows = await shop.database.read(
      "SELECT code, points FROM entries WHERE business = $1 AND kind = 'collected'",
      [shop.business]
    )
    const entries = rows.map((row) => v.parse(entryRow, row))
    const given = new Map(entries.map(({ code, points }) => [code, points]))
    expect(given.size).toBe(entries.length)
    return given
  }

  /** Whether a refusal has a cause that happened. */
  async #isCaused(reason: OfflineRefusal | null | undefined, paper: Paper): Promise<boolean> {
    const { limits, papers } = this.#dependencies
    switch (reason) {
      case 'key-revoked':
        return this.#everStopped.has(paper.till)
      case 'day-not-allowed':
        return paper.till !== 'honest'
      case 'above-code-limit':
        return paper.till === 'copied' && paper.points > limits.pointsOfCode
      case 'above-day-limit': {
        // A clock that was wrong, two disks, or a thief have given more on a day than one till may.
        const day = readOfflineCode(paper.code)?.day
        const made = new Map<string, number>()
        for (const each of [...papers, ...(await this.#codes())])
          if (each.till === paper.till && readOfflineCode(each.code)?.day === day)
            made.set(each.code, each.points)
        const sum = [...made.values()].reduce((total, points) => total + points, 0)
        return paper.till !== 'honest' && sum > limits.pointsOfDay
      }
      default:
        return false
    }
  }
}
