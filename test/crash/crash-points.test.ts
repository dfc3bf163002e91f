import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ok } from '../../electron/contract/failure.ts'
import {
  issueAndPrint,
  openSlipService,
  qrCode,
  temporaryFolder,
  valueOf
} from '../unit/main/slips/slip-service-fixture.ts'
import { business } from '../support/sample-business.ts'

const program = fileURLToPath(new URL('./crash-point-process.ts', import.meta.url))

/** Runs a process until it is killed at a crash point, and opens the service on the folder that it left. */
function killAt(crashPoint: string, kind: 'keyed' | '' = '') {
  const folder = temporaryFolder()
  const intentId = randomUUID()
  const { signal, stderr } = spawnSync(process.execPath, [program, folder, intentId, crashPoint, kind], {
    encoding: 'utf8'
  })
  expect(stderr).toBe('')
  expect(signal).toBe('SIGKILL')
  const requests = existsSync(join(folder, 'requests'))
    ? readFileSync(join(folder, 'requests'), 'utf8').trim().split('\n')
    : []
  const files = existsSync(join(folder, 'slips'))
    ? readdirSync(join(folder, 'slips')).filter((name) => name.endsWith('.pdf'))
    : []
  const till = openSlipService(
    {
      currentBusiness: () => (kind === 'keyed' ? { ...business, extensions: ['codes/1'] } : business),
      retryDelaysMs: [],
      issueCode: (key, { points }) => {
        requests.push(key)
        return Promise.resolve(ok(qrCode('A', points)))
      }
    },
    folder
  )
  const intent = { intentId, points: 250, customer: null }
  return { till, intent, requests, files }
}

const stopped = { kind: 'unknown-outcome', cause: 'till-stopped' } as const

describe('process killed', () => {
  it('before the request is on disk: the service was not called, and the intent can be issued', async () => {
    const { till, intent, requests } = killAt('before the request is on disk')
    expect(requests).toEqual([])
    expect(valueOf(await issueAndPrint(till, intent)).slip.state).toBe('printed')
    expect(till.requestedPoints).toEqual([250])
  })

  it.each([
    ['requested', 0],
    ['service called', 1],
    ['before the code is on disk', 1]
  ])(
    'at "%s": the outcome is unknown, nothing is printed, and the service is not called again',
    async (crashPoint, callCount) => {
      const { till, intent, requests, files } = killAt(crashPoint)
      expect(requests).toHaveLength(callCount)
      expect(files).toEqual([])
      expect(valueOf(till.slips.queries.attention())).toBe(1)
      expect(await till.slips.counter.issue(intent)).toEqual({ ok: false, failure: stopped })
      expect(till.requestedPoints).toEqual([])
    }
  )

  it.each([
    ['requested', 0],
    ['service called', 1],
    ['before the code is on disk', 1]
  ])(
    'at "%s" of a code with a key: the next start asks with the key, and the slip has the first code',
    async (crashPoint, callCount) => {
      const { till, intent, requests } = killAt(crashPoint, 'keyed')
      expect(requests).toHaveLength(callCount)
      await till.slips.lostAnswers.askAll()
      expect(requests).toEqual(Array(callCount + 1).fill(intent.intentId))
      const [slip] = valueOf(till.slips.queries.list({ offset: 0 })).slips
      expect(slip).toMatchObject({ state: 'issued', code: 'A' })
      expect(valueOf(await issueAndPrint(till, intent)).slip).toMatchObject({ state: 'printed', code: 'A' })
      expect(requests).toHaveLength(callCount + 1)
    }
  )

  it.each([
    ['issued', 'issued', []],
    ['printing', 'print-failed', []],
    ['before the print is on disk', 'print-failed', ['A.pdf']]
  ])('at "%s": the code is kept, and its slip can be printed', async (crashPoint, state, left) => {
    const { till, intent, files } = killAt(crashPoint)
    expect(files).toEqual(left)
    expect(valueOf(till.slips.queries.list({ offset: 0 })).slips).toMatchObject([{ state, code: 'A' }])
    expect(valueOf(till.slips.queries.attention())).toBe(1)
    const { slip } = valueOf(await till.slips.printouts.print(intent))
    expect(slip).toMatchObject({ state: 'printed', code: 'A', file: join(till.folder, 'slips', 'A.pdf') })
    expect(readdirSync(join(till.folder, 'slips'))).toEqual(['A.pdf'])
    expect(till.requestedPoints).toEqual([])
  })

  it('after the print: the slip is printed, and nothing needs attention', () => {
    const { till, files } = killAt('printed')
    expect(files).toEqual(['A.pdf'])
    expect(valueOf(till.slips.queries.attention())).toBe(0)
    expect(valueOf(till.slips.queries.list({ offset: 0 })).slips).toMatchObject([
      { state: 'printed', code: 'A' }
    ])
  })
})
