/** What the built main process uses of packages that are not bundled exists when plain Node imports them. */
import { expect, test } from '@playwright/test'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EXTERNAL_PACKAGES } from '../../resources/packaging/packages.ts'
import { PROJECT } from '../../resources/scripts/tools.ts'

const run = promisify(execFile)
const SCRIPT = join(import.meta.dirname, 'external-imports.ts')

test.describe('the external packages', () => {
  test('have every name that the built main process imports', async () => {
    const { stdout } = await run(process.execPath, [SCRIPT, join(PROJECT, 'out/main')])
    const imported = stdout
      .trim()
      .split('\n')
      .map((line) => line.replace(/: .*/, ''))
    // pdf-to-printer is not imported: it holds a program.
    const expected = EXTERNAL_PACKAGES.filter((name) => name !== 'pdf-to-printer')
    for (const name of expected) expect(imported, name).toContain(name)
  })
})
