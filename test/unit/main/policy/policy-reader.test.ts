import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { PolicyReader } from '../../../../electron/main/policy/policy-reader.ts'
import type { PolicySource } from '../../../../electron/main/policy/policy-sources.ts'
import { Settings } from '../../../../electron/main/settings/index.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'

it('is read once more, however often it changes while a slow source is read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'policy-reader-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let readings = 0
  const source: PolicySource = {
    name: 'slow',
    read: async () => {
      readings += 1
      await new Promise((resolve) => setImmediate(resolve))
      return { kind: 'absent' }
    },
    watch: () => () => undefined
  }
  const settings = new Settings(folder)
  const reader = new PolicyReader({ sources: [source], settings, log: noOpLogger })
  const first = reader.read()
  await Promise.resolve()
  expect(readings).toBe(1)
  await Promise.all([first, reader.read(), reader.read(), reader.read()])
  expect(readings).toBe(2)
})
