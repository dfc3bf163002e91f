import { unzipSync } from 'fflate'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { slipsOf } from './support/bridge.ts'
import { expect, test } from './support/fixtures.ts'
import { systemCalls, answerSaveDialog } from './support/main-process.ts'

const [known] = KNOWN_CUSTOMERS

test('diagnostics saved from the settings contain no personal data', async ({ openConnected, userData }) => {
  const { app, page, cashier } = await openConnected()
  await cashier.choose(known.phone, known.name)
  await cashier.print(10)
  await expect(cashier.lastSlip).toBeVisible()
  await cashier.goTo('Settings')
  const file = join(userData, 'diagnostics.zip')
  await answerSaveDialog(app, file)
  await page.getByRole('button', { name: 'Save diagnostics' }).click()
  await expect(page.getByText(`Saved as ${file}`)).toBeVisible()
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

test('restoring a backup replaces the journal and keeps the previous one', async ({
  openConnected,
  open,
  userData
}) => {
  const folder = join(userData, 'till')
  const first = await openConnected()
  const backups = async (): Promise<string[]> => readdir(join(folder, 'backups')).catch(() => [])
  await expect.poll(async () => (await backups()).filter((name) => name.endsWith('.sqlite'))).toHaveLength(1)
  await first.cashier.print(10)
  await expect(first.cashier.lastSlip).toBeVisible()
  await first.close()

  const [backup = ''] = await backups()
  const again = await open({ args: [`--restore-journal=${join(folder, 'backups', backup)}`] })
  expect(await slipsOf(again.page)).toEqual([])
  expect((await readdir(folder)).filter((name) => name.startsWith('journal.replaced-'))).not.toEqual([])
  const calls = await systemCalls(again.app)
  if (calls !== '[]') expect(calls).toContain('0 slips were restored.')
})
