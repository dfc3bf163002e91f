/** Writes policies to the registry with `reg`, and reads them as the app does on Windows. */
import assert from 'node:assert/strict'
import * as v from 'valibot'
import { DEFAULT_TILL_SETTINGS, SETTINGS } from '../../../electron/contract/settings.ts'
import { exec } from '../../../electron/main/exec.ts'
import type { Policy } from '../../../electron/main/policy/policy.ts'
import { POLICY_KEY } from '../../../electron/main/policy/policy-sources.ts'
import { RegistryPolicy } from '../../../electron/main/policy/windows-policies.ts'
import { runChecks, runScriptWith } from '../windows-script.ts'

const KEY = `HKEY_LOCAL_MACHINE\\${POLICY_KEY}`

async function reg(...args: string[]): Promise<void> {
  const { code, stderr } = await exec('reg.exe', args, { environment: process.env, timeout: 30_000 })
  assert.equal(code, 0, stderr)
}

/** Writes a value as `reg add` does: to the view of 64-bit programs, where group policy writes. */
const add = (section: string, name: string, type: string, data: string): Promise<void> =>
  reg('add', section === '' ? KEY : `${KEY}\\${section}`, '/v', name, '/t', type, '/d', data, '/f', '/reg:64')

const source = new RegistryPolicy(exec, process.env)

/** Removes what an earlier check wrote. */
const clear = (): Promise<unknown> =>
  exec('reg.exe', ['delete', KEY, '/f', '/reg:64'], { environment: process.env, timeout: 30_000 })

async function readWhole(): Promise<Policy> {
  const reading = await source.read()
  assert(reading.kind === 'read', JSON.stringify(reading))
  assert.deepEqual(reading.mistakes, [])
  return reading.policy
}

/** Writes a value as the administrative template does. */
function addSetting(section: string, name: string, value: unknown): Promise<void> {
  if (typeof value === 'boolean' || typeof value === 'number')
    return add(section, name, 'REG_DWORD', String(Number(value)))
  return add(section, name, 'REG_SZ', typeof value === 'string' ? value : JSON.stringify(value))
}

const checks = {
  'without the key there is no policy': async () => {
    await clear()
    assert.deepEqual(await source.read(), { kind: 'absent' })
  },

  'texts, numbers, lines and JSON of a policy are read as they were written': async () => {
    await clear()
    const footer = 'Größe “ö” \\ "quoted" ελ العربية 😀 %PATH%'
    await add('', 'managedBy', 'REG_SZ', 'Müller & Söhne')
    await add('', 'tokenFile', 'REG_EXPAND_SZ', 'C:\\ProgramData\\Tillpoints\\token')
    await add('', 'pairingCode', 'REG_SZ', 'BCDF-GHJK')
    await add('Locked', 'service.address', 'REG_SZ', 'https://points.example')
    await add('Locked', 'slip.footer', 'REG_SZ', footer)
    await add('Locked', 'slip.headline', 'REG_MULTI_SZ', 'one\\0two')
    await add('Locked', 'copies', 'REG_DWORD', '2')
    await add('Locked', 'localInterface.port', 'REG_QWORD', '9000')
    await add('locked', 'printer.destination', 'REG_SZ', 'Theke [1] = "A"')
    await add('Default', 'tourSeen', 'REG_DWORD', '1')
    await add('Default', 'lockAfterMinutes', 'REG_SZ', '15')
    await add('Default', 'updateRing', 'REG_SZ', 'null')
    assert.deepEqual(await readWhole(), {
      managedBy: 'Müller & Söhne',
      managerPin: null,
      tokenFile: 'C:\\ProgramData\\Tillpoints\\token',
      pairingCode: 'BCDF-GHJK',
      locked: {
        'service.address': 'https://points.example/',
        'slip.footer': footer,
        'slip.headline': 'one\ntwo',
        copies: 2,
        'localInterface.port': 9000,
        'printer.destination': { kind: 'queue', name: 'Theke [1] = "A"' }
      },
      defaults: { tourSeen: true, lockAfterMinutes: 15, updateRing: null }
    })
  },

  'every setting is read as the administrative template writes it': async () => {
    await clear()
    for (const [name, { standard }] of SETTINGS) await addSetting('locked', name, standard)
    const { locked } = await readWhole()
    assert.deepEqual(
      locked,
      Object.fromEntries([...SETTINGS].map(([name, { standard }]) => [name, standard]))
    )
    assert.equal(locked['printer.paperSize'], DEFAULT_TILL_SETTINGS.printer.paperSize)
  },

  'a mistake, bytes and an unknown key are named, and leave the rest in force': async () => {
    await clear()
    await add('locked', 'copies', 'REG_DWORD', '3')
    await add('locked', 'theme', 'REG_SZ', 'blue')
    await add('locked', 'accent', 'REG_BINARY', '00ff')
    await add('Other', 'theme', 'REG_SZ', 'dark')
    const reading = await source.read()
    assert(reading.kind === 'read')
    assert.deepEqual(reading.policy.locked, { copies: 3 })
    const names = reading.mistakes.map(({ name }) => name)
    assert.deepEqual(names.sort(), ['locked.accent', 'locked.theme', 'other'])
  }
}

await runScriptWith(v.object({}), () => runChecks(checks))
