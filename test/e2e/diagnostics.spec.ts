import { unzipSync } from 'fflate'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { slipsOf } from './support/bridge.ts'
import { PROJECT } from '../../resources/scripts/tools.ts'
import { electron } from './support/electron.ts'
import { expect, test, type Counter } from './support/fixtures.ts'
import { answerSaveDialog, nextMessageBox, restartAfterError, systemCalls } from './support/main-process.ts'
import { launchOf } from './support/till.ts'

const [known] = KNOWN_CUSTOMERS

test('diagnostics saved from the settings contain no personal data', async ({ shared, userData }) => {
  const { app, page, cashier } = shared
  await cashier.choose(known.phone, known.name)
  await cashier.print(10)
  await expect(cashier.lastSlip).toBeVisible()
  await cashier.goTo('Settings')
  const file = join(userData, 'diagnostics.zip')
  await answerSaveDialog(app, file)
  await page.getByRole('button', { name: 'Save diagnostics' }).click()
  await expect(page.getByRole('main').getByText(`Saved as ${file}`)).toBeVisible()
  const files = unzipSync(await readFile(file))
  expect(Object.keys(files).sort()).toEqual(['README.txt', 'about.json', 'logs/till.log', 'settings.json'])
  const all = Object.values(files)
    .map((bytes) => new TextDecoder().decode(bytes))
    .join('\n')
  expect(all).toContain('slip-issued')
  const [slip] = await slipsOf(page)
  for (const personal of [known.name, known.phone, known.email, slip?.code ?? ''])
    expect(all).not.toContain(personal)
})

test.describe('restoring a backup', () => {
  /** Closes a till that has one slip, and returns the option that restores its backup from before the slip. */
  const prepareRestore = async (first: Counter): Promise<string> => {
    const folder = join(first.userData, 'backups')
    const backups = async (): Promise<string[]> => readdir(folder).catch(() => [])
    await expect
      .poll(async () => (await backups()).filter((name) => name.endsWith('.sqlite')))
      .toHaveLength(1)
    await first.cashier.print(10)
    await expect(first.cashier.lastSlip).toBeVisible()
    const [backup = ''] = await backups()
    return `--restore-journal=${join(folder, backup)}`
  }
  const pointsOf = async (till: Counter): Promise<number[]> =>
    (await slipsOf(till.page)).map(({ points }) => points)

  test('keeps the replaced journal, and happens once: a later start with the same option keeps the slips issued since', async ({
    openConnected
  }) => {
    const first = await openConnected()
    const option = await prepareRestore(first)
    await first.close()
    const restored = await openConnected({ args: [option] })
    expect(await pointsOf(restored)).toEqual([])
    const files = await readdir(first.userData)
    expect(files.filter((name) => name.startsWith('journal.replaced-'))).not.toEqual([])
    if (electron.kind === 'stand-in')
      await expect.poll(() => systemCalls(restored.app)).toContain('0 slips were restored.')
    await restored.cashier.print(20)
    await expect.poll(() => pointsOf(restored)).toEqual([20])
    await restored.close()

    const again = await openConnected({ args: [option] })
    expect(await pointsOf(again)).toEqual([20])
    // Nor does a restart after an uncaught error repeat it.
    const relaunch = await restartAfterError(again.app)
    expect(relaunch).toContain('--user-data-dir')
    expect(relaunch).not.toContain('--restore-journal')
  })

  test('is refused with a message while the till is open', async ({ openConnected }) => {
    const till = await openConnected()
    const option = await prepareRestore(till)
    const shown = nextMessageBox(till.app)
    const { executablePath, args, env } = launchOf({ userData: till.userData, args: [option] })
    const second = spawn(executablePath, args, { cwd: PROJECT, env, stdio: 'ignore' })
    await once(second, 'exit')
    expect(await shown).toContain('The till is open.')
    expect(await pointsOf(till)).toEqual([10])
  })
})
