import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  business,
  fontsFolder,
  issueAndPrint,
  openTill,
  temporaryFolder,
  valueOf
} from '../unit/main/slips/slip-service-fixture.ts'

const program = fileURLToPath(new URL('./crash-point-process.ts', import.meta.url))

/** Runs a till until it is killed at `arrow`, and opens the next one on what it left. */
function killAt(arrow: string) {
  const folder = temporaryFolder()
  const intentId = randomUUID()
  const { signal, stderr } = spawnSync(process.execPath, [program, folder, fontsFolder, intentId, arrow], {
    encoding: 'utf8'
  })
  expect(stderr).toBe('')
  expect(signal).toBe('SIGKILL')
  const asked = existsSync(join(folder, 'asked'))
    ? readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n')
    : []
  const papers = existsSync(join(folder, 'slips'))
    ? readdirSync(join(folder, 'slips')).filter((name) => name.endsWith('.pdf'))
    : []
  const till = openTill({ currentBusiness: () => business }, folder)
  const intent = { intentId, points: 250, customer: null }
  return { till, intent, asked, papers }
}

const stopped = { kind: 'unknown-outcome', cause: 'till-stopped' } as const

describe('a till that is killed', () => {
  it('before the request is on disk: nothing was asked, and the same press can be made', async () => {
    const { till, intent, asked } = killAt('before the request is on disk')
    expect(asked).toEqual([])
    expect(valueOf(await issueAndPrint(till, intent)).slip.state).toBe('printed')
    expect(till.asked).toEqual([250])
  })

  it.each([
    ['requested', 0],
    ['service asked', 1],
    ['before the code is on disk', 1]
  ])(
    'at "%s": the outcome is unknown, nothing is printed, and nothing is asked again',
    async (arrow, requests) => {
      const { till, intent, asked, papers } = killAt(arrow)
      expect(asked).toHaveLength(requests)
      expect(papers).toEqual([])
      expect(valueOf(till.slips.attention())).toBe(1)
      expect(await till.slips.issue(intent)).toEqual({ ok: false, failure: stopped })
      expect(till.asked).toEqual([])
    }
  )

  it.each([
    ['issued', 'issued', []],
    ['printing', 'print-failed', []],
    ['before the print is on disk', 'print-failed', ['A.pdf']]
  ])('at "%s": the code is kept, and its slip printed when a person says so', async (arrow, state, left) => {
    const { till, intent, papers } = killAt(arrow)
    expect(papers).toEqual(left)
    expect(valueOf(till.slips.list({ offset: 0 })).slips).toMatchObject([{ state, code: 'A' }])
    expect(valueOf(till.slips.attention())).toBe(1)
    const { slip } = valueOf(await till.slips.print(intent))
    expect(slip).toMatchObject({ state: 'printed', code: 'A', file: join(till.folder, 'slips', 'A.pdf') })
    expect(readdirSync(join(till.folder, 'slips'))).toEqual(['A.pdf'])
    expect(till.asked).toEqual([])
  })

  it('after all was done: nothing is left to do', () => {
    const { till, papers } = killAt('printed')
    expect(papers).toEqual(['A.pdf'])
    expect(valueOf(till.slips.attention())).toBe(0)
    expect(valueOf(till.slips.list({ offset: 0 })).slips).toMatchObject([{ state: 'printed', code: 'A' }])
  })
})
