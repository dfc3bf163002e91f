/** Hostile names, codes and addresses of a service, printed on slips. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ok } from '../../electron/contract/failure.ts'
import type { NewQrCode } from '../../electron/contract/loyalty.ts'
import type { SlipBusiness } from '../../electron/main/session/current-business.ts'
import { openTestSlips } from '../support/slip-service.ts'
import { business } from '../support/sample-business.ts'
import { hostileText } from './hostile.ts'
import { runs, SEEDS } from './runs.ts'
import { expectPrototypesUnchanged, watchForUnhandledErrors } from './no-side-effects.ts'

watchForUnhandledErrors()

/** Texts of the service and the manager on a slip. The client refuses an empty code and an empty URL. */
const slipTexts = fc.record({
  code: hostileText.filter((text) => text !== ''),
  url: hostileText.filter((text) => text !== ''),
  customer: hostileText,
  name: hostileText,
  street: hostileText,
  timeZone: hostileText,
  headline: hostileText
})
type SlipTexts = typeof slipTexts extends fc.Arbitrary<infer Value> ? Value : never

const codeOf = ({ code, url }: SlipTexts, points: number): NewQrCode => ({
  code,
  qrURL: url,
  qrImageURL: null,
  rewardPoints: points,
  status: '',
  usedDate: null,
  expiresAt: null,
  createdAt: null,
  updatedAt: null
})

const businessOf = ({ name, street, timeZone, headline }: SlipTexts): SlipBusiness => ({
  ...business,
  name,
  timeZone,
  address: { ...business.address, street },
  slip: { ...business.slip, headline }
})

describe.each(SEEDS)('with %s', (_name, seed) => {
  it(
    'saves a slip in its folder or stores the reason, with one request to the service',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'tillpoints-slips-'))
      let now: SlipTexts | undefined
      let asked = 0
      const codes = new Set<string>()
      const slips = openTestSlips(folder, {
        createQr: (points) => {
          asked += 1
          return Promise.resolve(now ? ok(codeOf(now, points)) : { ok: false, failure: { kind: 'internal' } })
        },
        now: () => new Date('2026-11-21T12:05:33.000Z'),
        currentBusiness: () => (now ? businessOf(now) : null)
      })
      try {
        await fc.assert(
          fc.asyncProperty(slipTexts, async (given) => {
            now = given
            const before = asked
            const press = {
              intentId: crypto.randomUUID(),
              points: 5,
              customer: { id: 'c-1', name: given.customer }
            }
            const issued = await slips.counter.issue(press)
            // The journal stores lone surrogates as U+FFFD.
            const code = given.code.toWellFormed()
            if (codes.has(code)) {
              expect(issued).toEqual({
                ok: false,
                failure: { kind: 'unknown-outcome', cause: 'bad-response' }
              })
              return
            }
            codes.add(code)
            const printed = issued.ok ? await slips.printouts.print(press) : issued
            expect(asked - before).toBe(1)
            if (!printed.ok) throw new Error(JSON.stringify(printed.failure))
            const { state, file, failure } = printed.value.slip
            expect(printed.value.slip.code).toBe(code)
            expect(['printed', 'print-failed']).toContain(state)
            expect(failure !== null).toBe(state === 'print-failed')
            if (file !== null) expect(resolve(file).startsWith(join(folder, 'slips'))).toBe(true)
            expect(slips.queries.list({ offset: 0 }).ok).toBe(true)
          }),
          { seed, numRuns: runs(2000, 20) }
        )
        // No other files were written.
        const others = readdirSync(folder).filter(
          (name) => name !== 'slips' && !/^(journal\.db|program-slips\.sqlite)/.test(name)
        )
        expect(others).toEqual([])
      } finally {
        await slips.close()
        rmSync(folder, { recursive: true, force: true })
      }
      expectPrototypesUnchanged()
    },
    10 * 60_000
  )
})
