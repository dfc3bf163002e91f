/** A packed till at work, as it would be after an installation. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { slipsOf, stateOf } from '../e2e/support/bridge.ts'
import { expect, test } from '../e2e/support/fixtures.ts'
import { launchOf } from '../e2e/support/till.ts'
import { readSlip } from '../support/read-slip.ts'
import { driven, release, type Packed } from './pack.ts'

const [known] = KNOWN_CUSTOMERS

/** Starts a till with the inspector asked for; what it says until it has written its settings. */
const askForInspector = async (packed: Packed, userData: string): Promise<string> => {
  const { args, env } = launchOf({ userData, installed: packed.executable })
  const child = spawn(packed.executable, ['--inspect=0', ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe']
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await expect.poll(() => existsSync(join(userData, 'settings.json'))).toBe(true)
  child.kill()
  await ended
  return said
}

test.describe('the packed till', () => {
  test('finds a customer in training, issues points, prints a slip that reads back, and draws one', async ({
    open
  }) => {
    const { cashier, manager, page, userData } = await open({ installed: driven.executable })
    await manager.startTraining()
    await cashier.choose(known.phone, known.name)
    await cashier.print(250)
    await expect(cashier.lastSlip).toBeVisible()
    await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('printed')
    const [slip] = await slipsOf(page)
    if (!slip?.code || !slip.url) throw new Error('no slip')
    const read = await readSlip(new Uint8Array(await readFile(join(userData, 'slips', `${slip.code}.pdf`))))
    expect(read.codes).toEqual([slip.url])
    expect(read.text).toContain('250')

    // A preview takes what a receipt printer takes: the archive's own reader of PDF pages.
    const { settings: ofTill } = await stateOf(page)
    const preview = await page.evaluate(
      ({ printer, slip }) => window.tillpoints?.printers.preview({ paper: printer.paper, slip }),
      ofTill
    )
    expect(preview).toMatchObject({ ok: true })
  })

  test('listens to no debugger, which the build that the tests drive does', async ({ userData }) => {
    expect(await askForInspector(driven, join(userData, 'driven'))).toContain('Debugger listening')
    expect(await askForInspector(release, join(userData, 'release'))).not.toContain('Debugger listening')
  })
})
