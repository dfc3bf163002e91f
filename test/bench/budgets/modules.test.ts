/** What main loads before its window. Reads the built app. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { loadedTooEarly, modulesBeforeWindow } from './modules-before-window.ts'

const counted = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modules-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return modulesBeforeWindow(folder)
}

it('main loads no package of a service that is opened on first use before its window', async () => {
  const before = await counted()
  expect(before.scripts).toContain('index.js')
  expect(before.modules).toContain('electron/main/platform/windows.ts')
  expect(before.packages).toEqual([])
  expect(loadedTooEarly(before)).toEqual([])
})

describe('each script of main', () => {
  const main = join(PROJECT, 'out/main')
  const scripts = readdirSync(main, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js')
  )

  it.each(scripts)('has valid syntax: %s', (script) => {
    // A script that is loaded on first use would fail only then.
    const { status, stderr } = spawnSync(process.execPath, ['--check', join(main, script)], {
      encoding: 'utf8'
    })
    expect(stderr).toBe('')
    expect(status).toBe(0)
  })
})
