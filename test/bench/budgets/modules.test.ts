/** How much main loads before its window, counted. Takes the till as it was built. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { modulesBeforeWindow, tooEarly } from '../modules-before-window.ts'

/** A little more than there is. Whoever needs more for the window says so here. */
const MOST = { modules: 400, kilobytes: 1_050 }

const counted = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modules-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return modulesBeforeWindow(folder)
}

describe('before its window, main', () => {
  it('loads nothing that is first used later, and not more than the window needs', async () => {
    const before = await counted()
    expect(before.scripts).toContain('index.js')
    expect(before.modules).toContain('electron/main/platform/windows.ts')
    expect(tooEarly(before)).toEqual([])
    expect(before.packages).toEqual([])
    expect(before.modules.length).toBeLessThanOrEqual(MOST.modules)
    expect(before.kilobytes).toBeLessThanOrEqual(MOST.kilobytes)
  })
})

describe('each script of main', () => {
  const main = join(PROJECT, 'out/main')
  const scripts = readdirSync(main, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js')
  )

  it.each(scripts)('can be read by Node: %s', (script) => {
    // One that is loaded late would be found broken by whoever first needs it.
    const { status, stderr } = spawnSync(process.execPath, ['--check', join(main, script)], {
      encoding: 'utf8'
    })
    expect(stderr).toBe('')
    expect(status).toBe(0)
  })
})
