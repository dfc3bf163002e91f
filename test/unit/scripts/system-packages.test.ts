/** What the tests need beside npm's packages: where it is missing, and in the workflow. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { chromiumSkipReason } from '../../support/chromium.ts'
import { POSTGRES_PACKAGES } from '../../support/postgres/programs.ts'
import { CUPS_PACKAGES } from '../../support/print-system/programs.ts'
import { CADDY_PACKAGE } from '../../support/proxy/caddy.ts'
import { STRACE_PACKAGE } from '../../support/system-calls.ts'

test('the workflow installs every package that the tests need', () => {
  const workflow = readFileSync(join(PROJECT, '.github/workflows/test.yml'), 'utf8').split(/\s+/u)
  const packages = [...CUPS_PACKAGES, ...POSTGRES_PACKAGES, CADDY_PACKAGE, STRACE_PACKAGE, 'curl']
  expect(packages.filter((name) => !workflow.includes(name))).toEqual([])
})

test('without a Chromium its tests are skipped with the installing command, and fail where CI is set', () => {
  vi.stubEnv('TILLPOINTS_CHROMIUM', '/nowhere')
  vi.stubEnv('CI', '')
  expect(chromiumSkipReason()).toContain('npx playwright install chromium')
  vi.stubEnv('CI', 'true')
  expect(chromiumSkipReason()).toBeNull()
  vi.unstubAllEnvs()
})
