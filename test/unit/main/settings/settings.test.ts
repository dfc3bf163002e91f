import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSettings } from '../../../../electron/main/settings/index.ts'
import { readOnly } from '../../../rigs/read-only.ts'

const NOW = new Date('2026-03-04T05:06:07.089Z')
const open = (at: string) => createSettings(at, () => NOW)

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillpoints-settings-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('settings', () => {
  it('start with the defaults in a folder that does not exist yet', () => {
    const settings = open(join(folder, 'new/till'))
    expect([settings.values.mode, settings.values.language, settings.kept]).toEqual([
      'first-start',
      null,
      true
    ])
  })

  it('are read again by the next start', () => {
    open(folder).update({ country: 'GR', mode: 'practice' })
    const { country, mode } = open(folder).values
    expect({ country, mode }).toEqual({ country: 'GR', mode: 'practice' })
  })

  it('can be read by nobody else', () => {
    open(folder).update({ country: 'GR' })
    // Windows has no modes: there the user's profile folder guards the file, and 666 stands for "writable".
    const expected = process.platform === 'win32' ? '666' : '600'
    expect((statSync(join(folder, 'settings.json')).mode & 0o777).toString(8)).toBe(expected)
  })

  it.each(['{"mode": "busi', '[]', 'null', '{"mode": 7}', ''])('are set aside when they say %s', (text) => {
    writeFileSync(join(folder, 'settings.json'), text)
    const settings = open(folder)
    expect([settings.setAsideAs, settings.values.mode]).toEqual([
      'settings.damaged-2026-03-04T05-06-07-089Z.json',
      'first-start'
    ])
    expect(readFileSync(join(folder, settings.setAsideAs ?? ''), 'utf8')).toBe(text)
  })

  it.each(['pt-BR', 'el-GR', ''])(
    'follow the system where an older till kept the language %j',
    (language) => {
      writeFileSync(join(folder, 'settings.json'), JSON.stringify({ mode: 'practice', language }))
      const { setAsideAs, values } = open(folder)
      expect([setAsideAs, values.mode, values.language]).toEqual([null, 'practice', null])
    }
  )

  it('pass over what a newer till wrote beside them', () => {
    writeFileSync(join(folder, 'settings.json'), '{"mode": "practice", "colour": "green"}')
    const settings = open(folder)
    expect([settings.setAsideAs, settings.values.mode]).toEqual([null, 'practice'])
  })
})

describe('settings in a folder that cannot be written', () => {
  it('hold for as long as the till runs, and say that they are not kept', async () => {
    open(folder).update({ country: 'GR' })
    await readOnly(folder, () => {
      const settings = open(folder)
      settings.update({ country: 'FR' })
      expect([settings.values.country, settings.kept]).toEqual(['FR', false])
    })
    expect(open(folder).values.country).toBe('GR')
  })

  it('leave a damaged file where it is', async () => {
    writeFileSync(join(folder, 'settings.json'), 'damaged')
    await readOnly(folder, () => {
      const settings = open(folder)
      expect([settings.setAsideAs, settings.values.mode]).toEqual(['settings.json', 'first-start'])
    })
    expect(readdirSync(folder)).toEqual(['settings.json'])
  })
})
