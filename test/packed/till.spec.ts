/** The packed app after an installation. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
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

/** Starts the app with a switch that it refuses. Resolves with its stderr, and its exit code: null if it did start. */
const startRefused = async (
  packed: Packed,
  userData: string,
  name: string
): Promise<{ code: number | null; said: string }> => {
  const { args, env } = launchOf({ userData, installed: packed.executable, args: [name] })
  const child = spawn(packed.executable, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const closed = once(child, 'close')
  await expect.poll(() => child.exitCode !== null || existsSync(join(userData, 'settings.json'))).toBe(true)
  child.kill()
  const [code] = (await closed) as [number | null]
  return { code, said }
}

/** Starts the app with `--inspect`. Resolves with its stderr until it has written its settings. */
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
  test('finds a customer in training mode, issues points, prints a scannable slip, and renders a preview', async ({
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

    // A preview renders the PDF with PDFium from the archive, as printing on a receipt printer does.
    const { settings: ofTill } = await stateOf(page)
    const preview = await page.evaluate(
      ({ printer, slip }) => window.tillpoints?.printers.preview({ paperSize: printer.paperSize, slip }),
      ofTill
    )
    expect(preview).toMatchObject({ ok: true })
  })

  test('does not start with a switch that opens a debugger of the page', async ({ userData }) => {
    for (const name of ['--remote-debugging-port=0', '--remote-debugging-pipe']) {
      const { code, said } = await startRefused(release, join(userData, 'release'), name)
      expect(said).toContain('switch-refused')
      expect(said).not.toContain('DevTools listening')
      expect(code).toBe(1)
    }
  })

  test('opens no debugger port; the tested build does', async ({ userData }) => {
    expect(await askForInspector(driven, join(userData, 'driven'))).toContain('Debugger listening')
    expect(await askForInspector(release, join(userData, 'release'))).not.toContain('Debugger listening')
  })
})
