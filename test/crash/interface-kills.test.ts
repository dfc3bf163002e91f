/**
 * Kills tills at random moments while a program sends each of its references four times: one request for a code and one
 * code for each reference, or an unknown outcome. The codes that the program was given outlive the journal.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { openJournal } from '../../electron/main/journal/open-journal.ts'
import { serve } from '../../electron/service/server.ts'
import { openFaultyNetwork, type Fault } from '../support/faulty-network.ts'
import { send } from '../support/interface-client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { FULL } from '../support/size.ts'
import { createStoredCaller } from '../support/stored-caller.ts'
import { temporaryFolder } from '../unit/main/slips/slip-service-fixture.ts'
import { collectState } from './collected-state.ts'
import { violationsOf } from './invariants.ts'

const KILLS = FULL ? 100 : 4
/** New references of the program in the life of each till. */
const REFERENCES = 50
const TIMES = 4
/** Requests at once. */
const AT_ONCE = 8
/** Longest time from the last awaited answer to the kill. */
const MAX_EXTRA_MS = 30
/** Longest life of a till whose service does not respond. */
const MAX_SILENCE_MS = 450
/** Another one with `CRASH_SEED=…`. */
const SEED = Number(process.env['CRASH_SEED'] ?? 20_261_123)
const FAULTS: readonly Fault[] = ['pass', 'pass', 'pass', 'pass', 'lose-answer', 'lose-request', 'silence']

const program = fileURLToPath(new URL('./interface-process.ts', import.meta.url))
const open: { close: () => unknown }[] = []
afterAll(async () => {
  for (const one of open.reverse()) await one.close()
})

/** What the program was told about a reference: the codes, and the statuses without one. */
interface Heard {
  readonly codes: Set<string>
  readonly statuses: Set<number>
}

it(
  `each reference has one request and one code, or is unknown, over ${String(KILLS)} kills`,
  async () => {
    const folder = temporaryFolder()
    const serviceFile = join(folder, 'service.sqlite')
    const service = await serve({ port: 0, tokens: ['demo'], file: serviceFile })
    open.push(service)
    const network = await openFaultyNetwork(service.url)
    open.push(network)
    const { token, stored } = createStoredCaller('Shop POS')
    writeFileSync(join(folder, 'callers.json'), JSON.stringify(stored))
    const random = seededRandom(SEED)
    const heard = new Map<string, Heard>()
    const load = (): ChildProcessWithoutNullStreams =>
      spawn(process.execPath, [program, folder, network.url], { stdio: 'pipe' })

    /** Sends a reference; a till that is killed meanwhile does not answer. The points identify the reference. */
    const issue = async (port: number, points: number): Promise<void> => {
      const reference = `R-${String(points)}`
      const known = heard.get(reference) ?? { codes: new Set(), statuses: new Set() }
      heard.set(reference, known)
      const body = { reference, points, deliver: 'return' }
      const answer = await send(port, { method: 'POST', path: '/v1/slips', token, body }).catch(() => null)
      if (answer === null) return
      if (typeof answer.body.code === 'string') known.codes.add(answer.body.code)
      else known.statuses.add(answer.status)
    }

    for (let kill = 1; kill <= KILLS; kill++) {
      const fault = FAULTS[Math.floor(random() * FAULTS.length)] ?? 'pass'
      network.fail(fault, 'POST')
      const till = load()
      const errors: string[] = []
      till.stderr.on('data', (chunk) => errors.push(String(chunk)))
      const [line] = (await once(till.stdout, 'data')) as [Buffer]
      const port = Number(line.toString())
      const ended = once(till, 'exit')
      const first = (kill - 1) * REFERENCES + 1
      // Those of the previous till again, too: after a crash they have the same outcome.
      const earlier = kill === 1 ? [] : Array.from({ length: 10 }, (_none, index) => first - 1 - index)
      const requested = [...earlier, ...Array.from({ length: REFERENCES }, (_none, index) => first + index)]
        .flatMap((points) => Array.from({ length: TIMES }, () => ({ points, order: random() })))
        .sort((one, other) => one.order - other.order)
      // As many answers on a slow machine as on a fast one.
      const answersBeforeKill = Math.floor(random() * requested.length)
      const enough = Promise.withResolvers<undefined>()
      let answers = 0
      const waiting = requested.values()
      const sendInTurn = async (): Promise<void> => {
        for (const { points } of waiting) {
          await issue(port, points)
          if (++answers > answersBeforeKill) enough.resolve(undefined)
        }
      }
      const sent = Promise.all(Array.from({ length: AT_ONCE }, sendInTurn))
      if (fault === 'silence') await after(random() * MAX_SILENCE_MS)
      else {
        await enough.promise
        await after(random() * MAX_EXTRA_MS)
      }
      till.kill('SIGKILL')
      await ended
      await sent
      expect(errors.join('')).toBe('')
    }

    // A till that lost its journal in the last kill has the slips of programs in a file of their own.
    const lost = temporaryFolder()
    for (const name of readdirSync(folder).filter((one) => one.startsWith('program-slips.sqlite')))
      copyFileSync(join(folder, name), join(lost, name))
    openJournal(join(lost, 'journal.db'), new Date()).journal?.close()
    const kept = new DatabaseSync(join(lost, 'journal.db'), { readOnly: true })
    const codeOf = new Map(
      kept
        .prepare('SELECT reference, code FROM slips WHERE code IS NOT NULL')
        .all()
        .map((row) => [row['reference'], row['code']])
    )
    kept.close()
    const lostCodes = [...heard].filter(([reference, { codes }]) =>
      [...codes].some((code) => codeOf.get(reference) !== code)
    )
    expect({ seed: SEED, lostCodes }).toEqual({ seed: SEED, lostCodes: [] })

    const { journal } = openJournal(join(folder, 'journal.db'), new Date())
    if (journal === null) throw new Error('The journal cannot be opened')
    const state = collectState(folder, journal, serviceFile, network.seen)
    journal.close()
    expect({ seed: SEED, ...violationsOf(state) }).toEqual({ seed: SEED })
    const { slips, posts, made } = state
    const byReference = Map.groupBy(slips, ({ reference }) => reference ?? '')
    const wrong = [...heard].flatMap(([reference, { codes, statuses }]) => {
      const rows = byReference.get(reference) ?? []
      const points = Number(reference.slice(2))
      const requested = posts.get(points) ?? 0
      const atService = [...made].filter(([, code]) => code.points === points).map(([code]) => code)
      // An attempt that was certainly not sent is followed by another one.
      const sent = rows.filter(({ state }) => state !== 'refused')
      const [slip] = sent
      const isRight =
        sent.length <= 1 &&
        requested <= 1 &&
        codes.size <= 1 &&
        atService.length <= 1 &&
        [...codes].every((code) => slip?.code === code) &&
        (atService.length === 0 || slip?.state === 'unknown' || slip?.code === atService[0])
      return isRight ? [] : [{ reference, requested, codes: [...codes], statuses: [...statuses], rows }]
    })
    expect({ seed: SEED, wrong }).toEqual({ seed: SEED, wrong: [] })
    // The tills did work, and were killed at it.
    const states = new Set(slips.map(({ state }) => state))
    expect([...states]).toEqual(expect.arrayContaining(['given', 'unknown']))
    expect([...heard.values()].filter(({ codes }) => codes.size === 1).length).toBeGreaterThan(KILLS)
    expect([...posts.values()].every((count) => count === 1)).toBe(true)
  },
  30 * 60_000
)
