import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { err } from '../../electron/contract/failure.ts'
import { business } from '../support/sample-business.ts'
import {
  issueAndPrint,
  openSlipService,
  press,
  temporaryFolder,
  valueOf
} from '../unit/main/slips/slip-service-fixture.ts'
import { openSlips } from '../../electron/main/slips/slip-service.ts'
import { slipDependencies } from '../support/slip-service.ts'

const program = fileURLToPath(new URL('./waiting-till-process.ts', import.meta.url))

/** Starts a till in another process, and resolves when its request is pending. */
async function startFirstTill(): Promise<{ folder: string; intentId: string; first: ChildProcess }> {
  const folder = temporaryFolder()
  const intentId = randomUUID()
  const first = fork(program, [folder, intentId])
  onTestFinished(() => {
    first.kill('SIGKILL')
  })
  expect(await once(first, 'message')).toEqual(['requested', undefined])
  return { folder, intentId, first }
}

const openSecondTill = (folder: string) => openSlipService({ currentBusiness: () => business }, folder)

describe('second till on one folder', () => {
  it('opens no journal, and the first one keeps the code of its pending request', async () => {
    const { folder, intentId, first } = await startFirstTill()
    expect(openSlips(slipDependencies(folder))).toEqual({
      slips: err({ kind: 'not-saved', what: 'journal' }),
      notices: [{ kind: 'journal-in-use' }]
    })

    const ended = once(first, 'exit')
    first.send('answer')
    const messages: readonly unknown[] = await once(first, 'message')
    expect(messages[0]).toMatchObject({ ok: true, value: { slip: { state: 'printed', code: 'A' } } })
    await ended
    const next = openSecondTill(folder)
    expect(next.notices).toEqual([])
    expect(valueOf(next.slips.queries.list({ offset: 0 })).slips).toMatchObject([
      { intentId, state: 'printed', code: 'A' }
    ])
  })

  it('opens the journal after the first one was killed', async () => {
    const { folder, intentId, first } = await startFirstTill()
    const ended = once(first, 'exit')
    first.kill('SIGKILL')
    await ended
    const second = openSecondTill(folder)
    expect(second.notices).toEqual([])
    expect(valueOf(second.slips.queries.list({ offset: 0 })).slips).toMatchObject([
      { intentId, state: 'unknown' }
    ])
    expect(valueOf(await issueAndPrint(second, press())).slip.state).toBe('printed')
  })
})
